"""Litestar's route decorators, for handlers that name their use cases.

``create_area: Use[CreateArea]`` is a parameter with the use case.

The use cases are bound when a controller is declared. As dependencies of a request, two of them cost up to a third of
the processor time of a short call, because Litestar resolves several in a task group.
"""

from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, iscoroutinefunction, signature
from operator import attrgetter
from typing import Annotated, Any, ParamSpec, TypeAlias, TypeVar, get_args, get_type_hints

import litestar
from litestar.handlers import HTTPRouteHandler

from adapters.http.requests.request import ApiRequest
from application.use_cases import UseCases

UseCase = TypeVar("UseCase")
Options = ParamSpec("Options")
Handler = Callable[..., Any]


# Marks a parameter that is a use case.
_USED = object()

Use: TypeAlias = Annotated[UseCase, _USED]
"""A use case that a handler calls."""


@cache
def _places() -> dict[type, str]:
    """Return where each use case is in ``UseCases``, such as ``areas.create``."""
    return {
        use_case: f"{group}.{name}"
        for group, kind in get_type_hints(UseCases).items()
        for name, use_case in get_type_hints(kind).items()
    }


def bind_use_cases(handler: Handler) -> Handler:
    """Return the handler as Litestar calls it: without its use cases."""
    used: dict[str, Callable[[UseCases], Any]] = {
        name: attrgetter(_places()[get_args(hint)[0]])
        for name, hint in handler.__annotations__.items()
        if _USED in getattr(hint, "__metadata__", ())
    }
    if not used:
        return handler
    declared = signature(handler)
    asks_request = "request" in declared.parameters
    kept = [one for name, one in declared.parameters.items() if name not in used]
    if not asks_request:
        kept.insert(1, Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=ApiRequest))

    def arguments(named: dict[str, Any]) -> dict[str, Any]:
        use_cases = (named["request"] if asks_request else named.pop("request")).use_cases
        return named | {name: find(use_cases) for name, find in used.items()}

    if iscoroutinefunction(handler):

        @wraps(handler)
        async def call(controller: Any, **named: Any) -> Any:
            return await handler(controller, **arguments(named))
    else:

        @wraps(handler)
        def call(controller: Any, **named: Any) -> Any:
            return handler(controller, **arguments(named))

    call.__signature__ = declared.replace(parameters=kept)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in kept[1:]} | {"return": declared.return_annotation}
    return call


def _binding(route: Callable[Options, HTTPRouteHandler]) -> Callable[Options, Callable[[Handler], HTTPRouteHandler]]:
    @wraps(route)
    def declare(*given: Options.args, **named: Options.kwargs) -> Callable[[Handler], HTTPRouteHandler]:
        handle = route(*given, **named)
        return lambda handler: handle(bind_use_cases(handler))

    return declare


delete = _binding(litestar.delete)
get = _binding(litestar.get)
patch = _binding(litestar.patch)
post = _binding(litestar.post)
put = _binding(litestar.put)
