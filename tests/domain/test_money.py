"""Money and quantities: exact cents, rounding half up, limits."""

import decimal
from decimal import Decimal
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.common.errors import Code, Refused
from domain.common.money import MAX_PRICE, MAX_QUANTITY, line_total, to_cents
from domain.common.validation import Validator

D = Decimal


def half_up(exact: Fraction) -> Fraction:
    """Round half up to cents, with fractions instead of decimals."""
    return Fraction(floor(exact * 100 + Fraction(1, 2)), 100)


@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        ("0", "0.00"),
        ("1", "1.00"),
        ("0.004", "0.00"),
        ("0.005", "0.01"),
        ("0.015", "0.02"),
        ("0.025", "0.03"),
        ("0.0049999999999999999999999999999999999999", "0.00"),
        ("2.675", "2.68"),
        ("1e2", "100.00"),
        ("999999999999.994", "999999999999.99"),
    ],
)
def test_money_is_rounded_half_up_to_the_cent(amount: str, cents: str) -> None:
    assert str(to_cents(D(amount))) == cents


@pytest.mark.parametrize(
    ("price", "quantity", "total"),
    [
        ("0.01", "0.5", "0.01"),
        ("0.01", "0.499", "0.00"),
        ("1.01", "0.5", "0.51"),
        ("3.33", "3", "9.99"),
        ("999999.99", "999999.999", "999999989000.00"),
        ("999999999999.99", "999999.999", "999999998999990000.00"),
        ("12.50", "0", "0.00"),
    ],
)
def test_a_line_total_is_price_times_quantity_in_cents(price: str, quantity: str, total: str) -> None:
    assert str(line_total(D(price), D(quantity))) == total


@given(st.decimals(0, MAX_PRICE, places=2), st.decimals(0, MAX_QUANTITY, places=3))
@settings(max_examples=300)
def test_a_line_total_is_exact(price: Decimal, quantity: Decimal) -> None:
    assert Fraction(line_total(price, quantity)) == half_up(Fraction(price) * Fraction(quantity))


def test_totals_do_not_depend_on_the_callers_decimal_context() -> None:
    with decimal.localcontext() as context:
        context.prec, context.rounding = 3, decimal.ROUND_DOWN
        assert line_total(D("999999.99"), D("1234.565")) == D("1234564987.65")


# --- input -----------------------------------------------------------------------------------------------------------


def refusal_of_money(value: Decimal | None) -> Code | None:
    checks = Validator()
    checks.price("price", value)
    return code_of(checks)


def refusal_of_quantity(value: Decimal | None) -> Code | None:
    checks = Validator()
    checks.quantity("quantity", value)
    return code_of(checks)


def code_of(checks: Validator) -> Code | None:
    try:
        checks.raise_if_invalid()
    except Refused as refused:
        (reason,) = refused.reasons
        return reason.code
    return None


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, Code.REQUIRED),
        ("NaN", Code.NUMBER_EXPECTED),
        ("sNaN", Code.NUMBER_EXPECTED),
        ("Infinity", Code.NUMBER_EXPECTED),
        ("-Infinity", Code.NUMBER_EXPECTED),
        ("-0.01", Code.NEGATIVE),
        ("-0.001", Code.NEGATIVE),
        ("0", None),
        ("0.001", None),
        ("999999999.99", None),
        ("999999999.994", None),
        ("999999999.995", Code.MONEY_TOO_LARGE),
        ("1000000000", Code.MONEY_TOO_LARGE),
        ("1e999999", Code.MONEY_TOO_LARGE),
        ("1e-999999", None),
    ],
)
def test_a_price_is_between_0_and_999_999_999_99(value: str | None, code: Code | None) -> None:
    assert refusal_of_money(None if value is None else D(value)) is code


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, Code.REQUIRED),
        ("NaN", Code.NUMBER_EXPECTED),
        ("Infinity", Code.NUMBER_EXPECTED),
        ("-0.001", Code.NEGATIVE),
        ("0", None),
        ("0.001", None),
        ("0.0010", None),
        ("1.5000000000000000000000000000000000000000000000", None),
        ("0.0001", Code.QUANTITY_TOO_FINE),
        ("1.0005", Code.QUANTITY_TOO_FINE),
        ("1e-999999", Code.QUANTITY_TOO_FINE),
        ("9999.999", None),
        ("9999.9991", Code.QUANTITY_TOO_LARGE),
        ("10000", Code.QUANTITY_TOO_LARGE),
        ("1e999999", Code.QUANTITY_TOO_LARGE),
    ],
)
def test_a_quantity_is_between_0_and_9_999_999_with_3_decimals(value: str | None, code: Code | None) -> None:
    assert refusal_of_quantity(None if value is None else D(value)) is code


def test_an_entered_price_is_rounded_to_cents() -> None:
    assert str(Validator().price("price", D("1.005"))) == "1.01"


def test_an_entered_quantity_has_three_decimals() -> None:
    assert str(Validator().quantity("quantity", D("2.5"))) == "2.500"
