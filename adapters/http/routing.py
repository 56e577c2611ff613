"""The decorators of routes that wait for something, such as the database: each call takes one turn in a thread.

Who calls, and whether they may, is settled in that same turn, before anything else is done: a turn of its own, and the
framework's way of handing on what it brings, took as long as a list of products. A handler takes what it needs by name:
``use_cases`` and ``hospital``; ``actor`` or ``signed_in``, if it is not for everybody; ``body``, the JSON that came
with it, or ``form``, the bytes of a form.

Whoever takes an ``actor`` names in ``may`` what that takes. The use case asks for it again, whoever calls it; here it
is asked so early that nobody who may not call learns anything about what they sent.
"""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import litestar
from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler

from adapters.http.authentication import RequiredPermission, authenticate, note_use, told_once_authenticated
from adapters.http.body import arrived, parse_json_body
from adapters.http.client_address import client_address
from adapters.http.fair_threads import FairThreads
from adapters.http.heavy_work import HEAVY_WORK
from adapters.http.lists import requested_format

Handler = Callable[..., Any]
Decorator = Callable[[Handler], HTTPRouteHandler]

# Each hash takes a core for a tenth of a second and 19 MiB: requests that hash have threads of their own. An address
# that sends many delays its own requests, and others by no more than the hashes that are being made.
HASHING = FairThreads(2, "hashing")

_OURS = ("use_cases", "hospital")
_GIVEN = (*_OURS, "actor", "signed_in", "body", "form")
_REQUEST = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request[Any, Any, Any])


def get(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """What is read at that path."""
    return _route(litestar.get, path, may, options)


def post(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """What is made, or done, at that path."""
    return _route(litestar.post, path, may, options)


def put(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """What is changed at that path."""
    return _route(litestar.put, path, may, options)


def delete(path: str, *, may: RequiredPermission = None, **options: Any) -> Decorator:
    """What is deleted, or ended, at that path."""
    return _route(litestar.delete, path, may, options)


def _route(method: Callable[..., Any], path: str, may: RequiredPermission, options: dict[str, Any]) -> Decorator:
    """A call that ``hashes`` passwords takes its address's turn in the threads for that; one that is ``heavy``, and
    each that asks for a file, among the heavy work; all others in the threads of requests.
    """
    hashes = options.pop("hashes", False)
    heavy = options.pop("heavy", False)

    def decorate(handler: Handler) -> HTTPRouteHandler:
        wanted = frozenset(inspect.signature(handler).parameters)
        who = wanted & {"actor", "signed_in"}
        if ("actor" in who and may is None) or (may is not None and not who):
            raise TypeError(f"{handler.__name__}: who takes an actor names what that takes, and nobody else does")
        if who:
            options["exception_handlers"] = {Exception: partial(told_once_authenticated, may)}
            options["after_response"] = note_use
        options["opt"] = {**options.get("opt", {}), "may": may}
        route: HTTPRouteHandler = method(path, **options)(_called(handler, wanted, may, hashes=hashes, heavy=heavy))
        return route

    return decorate


def _called(handler: Handler, wanted: frozenset[str], may: RequiredPermission, *, hashes: bool, heavy: bool) -> Handler:
    """The handler as the framework sees it: without what is given to it here."""
    signature = inspect.signature(handler)
    asked = [it for name, it in signature.parameters.items() if name not in (*_GIVEN, "request")]

    @wraps(handler)
    async def call(request: Request[Any, Any, Any], **parameters: Any) -> Any:
        body: bytes | Exception = b""
        if wanted & {"body", "form"}:
            try:
                body = await arrived(request)
            except Exception as error:  # noqa: BLE001 told once it is settled who sent it
                body = error
        waits_itself = inspect.iscoroutinefunction(handler)
        if waits_itself or heavy or (request.method == "GET" and requested_format(request)):
            # Who may not call is told so before anything else is waited for.
            given = await sync_to_thread(partial(_given, wanted, may, request, body))
            work = partial(handler, **given, **parameters)
            return await (work() if waits_itself else HEAVY_WORK.done(work))

        def take_turn() -> Any:
            return handler(**_given(wanted, may, request, body), **parameters)

        if hashes:
            return await HASHING.run(client_address(request), take_turn)
        return await sync_to_thread(take_turn)

    seen = [_REQUEST, *(it.replace(kind=inspect.Parameter.KEYWORD_ONLY) for it in asked)]
    call.__signature__ = signature.replace(parameters=seen)  # type: ignore[attr-defined]
    call.__annotations__ = {it.name: it.annotation for it in seen} | {"return": signature.return_annotation}
    return call


def _given(
    wanted: frozenset[str], may: RequiredPermission, request: Request[Any, Any, Any], body: bytes | Exception
) -> dict[str, Any]:
    """What the handler takes of what is given here."""
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
    given |= {name: request.app.state[name] for name in _OURS}
    given["request"] = request
    return {name: value for name, value in given.items() if name in wanted}
