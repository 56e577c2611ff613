"""The decorators of routes that wait for something, such as the database: each call takes one turn in a thread.

Who calls is found out in that same turn, before anything else is done: a turn of its own, and the framework's way of
handing on what it brings, took as long as a list of products. A handler takes what it needs by name: ``use_cases`` and
``house``; ``actor`` or ``signed_in``, if it is not for everybody; ``sent``, what came with the request.
"""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import litestar
from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler

from adapters.http.body import arrived, sent_with
from adapters.http.identity import identify

Handler = Callable[..., Any]
Decorator = Callable[[Handler], HTTPRouteHandler]

_OURS = ("use_cases", "house")
_GIVEN = (*_OURS, "actor", "signed_in", "sent")
_REQUEST = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request[Any, Any, Any])


def get(path: str, **options: Any) -> Decorator:
    """What is read at that path."""
    return _route(litestar.get, path, options)


def post(path: str, **options: Any) -> Decorator:
    """What is made, or done, at that path."""
    return _route(litestar.post, path, options)


def put(path: str, **options: Any) -> Decorator:
    """What is changed at that path."""
    return _route(litestar.put, path, options)


def delete(path: str, **options: Any) -> Decorator:
    """What is deleted, or ended, at that path."""
    return _route(litestar.delete, path, options)


def _route(method: Callable[..., Any], path: str, options: dict[str, Any]) -> Decorator:
    return lambda handler: method(path, **options)(_in_one_turn(handler))


def _in_one_turn(handler: Handler) -> Handler:
    """The handler as the framework sees it: without what is given to it here."""
    signature = inspect.signature(handler)
    asked = {name: it for name, it in signature.parameters.items() if name not in (*_GIVEN, "request")}
    takes_body = "sent" in signature.parameters
    takes = frozenset(signature.parameters)

    @wraps(handler)
    async def call(request: Request[Any, Any, Any], **parameters: Any) -> Any:
        body: bytes | Exception = b""
        if takes_body:
            try:
                body = await arrived(request)
            except Exception as error:  # noqa: BLE001 told once it is known who sent it
                body = error
        return await sync_to_thread(partial(_take_turn, handler, takes, request, body, parameters))

    parameters = [_REQUEST, *(it.replace(kind=inspect.Parameter.KEYWORD_ONLY) for it in asked.values())]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {it.name: it.annotation for it in parameters} | {"return": signature.return_annotation}
    return call


def _take_turn(
    handler: Handler,
    takes: frozenset[str],
    request: Request[Any, Any, Any],
    body: bytes | Exception,
    given: dict[str, Any],
) -> Any:
    if "actor" in takes or "signed_in" in takes:
        signed_in = identify(request, request.app.state["use_cases"])
        if "actor" in takes:
            given["actor"] = signed_in.actor
        if "signed_in" in takes:
            given["signed_in"] = signed_in
    # Nobody learns anything about what they sent before it is known who they are.
    if isinstance(body, Exception):
        raise body
    if "sent" in takes:
        given["sent"] = sent_with(request, body)
    for name in _OURS:
        if name in takes:
            given[name] = request.app.state[name]
    if "request" in takes:
        given["request"] = request
    return handler(**given)
