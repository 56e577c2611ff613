"""The container wires use cases by the types and names of their fields."""

from dataclasses import dataclass

import pytest

from adapters.wiring.container import Container, autowire
from application.use_cases.catalogue import AreaUseCases


def test_a_missing_dependency_raises_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Unheard:
        begin: object
        telephone: object

    monkeypatch.setitem(AreaUseCases.__annotations__, "unheard", Unheard)
    with pytest.raises(KeyError, match="telephone"):
        autowire(Container.providers)
