"""HTTP calls to the identity provider, limited in time and size."""

import http.client
import json
import logging
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from threading import Event, Timer
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

from application.accounts.ports.identity_provider import IdentityProviderUnreachable

log = logging.getLogger("consumo.oidc")

# For connecting and for each read, and for a whole call.
PATIENCE_SECONDS = 5
MAX_CALL_SECONDS = 10
MAX_ANSWER_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """The status and the JSON of an answer; None if it is not JSON."""

    status: int
    content: Any


def is_endpoint(url: object) -> bool:
    """Return whether a provider's address may be called.

    It is an absolute address with https. Without TLS only this machine may be called.
    """
    if not isinstance(url, str) or not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    if not parts.hostname or not has_port or parts.username is not None:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class ProviderHttp:
    """Calls the provider.

    It follows no redirect and ignores the environment's proxies. A call that takes too long is cut off, however slowly
    the provider writes.
    """

    def __init__(self, proxy: str | None = None, *, max_seconds: float = MAX_CALL_SECONDS) -> None:
        self._proxy = urlsplit(proxy) if proxy else None
        self._max_seconds = max_seconds

    def get(self, url: str) -> ProviderAnswer:
        """Read a JSON document. Raise ``IdentityProviderUnreachable``."""
        return self._call("GET", url, None, {})

    def post(self, url: str, form: Mapping[str, str], headers: Mapping[str, str]) -> ProviderAnswer:
        """Send a form. Raise ``IdentityProviderUnreachable``."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._call("POST", url, urlencode(form).encode(), {**kind, **headers})

    def _call(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> ProviderAnswer:
        parts = urlsplit(url)
        target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        connection = self._connection(parts)
        is_cut = Event()
        cut = Timer(self._max_seconds, _cut_off, [connection, is_cut])
        cut.daemon = True
        cut.start()
        try:
            _connect(connection, parts)
            sent = {"Host": parts.netloc, "Accept": "application/json", "Connection": "close", **headers}
            connection.request(method, target, body, sent)
            answer = connection.getresponse()
            content = answer.read(MAX_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable("the call took too long" if is_cut.is_set() else type(error).__name__) from None
        finally:
            cut.cancel()
            connection.close()
        # A cut connection looks like one that has ended.
        if is_cut.is_set():
            raise _unreachable("the call took too long")
        if len(content) > MAX_ANSWER_BYTES:
            raise _unreachable("the answer is too large")
        if answer.status >= http.client.INTERNAL_SERVER_ERROR:
            raise _unreachable(f"status {answer.status}")
        try:
            return ProviderAnswer(answer.status, json.loads(content))
        except (ValueError, RecursionError):
            return ProviderAnswer(answer.status, None)

    def _connection(self, parts: SplitResult) -> http.client.HTTPConnection:
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        if self._proxy is None or is_loopback(host):
            return http.client.HTTPConnection(host, port, timeout=PATIENCE_SECONDS)
        through = http.client.HTTPConnection(
            self._proxy.hostname or "", self._proxy.port or 3128, timeout=PATIENCE_SECONDS
        )
        through.set_tunnel(host, port)
        return through


def _connect(connection: http.client.HTTPConnection, parts: SplitResult) -> None:
    connection.connect()
    if parts.scheme == "https":
        # The handshake follows once the socket is known to the timer.
        context = ssl.create_default_context()
        secured = context.wrap_socket(connection.sock, server_hostname=parts.hostname, do_handshake_on_connect=False)
        connection.sock = secured
        secured.do_handshake()


def _cut_off(connection: http.client.HTTPConnection, is_cut: Event) -> None:
    is_cut.set()
    try:
        connection.sock.shutdown(socket.SHUT_RDWR)
    except (OSError, AttributeError):
        return  # not connected yet, or closed already


def _unreachable(reason: str) -> IdentityProviderUnreachable:
    log.warning("The identity provider cannot be reached: %s", reason)
    return IdentityProviderUnreachable()
