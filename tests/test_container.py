"""The container autowires use cases by field name."""

from dataclasses import dataclass, fields, is_dataclass
from typing import get_origin, get_type_hints

import pytest

from adapters.container import Container, autowire
from application.use_cases import UseCases

WIRED = {name: kind for name, kind in get_type_hints(UseCases).items() if name not in Container.explicit}


def test_most_use_cases_are_autowired() -> None:
    assert len(WIRED) > 45
    for name, use_case in WIRED.items():
        assert is_dataclass(use_case), name
        assert {field.name for field in fields(use_case)} <= Container.given.keys(), name


def test_explicit_wiring_is_used_only_where_needed() -> None:
    hints = get_type_hints(UseCases)
    for name in Container.explicit:
        asked = fields(get_origin(hints[name]) or hints[name])
        assert not {field.name for field in asked} <= Container.given.keys(), name


def test_a_missing_dependency_raises_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Unheard:
        begin: object
        telephone: object

    monkeypatch.setitem(UseCases.__annotations__, "unheard", Unheard)
    with pytest.raises(KeyError, match="telephone"):
        autowire(Container.given, Container.explicit)
