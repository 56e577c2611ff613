"""The container autowires use cases by field name."""

from dataclasses import dataclass, fields
from typing import get_origin, get_type_hints

import pytest

from adapters.container import Container, autowire
from application.use_cases import AreaUseCases, UseCases

USE_CASES = {
    f"{group}.{name}": use_case
    for group, kind in get_type_hints(UseCases).items()
    for name, use_case in get_type_hints(kind).items()
}


def is_autowired(use_case: type) -> bool:
    """Whether the values for all fields are known by name."""
    return {field.name for field in fields(get_origin(use_case) or use_case)} <= Container.given.keys()


def test_most_use_cases_are_autowired() -> None:
    wired = {name: use_case for name, use_case in USE_CASES.items() if name not in Container.explicit}
    assert len(wired) > 90
    assert [name for name, use_case in wired.items() if not is_autowired(use_case)] == []


def test_explicit_wiring_is_used_only_where_needed() -> None:
    assert Container.explicit.keys() <= USE_CASES.keys()
    # It has fields by known names, whose values are others there.
    assert [name for name in Container.explicit if is_autowired(USE_CASES[name])] == [
        "session.list",
        "badges.list",
    ]


def test_a_missing_dependency_raises_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Unheard:
        begin: object
        telephone: object

    monkeypatch.setitem(AreaUseCases.__annotations__, "unheard", Unheard)
    with pytest.raises(KeyError, match="telephone"):
        autowire(Container.given, Container.explicit)
