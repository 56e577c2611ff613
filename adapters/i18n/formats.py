"""Format money, quantities and dates as the file of a language says.

The client shows them in the same way (ui/src/i18n/useFormat.ts).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime, tzinfo
from decimal import Decimal

from adapters.i18n.catalogue import catalogue
from domain.common import text as texts
from domain.common.day import day_of
from domain.hospital.settings import NumberFormat

_SWAPPED = str.maketrans(",.", ".,")

# The narrow symbols of browsers. Other currencies are shown by their code.
_DOLLARS = (
    "ARS AUD BBD BMD BND BSD BZD CAD CLP COP CUP DOP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD TTD USD UYU XCD"
)
_SYMBOLS = dict.fromkeys(_DOLLARS.split(), "$") | {
    "BOB": "Bs\N{NO-BREAK SPACE}",
    "BRL": "R$",
    "CNY": "¥",
    "CRC": "₡",
    "EUR": "€",
    "GBP": "£",
    "GTQ": "Q\N{NO-BREAK SPACE}",
    "HNL": "L\N{NO-BREAK SPACE}",
    "INR": "₹",
    "JPY": "¥",
    "KRW": "₩",
    "NGN": "₦",
    "NIO": "C$",
    "PHP": "₱",
    "PYG": "₲",
}


_NUMBER_FORMAT: ContextVar[NumberFormat] = ContextVar("number_format", default=NumberFormat.LANGUAGE)


@contextmanager
def numbers_as(number_format: NumberFormat) -> Iterator[None]:
    """Format the numbers within the block in the hospital's way."""
    token = _NUMBER_FORMAT.set(number_format)
    try:
        yield
    finally:
        _NUMBER_FORMAT.reset(token)


def money(language: str, amount: Decimal, currency: str) -> str:
    """Format an amount with its currency: $1.234,50 or $1,234.50."""
    return symbol(currency) + amount_without_symbol(language, amount)


def amount_without_symbol(language: str, amount: Decimal) -> str:
    """Format an amount without currency: 1.234,50 or 1,234.50."""
    return _marked(language, f"{amount:,.2f}")


def symbol(currency: str) -> str:
    """Return the currency symbol, which is written before an amount."""
    return _SYMBOLS.get(currency, f"{currency}\N{NO-BREAK SPACE}")


def quantity(language: str, amount: Decimal) -> str:
    """Format a quantity without trailing zeros."""
    text = f"{amount:,.3f}".rstrip("0").rstrip(".")
    return _marked(language, text)


def counted(language: str, amount: Decimal, name: str) -> str:
    """Format a quantity and what it is of: 3 Gasa."""
    return texts.counted(quantity(language, amount), name)


def day(language: str, day: date) -> str:
    """Format a calendar day: 9 sept 2026 or Sep 9, 2026."""
    return _dated(language, "day", day)


def weekday(language: str, date: date) -> str:
    """Format a day with its weekday: miércoles, 9 sept 2026."""
    words = catalogue(language)["formats"]
    name = words["weekdays"].split()[date.weekday()]
    return str(words["weekday"].format(weekday=name, day=day(language, date)))


def month(language: str, day: date) -> str:
    """Format the month of a day: sept 2026 or Sep 2026."""
    return f"{_month_name(language, day)} {day.year}"


def day_of_month(language: str, day: date) -> str:
    """Format a day without its year: 9 sept or Sep 9."""
    return _dated(language, "day_of_month", day)


def whole(language: str, number: int) -> str:
    """Format a whole number: 1.234 or 1,234."""
    return _marked(language, f"{number:,}")


def time(moment: datetime, zone: tzinfo) -> str:
    """Format the time of day in the hospital's time zone."""
    return moment.astimezone(zone).strftime("%H:%M")


def moment(language: str, moment: datetime, zone: tzinfo) -> str:
    """Format a moment in the hospital's time zone."""
    return f"{day(language, day_of(moment, zone))}, {time(moment, zone)}"


def _dated(language: str, form: str, day: date) -> str:
    template = catalogue(language)["formats"][form]
    return template.format(day=day.day, month=_month_name(language, day), year=day.year)


def _month_name(language: str, day: date) -> str:
    return catalogue(language)["formats"]["months"].split()[day.month - 1]


def _marked(language: str, number: str) -> str:
    number_format = _NUMBER_FORMAT.get()
    if number_format is NumberFormat.LANGUAGE:
        is_comma = catalogue(language)["formats"]["decimal_mark"] == ","
    else:
        is_comma = number_format is NumberFormat.COMMA
    return number.translate(_SWAPPED) if is_comma else number
