"""Cell values of workbooks in XML: numbers, moments and times of day."""

import re
from datetime import datetime, timedelta
from decimal import Context, Decimal, InvalidOperation

from adapters.spreadsheets.limits import refusal
from application.imports.reading.cells import CellError, FormattedNumber
from application.imports.reading.numbers import DecimalMark, read_number
from domain.common.errors import Code

# A float's digits after the fifteenth are noise, and spreadsheets do not show them.
_FIFTEEN_DIGITS = Context(prec=15)
_MAX_EXPONENT = 30
_WITH_ZEROS = re.compile(r"0\d+", re.ASCII)


def number_of(text: str, line: int) -> Decimal | CellError:
    """Return the number; a ``CellError`` if it is out of range.

    Raise ``Refused`` if the text is no number.
    """
    try:
        number = _FIFTEEN_DIGITS.create_decimal(text)
    except ArithmeticError as error:
        if not isinstance(error, InvalidOperation):
            return CellError(text[:_MAX_EXPONENT])
        raise refusal(Code.FILE_DAMAGED, line=line) from None
    if not number.is_finite() or abs(number.adjusted()) > _MAX_EXPONENT:
        return CellError(text[:_MAX_EXPONENT])
    if "." not in text:
        return number
    # Programs write floats with trailing zeros: 12.0 is shown as 12.
    whole = number.to_integral_value()
    return whole if whole == number else number.normalize()


def moment_of(text: str) -> datetime:
    """Parse a moment to the second, without its time zone.

    Raise ``ValueError``.
    """
    return to_the_second(datetime.fromisoformat(text).replace(tzinfo=None))


def to_the_second(moment: datetime) -> datetime:
    """Round a moment to the second: computing with days leaves fractions."""
    return (moment + timedelta(milliseconds=500)).replace(microsecond=0)


def time_of_day(seconds: float) -> str:
    """Return a time of day as a text."""
    whole = round(seconds)
    return f"{whole // 3_600:02}:{whole // 60 % 60:02}"


def as_shown(number: Decimal, text: str) -> str | Decimal | FormattedNumber:
    """Return the number, with the cell's shown text if it differs."""
    text = text.strip()
    if not text or text == f"{number:f}":
        return number
    if _WITH_ZEROS.fullmatch(text) and Decimal(text) == number:
        # Leading zeros mean that it is a code.
        return text
    return FormattedNumber(number, text, is_literal=_is_literal(number, text))


def _is_literal(number: Decimal, text: str) -> bool:
    """Return whether the text is the number with characters between digits.

    Amounts, percentages and decimals are not literal.
    """
    digits = "".join(filter(str.isdecimal, text)).lstrip("0")
    is_amount = any(read_number(text, mark) is not None for mark in DecimalMark)
    return digits == f"{abs(number):f}".lstrip("0") and digits != "" and not is_amount and "%" not in text
