"""What workbooks know of their cells, as it is kept in XML: numbers, moments and times of the day."""

import re
from datetime import datetime, timedelta
from decimal import Context, Decimal, InvalidOperation

from adapters.spreadsheets.limits import refusal
from application.imports.reading.cells import CellError, FormattedNumber
from application.imports.reading.numbers import DecimalMark, read_number
from domain.errors import Code

# A float's digits beyond the fifteenth are chance, and spreadsheets show none of them.
_FIFTEEN_DIGITS = Context(prec=15)
_MAX_EXPONENT = 30
_WITH_ZEROS = re.compile(r"0\d+", re.ASCII)


def number_of(text: str, line: int) -> Decimal | CellError:
    """The number; an error for one that no list has. Raise ``Refused`` for what is none."""
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
    # Zeros behind the point are how programs write floats: 12.0 is shown as 12.
    whole = number.to_integral_value()
    return whole if whole == number else number.normalize()


def moment_of(text: str) -> datetime:
    """The moment, to the second, without its time zone. Raise ``ValueError`` for what is none."""
    return to_the_second(datetime.fromisoformat(text).replace(tzinfo=None))


def to_the_second(moment: datetime) -> datetime:
    """The moment without the fractions that reckoning with days leaves."""
    return (moment + timedelta(milliseconds=500)).replace(microsecond=0)


def time_of_day(seconds: float) -> str:
    """A time without a day, as a text."""
    whole = round(seconds)
    return f"{whole // 3_600:02}:{whole // 60 % 60:02}"


def as_shown(number: Decimal, text: str) -> str | Decimal | FormattedNumber:
    """The number, with the text that the cell shows where that is something else."""
    text = text.strip()
    if not text or text == f"{number:f}":
        return number
    if _WITH_ZEROS.fullmatch(text) and Decimal(text) == number:
        # Zeros before it belong to a code.
        return text
    return FormattedNumber(number, text, is_literal=_is_literal(number, text))


def _is_literal(number: Decimal, text: str) -> bool:
    """Whether it is all of the number with other characters between its digits, and no amount, share or decimals."""
    digits = "".join(filter(str.isdecimal, text)).lstrip("0")
    is_amount = any(read_number(text, mark) is not None for mark in DecimalMark)
    return digits == f"{abs(number):f}".lstrip("0") and digits != "" and not is_amount and "%" not in text
