"""Use cases as dependencies of handlers: ``create_area: Use[CreateArea]``."""

import re
from typing import Any, TypeAlias, TypeVar, get_type_hints

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from adapters.http.requests.request import ApiRequest
from application.use_cases import UseCases

UseCase = TypeVar("UseCase")

Use: TypeAlias = NamedDependency[SkipValidation[UseCase]]
"""A use case that a handler calls. The parameter is named like the class."""


def provide_use_cases() -> dict[str, Provide]:
    """Return a provider for each use case, by the name of its class."""
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "_", use_case.__name__).lower(): _provide(group, name)
        for group, kind in get_type_hints(UseCases).items()
        for name, use_case in get_type_hints(kind).items()
    }


def _provide(group: str, name: str) -> Provide:
    async def provide(request: ApiRequest) -> Any:
        return getattr(getattr(request.use_cases, group), name)

    return Provide(provide)
