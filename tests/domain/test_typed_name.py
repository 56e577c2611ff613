"""Typed names: which are noted, proposed or dropped."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from domain.catalogue.product import Product
from domain.catalogue.typed_name import (
    MAX_TYPED_NAMES,
    MIN_TIMES,
    TypedName,
    in_order,
    is_found_by,
    surplus,
    typed_name,
)

NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
SALINE = Product(
    name="Solución salina 0.9 %", code="SO-0900", price=Decimal(1), category_id=1, also_called=("Fisio-lógico",)
)
TYPED = TypedName(product_id=1, name="suero", times=MIN_TIMES, last_at=NOW)


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("  SUERO ", "suero"),
        ("Ringer-Láctato", "ringerlactato"),
        ("10 × 10", None),
        ("abc", "abc"),
        ("ab", None),
        ("x" * 40, "x" * 40),
        ("x" * 41, None),
        ("1042331", None),
        ("EXP-2026-0013", None),
        ("sonda 18 fr", "sonda 18 fr"),
        ("---", None),
    ],
)
def test_a_name_is_noted_in_folded_form(text: str, noted: str | None) -> None:
    assert typed_name(text) == noted


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("solucion", True),
        ("salina SOLUCIÓN", True),
        ("fisiologico", True),
        ("salina fisiologico", True),
        ("so0900", True),
        ("so-09", True),
        ("suero", False),
        ("suero salina", False),
        ("%%%", False),
    ],
)
def test_a_product_is_found_by_its_names_and_code(text: str, found: bool) -> None:
    assert is_found_by(SALINE, text) is found


def test_a_text_is_proposed_unless_rare_dismissed_or_known() -> None:
    assert TYPED.is_proposed_for(SALINE)
    assert not replace(TYPED, times=MIN_TIMES - 1).is_proposed_for(SALINE)
    assert not replace(TYPED, dismissed=True).is_proposed_for(SALINE)
    assert not TYPED.is_proposed_for(replace(SALINE, also_called=("Suero",)))


def test_the_oldest_of_the_rarest_texts_is_dropped_first() -> None:
    full = [
        TypedName(id=number, product_id=1, name=f"n{number}", times=2, last_at=NOW + timedelta(days=number))
        for number in range(MAX_TYPED_NAMES)
    ]
    assert surplus(full[1:]) == []
    assert [one.id for one in surplus(full)] == [0]
    rarest = replace(full[7], times=1)
    assert surplus([*full[:7], rarest, *full[8:]]) == [rarest]
    assert [one.id for one in surplus([replace(full[0], dismissed=True), *full[1:]])] == [1]
    assert [one.id for one in in_order(full)][:2] == [49, 48]
