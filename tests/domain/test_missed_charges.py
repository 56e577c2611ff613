"""Association rules: which pairs are learned, and what is asked."""

from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from domain.sheets import missed_charges
from domain.sheets.missed_charges import (
    MAX_MEAN_QUESTIONS,
    MAX_PAIRS,
    MIN_SUPPORT,
    ProductPair,
    choose_questions,
    learn_pairs,
    next_learning,
)
from tests.closed_sheets import find_missing, generate_sheets

A, B, C, GLOVES = 1, 2, 3, 9


def pair(because: int, product: int, together: int = 95, **others: int) -> ProductPair:
    return ProductPair(because_id=because, product_id=product, sheets=100, together=together, **others)


def learned(*sheets: tuple[int, set[int]]) -> list[tuple[int, int]]:
    """Learn from sheets, given by how many have these products."""
    found = learn_pairs([products for count, products in sheets for _ in range(count)])
    return sorted((one.because_id, one.product_id) for one in found)


@pytest.mark.parametrize(
    ("sheets", "pairs"),
    [
        ([(MIN_SUPPORT, {A, B}), (100, {C})], [(A, B), (B, A)]),
        # Support: one sheet less.
        ([(MIN_SUPPORT - 1, {A, B}), (100, {C})], []),
        # Confidence: 80 % and less.
        ([(80, {A, B}), (20, {A}), (400, {C})], [(A, B), (B, A)]),
        ([(80, {A, B}), (21, {A}), (400, {C})], [(B, A)]),
        # Lift: gloves are on most sheets anyway.
        ([(100, {A, GLOVES}), (500, {C, GLOVES}), (20, {C})], []),
        ([(100, {A, GLOVES}), (100, {C})], [(A, GLOVES), (GLOVES, A)]),
        ([], []),
    ],
)
def test_pairs_need_support_confidence_and_lift(
    sheets: list[tuple[int, set[int]]], pairs: list[tuple[int, int]]
) -> None:
    assert learned(*sheets) == pairs


def test_pairs_raise_few_questions_on_average() -> None:
    # Of each ten sheets with an even product, one lacks the odd one: 0.4 questions a sheet.
    sheets = [
        {product for first in (2, 4, 6, 8) for product in ((first,) if number % 10 == first else (first, first + 1))}
        for number in range(400)
    ]
    sheets += [set() for _ in range(200)]
    found = learn_pairs(sheets)
    asked = sum(len(choose_questions(found, used=products, answers={})) for products in sheets)
    assert 0.9 * MAX_MEAN_QUESTIONS * len(sheets) > asked > 0.6 * MAX_MEAN_QUESTIONS * len(sheets)


def test_pairs_and_products_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = [set(range(60))] * MIN_SUPPORT + [set()] * MIN_SUPPORT
    assert len(learn_pairs(everything)) == MAX_PAIRS
    monkeypatch.setattr(missed_charges, "MAX_PRODUCTS", 10)
    assert len(learn_pairs(everything)) == 10 * 9


def test_a_missing_product_is_asked_once_by_certainty() -> None:
    pairs = [pair(A, C, 90), pair(B, C, 97), pair(A, 4, 95), pair(A, 5, 96), pair(A, 6, 91), pair(7, 8)]
    questions = choose_questions(pairs, used={A, B}, answers={})
    assert [(one.because_id, one.product_id) for one in questions] == [(B, C), (A, 5), (A, 4)]


def test_denied_and_forgotten_pairs_are_not_asked() -> None:
    pairs = [
        pair(A, B, denials=20),
        pair(A, C, denials=19),
        ProductPair(because_id=A, product_id=4, sheets=0, together=0),
    ]
    assert [one.product_id for one in choose_questions(pairs, used={A}, answers={})] == [C]
    assert choose_questions(pairs, used={A}, answers={C: False}) == []


def test_missing_lines_are_found_with_few_false_questions() -> None:
    found = find_missing(generate_sheets(2_000, missing=200))
    assert found.found >= 0.8
    assert found.false_questions <= 0.2
    assert found.max_questions <= 3


def test_the_next_learning_is_at_three_at_night() -> None:
    zone = ZoneInfo("America/Mexico_City")
    nights = [datetime(2026, 11, day, 9, tzinfo=UTC) for day in (26, 27, 28)]
    for night, following in pairwise(nights):
        assert next_learning(night, zone) == following
    assert next_learning(datetime(2026, 11, 26, 8, 59, tzinfo=UTC), zone) == nights[0]
