"""Reading numbers as people and programs write them."""

from decimal import Decimal

import pytest

from application.imports.reading.numbers import DecimalMark, currency_marks, is_unclear, read_number, told_mark

POINT, COMMA = DecimalMark.POINT, DecimalMark.COMMA


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("7", "7", "7"),
        ("0", "0", "0"),
        ("1141.40", "1141.40", None),
        ("1141,40", None, "1141.40"),
        ("1,512.00", "1512.00", None),
        ("1.512,00", None, "1512.00"),
        ("$1,512.00", "1512.00", None),
        ("$ 1.512,00", None, "1512.00"),
        ("1.512,00 €", None, "1512.00"),
        ("US$ 1,512.00", "1512.00", None),
        ("MXN 1,512.00", "1512.00", None),
        ("1,512.00 USD", "1512.00", None),
        ("S/ 12.50", "12.50", None),
        ("Bs. 12,50", None, "12.50"),
        ("1 512,00", None, "1512.00"),
        ("1\N{NO-BREAK SPACE}512\N{NO-BREAK SPACE}600,00", None, "1512600.00"),
        ("1'512.00", "1512.00", None),
        ("1’512.00", "1512.00", None),
        ("999,999,999,999.99", "999999999999.99", None),
        ("1.234", "1.234", "1234"),
        ("1,234", "1234", "1.234"),
        ("1,234,567", "1234567", None),
        ("1.234.567", None, "1234567"),
        ("0.125", "0.125", None),
        ("0,125", None, "0.125"),
        ("1234.567", "1234.567", None),
        (".5", "0.5", None),
        (",5", None, "0.5"),
        ("-3.5", "-3.5", None),
        ("3.5-", "-3.5", None),
        ("\N{MINUS SIGN}3.5", "-3.5", None),
        ("(1,234.50)", "-1234.50", None),
        ("-$5.25", "-5.25", None),
        ("$-5.25", "-5.25", None),
        ("+5.25", "5.25", None),
        ("1,5", None, "1.5"),
        ("1,14.40", None, None),
        ("12,3456.00", None, None),
        ("1e5", None, None),
        ("Infinity", None, None),
        ("NaN", None, None),
        ("0x10", None, None),
        ("12 cm", None, None),
        ("1/2", None, None),
        ("16%", None, None),
        ("--5", None, None),
        ("-(5)", None, None),
        ("٣", None, None),
        ("", None, None),
        (".", None, None),
        ("$", None, None),
        ("9" * 61, None, None),
    ],
)
def test_a_number_is_read_with_each_decimal_mark(text: str, point: str | None, comma: str | None) -> None:
    assert read_number(text, POINT) == (point and Decimal(point))
    assert read_number(text, COMMA) == (comma and Decimal(comma))


@pytest.mark.parametrize(
    ("text", "mark"),
    [("1,512.00", POINT), ("1.512,00", COMMA), ("0.125", POINT), ("1,234,567", POINT), ("1234,567", COMMA)]
    + [(text, None) for text in ("1.234", "1,234", "1234", "$ 1.234", "x", "")],
)
def test_some_numbers_reveal_the_decimal_mark(text: str, mark: DecimalMark | None) -> None:
    assert told_mark(text) is mark


def test_a_single_mark_before_three_digits_is_ambiguous() -> None:
    assert [text for text in ("1.234", "12,345", "$ 999.999", "(1.234)") if not is_unclear(text)] == []
    clear = ("0.123", "1234.567", "1.23", "1,2345", "1.234.567", "1234", "x")
    assert [text for text in clear if is_unclear(text)] == []


def test_currency_marks_are_found() -> None:
    texts = ("$5", "5,00 €", "MXN 1", "$ 5 M.N.", "5", "Gasa", "Gasa $")
    assert [currency_marks(text) for text in texts] == [["$"], ["€"], ["MXN"], ["$", "M.N."], [], [], []]
