"""Route decorators for blocking handlers, such as database calls.

Authentication, authorization and the handler run in one hop to a worker thread. A separate hop, together with the
framework's dependency injection, took as long as a list of products. A handler declares its dependencies by parameter
name: ``use_cases`` and ``hospital``; ``actor`` or ``signed_in`` unless it is public; ``body`` for the JSON body, or
``form`` for the bytes of a form.

A route with an ``actor`` names the required permission in ``may``. The use case checks it again for any caller. The
check here comes before the body and the query are parsed, so that unauthorized callers learn nothing about what they
sent.
"""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import litestar
from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler

from adapters.http.authentication import RequiredPermission, authenticate, told_once_authenticated, touch_session
from adapters.http.body import parse_json_body, read_body
from adapters.http.client_address import client_address
from adapters.http.fair_threads import FairThreads
from adapters.http.heavy_work import HEAVY_WORK
from adapters.http.lists import requested_format

Handler = Callable[..., Any]
Decorator = Callable[[Handler], HTTPRouteHandler]

# Each password hash takes one core for a tenth of a second, and 19 MiB. Therefore requests that hash have their own
# threads. An address that sends many of them delays its own requests, and others only by the hashes in progress.
HASHING = FairThreads(2, "hashing")

_FROM_STATE = ("use_cases", "hospital")
_INJECTED = (*_FROM_STATE, "actor", "signed_in", "body", "form")
_REQUEST = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request[Any, Any, Any])


def get(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """Register a handler that reads."""
    return _route(litestar.get, path, may, options)


def post(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """Register a handler that creates something or runs an operation."""
    return _route(litestar.post, path, may, options)


def put(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """Register a handler that updates."""
    return _route(litestar.put, path, may, options)


def delete(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """Register a handler that deletes or ends something."""
    return _route(litestar.delete, path, may, options)


def _route(method: Callable[..., Any], path: str, may: RequiredPermission, options: dict[str, Any]) -> Decorator:
    """Choose the threads of a route.

    A route that ``hashes`` passwords uses the fair queue per client address. A ``heavy`` one, and each list requested
    as a file, uses the queue of heavy work. All others use the thread pool of requests.
    """
    hashes = options.pop("hashes", False)
    heavy = options.pop("heavy", False)

    def decorate(handler: Handler) -> HTTPRouteHandler:
        wanted = frozenset(inspect.signature(handler).parameters)
        who = wanted & {"actor", "signed_in"}
        if ("actor" in who and may is None) or (may is not None and not who):
            raise TypeError(f"{handler.__name__}: a handler takes an actor if and only if its route names a permission")
        if who:
            options["exception_handlers"] = {Exception: partial(told_once_authenticated, may)}
            options["after_response"] = touch_session
        options["opt"] = {**options.get("opt", {}), "may": may}
        route: HTTPRouteHandler = method(path, **options)(_wrap(handler, wanted, may, hashes=hashes, heavy=heavy))
        return route

    return decorate


def _wrap(handler: Handler, wanted: frozenset[str], may: RequiredPermission, *, hashes: bool, heavy: bool) -> Handler:
    """Wrap a handler: the framework does not see the injected parameters."""
    signature = inspect.signature(handler)
    asked = [it for name, it in signature.parameters.items() if name not in (*_INJECTED, "request")]

    @wraps(handler)
    async def call(request: Request[Any, Any, Any], **parameters: Any) -> Any:
        body: bytes | Exception = b""
        if wanted & {"body", "form"}:
            try:
                body = await read_body(request)
            except Exception as error:  # noqa: BLE001 raised again after authorization
                body = error
        waits_itself = inspect.iscoroutinefunction(handler)
        if waits_itself or heavy or (request.method == "GET" and requested_format(request)):
            # Authorize before waiting for anything else.
            given = await sync_to_thread(partial(_resolve_arguments, wanted, may, request, body))
            work = partial(handler, **given, **parameters)
            return await (work() if waits_itself else HEAVY_WORK.run(work))

        def take_turn() -> Any:
            return handler(**_resolve_arguments(wanted, may, request, body), **parameters)

        if hashes:
            return await HASHING.run(client_address(request), take_turn)
        return await sync_to_thread(take_turn)

    seen = [_REQUEST, *(it.replace(kind=inspect.Parameter.KEYWORD_ONLY) for it in asked)]
    call.__signature__ = signature.replace(parameters=seen)  # type: ignore[attr-defined]
    call.__annotations__ = {it.name: it.annotation for it in seen} | {"return": signature.return_annotation}
    return call


def _resolve_arguments(
    wanted: frozenset[str], may: RequiredPermission, request: Request[Any, Any, Any], body: bytes | Exception
) -> dict[str, Any]:
    """Collect the injected arguments that the handler declares."""
    given: dict[str, Any] = {}
    if wanted & {"actor", "signed_in"}:
        signed_in = authenticate(request, may)
        given |= {"actor": signed_in.actor, "signed_in": signed_in}
    if isinstance(body, Exception):
        raise body
    if "body" in wanted:
        given["body"] = parse_json_body(request, body)
    if "form" in wanted:
        given["form"] = body
    given |= {name: request.app.state[name] for name in _FROM_STATE}
    given["request"] = request
    return {name: value for name, value in given.items() if name in wanted}
