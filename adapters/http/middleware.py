"""ASGI middleware: request ids, security headers, request metrics."""

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from litestar.middleware.compression.middleware import CompressionMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from adapters.observability.logs import REQUEST_ID, AnsweredRequest

log = logging.getLogger("consumo.http")

# The component library sets its theme's variables in a style element: inline styles are allowed, inline scripts are
# not.
_CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'{more}; style-src 'self' 'unsafe-inline'; img-src 'self' data:{images}; "
    "font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types default"
)
# The barcode reader is WebAssembly from our own server. It runs on pages, and in a worker, which has the policy of its
# own program. Even they may not evaluate text as code.
# A page prints a PDF that it has loaded in a frame.
# Pictures of products are loaded with the token, and shown from memory.
_PAGE_POLICY = _CONTENT_SECURITY_POLICY.format(more=" 'wasm-unsafe-eval'", images=" blob:") + "; frame-src blob:"
_PROGRAM_POLICY = _CONTENT_SECURITY_POLICY.format(more=" 'wasm-unsafe-eval'", images="")
_OTHER_POLICY = _CONTENT_SECURITY_POLICY.format(more="", images="")
_SAFE = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))
# For one year. Subdomains are excluded: other names in the hospital's domain are not ours to decide.
_HSTS = (b"strict-transport-security", b"max-age=31536000")

_NO_STORE = ((b"cache-control", b"no-store"),)

_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
# No digits: a request id must not look like an amount.
_DIGITS_TO_LETTERS = str.maketrans("0123456789", "ghijklmnop")

# Bounds the values of a metric label: clients may send any method.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def with_observability(app: ASGIApp, on_request: Callable[[AnsweredRequest], None], *, https: bool) -> ASGIApp:
    """Wrap the application and call ``on_request`` after each request.

    With ``https``, browsers get a Strict-Transport-Security header.
    """
    safe = (*_SAFE, _HSTS) if https else _SAFE
    with_policy = {
        policy: (*safe, (b"content-security-policy", policy.encode()))
        for policy in (_PAGE_POLICY, _PROGRAM_POLICY, _OTHER_POLICY)
    }

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        request_id = _request_id(scope)
        REQUEST_ID.set(request_id)
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = message["headers"]
                headers = with_policy[_policy_for(given)]
                kept = () if _sets_caching(given) else _NO_STORE
                message["headers"] = [*given, *headers, *kept, (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            await app(scope, receive, sending)
        except Exception as error:
            # Too late for another response: the one in progress is cut off.
            log.error("An answer was cut off at %s", scope.get("path_template"), exc_info=error)
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            raise
        finally:
            method = str(scope.get("method"))
            on_request(
                AnsweredRequest(
                    method if method in _METHODS else "OTHER",
                    scope.get("path_template", "none"),
                    status,
                    time.perf_counter() - started,
                    scope["state"].get("user_id"),
                    request_id,
                )
            )

    return call


def _policy_for(headers: Iterable[tuple[bytes, bytes]]) -> str:
    kind = next((value for name, value in headers if name == b"content-type"), b"")
    if kind.startswith(b"text/html"):
        return _PAGE_POLICY
    return _PROGRAM_POLICY if kind.startswith((b"text/javascript", b"application/javascript")) else _OTHER_POLICY


def _sets_caching(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether the response sets caching: client files and pictures."""
    return any(name == b"cache-control" for name, _ in headers)


def _request_id(scope: Scope) -> str:
    """Return the X-Request-Id header if it is valid, otherwise a new id."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _VALID_ID.fullmatch(value):
            return value.decode()
    return secrets.token_hex(10).translate(_DIGITS_TO_LETTERS)


class LazyCompression(CompressionMiddleware):
    """Compression that makes its compressor for long answers only.

    Litestar makes a compressor for each answer, also for those that are too short. This takes 40 to 80 µs.
    """

    def create_compression_send_wrapper(self, send: Send, compression_encoding: Any, scope: Scope) -> Send:
        """Return a ``send`` that compresses long answers."""
        begun: Message | None = None
        compressing: Send | None = None

        async def send_lazily(message: Message) -> None:
            nonlocal begun, compressing
            if message["type"] == "http.response.start":
                begun = message
                return
            if compressing is None and begun is not None:
                is_whole = message["type"] == "http.response.body" and not message["more_body"]
                if is_whole and len(message["body"]) < self.config.minimum_size:  # type: ignore[typeddict-item]
                    await send(begun)
                    await send(message)
                    return
                compressing = super(LazyCompression, self).create_compression_send_wrapper(
                    send, compression_encoding, scope
                )
                await compressing(begun)
            await (compressing or send)(message)

        return send_lazily
