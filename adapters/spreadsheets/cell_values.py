"""What workbooks know of their cells, as it is kept in XML: numbers, moments and times of the day."""

from datetime import datetime, timedelta
from decimal import Context, Decimal, InvalidOperation

from adapters.spreadsheets.limits import refusal
from application.imports.reading.cells import Fault
from domain.refusal import Code

# A float's digits beyond the fifteenth are chance, and spreadsheets show none of them.
_FIFTEEN_DIGITS = Context(prec=15)
_LARGEST_EXPONENT = 30
# A format fills up a number to a few digits, not to a million.
MOST_DIGITS = 60


def number_of(text: str, line: int) -> Decimal | Fault:
    """The number; an error for one that no list has. Raise ``Refused`` for what is none."""
    try:
        number = _FIFTEEN_DIGITS.create_decimal(text)
    except ArithmeticError as error:
        if not isinstance(error, InvalidOperation):
            return Fault(text[:_LARGEST_EXPONENT])
        raise refusal(Code.FILE_DAMAGED, line=line) from None
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        return Fault(text[:_LARGEST_EXPONENT])
    return number


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


def filled_up(number: Decimal, digits: int) -> str | Decimal:
    """The number with so many digits: zeros before it belong to a code."""
    return f"{number:f}".zfill(digits) if digits and number == number.to_integral_value() else number
