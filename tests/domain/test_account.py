"""A family's account: what lines are called, added up, and compared."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.sheets.account import (
    AccountLine,
    DifferenceKind,
    account_days,
    account_kinds,
    account_returns,
    compare_accounts,
)

D = Decimal
DAY = date(2026, 11, 3)

CENTS = st.integers(0, 99_999).map(lambda cents: D(cents) / 100)
THOUSANDTHS = st.integers(0, 9_999).map(lambda parts: D(parts) / 1000)


def a_line(number: int, **particulars: Any) -> AccountLine:
    usual: dict[str, Any] = {
        "product_id": 1, "day": DAY, "category": "Curación", "plain_name": "Gasas", "quantity": D(2), "returned": D(0),
        "total": D("1.50"), "wasted": False, "included": False,
    }  # fmt: skip
    return AccountLine(id=number, **{**usual, **particulars})


@st.composite
def some_lines(draw: st.DrawFn) -> list[AccountLine]:
    """Draw the lines of a document; two documents share numbers of lines."""
    lines = []
    for number in draw(st.sets(st.integers(1, 12))):
        product_id = draw(st.integers(1, 4))
        lines.append(
            a_line(
                number,
                product_id=product_id,
                day=DAY + timedelta(days=draw(st.integers(0, 1))),
                category=f"Clase {product_id % 2}",
                plain_name=draw(st.sampled_from([None, "Gasas", "Vendas"])),
                quantity=draw(THOUSANDTHS),
                returned=draw(THOUSANDTHS),
                total=draw(CENTS),
                wasted=draw(st.booleans()),
                included=draw(st.booleans()),
                corrected_from=draw(st.none() | THOUSANDTHS),
            )
        )
    return lines


@given(some_lines(), some_lines(), st.sets(st.integers(1, 12)))
def test_differences_add_up_to_the_cent(then: list[AccountLine], now: list[AccountLine], voided: set[int]) -> None:
    differences = compare_accounts(then, now, voided)
    total = sum((line.total for line in now), D(0)) - sum((line.total for line in then), D(0))
    assert sum((one.amount for one in differences), D(0)) == total
    assert compare_accounts(now, now, voided) == []


@given(some_lines(), st.booleans())
def test_rows_days_and_kinds_add_up_to_the_total(lines: list[AccountLine], with_prices: bool) -> None:
    days = account_days(lines, with_prices=with_prices)
    total = sum((line.total for line in lines if with_prices or line.quantity), D(0))
    assert sum((day.total for day in days), D(0)) == total
    assert sum((kind.total for kind in account_kinds(lines, with_prices=with_prices)), D(0)) == total
    for day in days:
        assert (
            day.total == sum((item.total for item in day.items), D(0)) == sum((kind.total for kind in day.kinds), D(0))
        )
        assert len({(item.words, item.wasted, item.included) for item in day.items}) == len(day.items)
        assert with_prices or not any(item.included for item in day.items)


def test_a_category_counts_its_products() -> None:
    metres, pieces = (a_line(one, product_id=one, plain_name=None, quantity=D(7)) for one in (1, 2))
    [day] = account_days([metres, pieces, replace(metres, id=3)], with_prices=True)
    [item] = day.items
    assert (item.words.name, item.words.is_category, item.quantity) == ("Curación", True, D(2))


def test_what_came_back_whole_is_only_returned() -> None:
    line = a_line(1, quantity=D(0), returned=D(3), total=D(0))
    assert account_days([line], with_prices=True) == []
    assert [(one.words.name, one.quantity) for one in account_returns([line])] == [("Gasas", D(3))]


def test_two_corrections_of_a_line_are_one() -> None:
    last = a_line(3, quantity=D(5), total=D("3.75"), corrected_from=D(4))
    [one] = compare_accounts([a_line(1)], [last], {1})
    assert (one.kind, one.quantity, one.amount) == (DifferenceKind.CORRECTED, D(3), D("2.25"))


def test_a_part_that_was_thrown_away_is_told_once() -> None:
    rest, part = a_line(1, quantity=D(1), total=D("0.75")), a_line(2, quantity=D(1), total=D(0), wasted=True)
    [one] = compare_accounts([a_line(1)], [rest, part], set())
    assert (one.kind, one.quantity, one.amount) == (DifferenceKind.WASTED, D(1), D("-0.75"))


def test_a_second_return_counts_only_the_difference() -> None:
    then, now = a_line(1, returned=D(1)), a_line(1, quantity=D(0), returned=D(3), total=D(0))
    [one] = compare_accounts([then], [now], set())
    assert (one.kind, one.quantity, one.amount) == (DifferenceKind.RETURNED, D(2), D("-1.50"))


def test_another_product_in_a_line_is_less_and_more() -> None:
    now = a_line(1, product_id=2, plain_name="Vendas", total=D("4.00"))
    told = [(one.words.name, one.quantity, one.amount) for one in compare_accounts([a_line(1)], [now], set())]
    assert told == [("Gasas", D(-2), D("-1.50")), ("Vendas", D(2), D("4.00"))]


@given(some_lines(), st.lists(CENTS, min_size=12, max_size=12))
def test_without_prices_nothing_depends_on_an_amount(lines: list[AccountLine], totals: list[Decimal]) -> None:
    def shown(those: list[AccountLine]) -> list[object]:
        days = account_days(those, with_prices=False)
        kinds = account_kinds(those, with_prices=False)
        rows = [[(item.words, item.quantity, item.wasted, item.included) for item in day.items] for day in days]
        return [[day.day for day in days], rows, [(kind.name, kind.products) for kind in kinds]]

    others = [replace(line, total=total) for line, total in zip(lines, totals, strict=False)]
    assert shown(lines) == shown(others)


def test_an_amount_alone_is_only_shown_with_prices() -> None:
    lines = [a_line(1, quantity=D(0))]
    assert account_days(lines, with_prices=False) == []
    assert account_kinds(lines, with_prices=False) == []
    assert [day.total for day in account_days(lines, with_prices=True)] == [D("1.50")]
