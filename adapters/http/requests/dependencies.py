"""Use cases as dependencies of handlers: ``create_area: Use[CreateArea]``."""

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, get_type_hints

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from adapters.http.requests.request import ApiRequest
from application.use_cases import UseCases

UseCase = TypeVar("UseCase")

Use: TypeAlias = NamedDependency[SkipValidation[UseCase]]
"""A use case that a handler calls. The parameter is named like the class."""


# The place of each use case in ``UseCases``.
_PLACES: dict[type, Callable[[UseCases], Any]] = {
    use_case: attrgetter(f"{group}.{name}")
    for group, kind in get_type_hints(UseCases).items()
    for name, use_case in get_type_hints(kind).items()
}


def provide_use_cases() -> dict[str, Provide]:
    """Return a provider for each use case, by the name of its class."""
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "_", use_case.__name__).lower(): provide_use_case(use_case) for use_case in _PLACES
    }


def provide_use_case(use_case: type) -> Provide:
    """Return the provider of a use case."""
    place = _PLACES[use_case]

    async def provide(request: ApiRequest) -> Any:
        return place(request.use_cases)

    return Provide(provide)
