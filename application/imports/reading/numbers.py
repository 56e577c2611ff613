"""Parse numbers: 1,512.00 and 1.512,00 and $ 1 512.00.

Which mark separates the decimals applies to the whole file. Some numbers show it, such as ``1,512.00``, and some do
not, such as ``1.234``.
"""

import re
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache


class DecimalMark(StrEnum):
    """The mark before the decimals."""

    POINT = "point"
    COMMA = "comma"


# Currency marks before or after an amount.
_CURRENCY = re.compile(
    r"(?:US|MX|MN|RD|[ABCLNQR])?[$€£¥₡₲₱₹]|USD|MXN|EUR|GBP|CAD|PEN|COP|CLP|ARS|BOB|GTQ|HNL|NIO|CRC|PAB|DOP|PYG|UYU|VES|"
    r"BRL|M\.N\.|S/\.?|Bs\.?|B/\.|Q|L\.",
    re.IGNORECASE,
)
_UNMARKED = re.compile(r"[\d.,]*", re.ASCII)
_BLANKS = re.compile(r"[\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}]+")
_MAX_LENGTH = 60
# Each number is parsed for several questions, and in many columns the same numbers are frequent, so results are cached.
_CACHE_SIZE = 4_096

_GROUPED = {
    DecimalMark.POINT: re.compile(
        r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:[ '’]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+", re.ASCII
    ),
    DecimalMark.COMMA: re.compile(
        r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?|[1-9]\d{0,2}(?:[ '’]\d{3})+(?:,\d+)?|\d+(?:,\d+)?|,\d+", re.ASCII
    ),
}
# One mark after one to three digits, the first of which is not zero, and before three digits: it separates thousands or
# decimals.
_EITHER = re.compile(r"[1-9]\d{0,2}[.,]\d{3}", re.ASCII)

# A whole number as programs write it that compute with it: 90234.0 and 90234,0. Three zeros may be a thousand.
_WHOLE = re.compile(r"(\d+)[.,](?:0{0,2}|0{4,})", re.ASCII)
_FRACTION = re.compile(r"\d+[.,]\d*[1-9]\d*", re.ASCII)

_PLAIN_THOUSAND = re.compile(r"\d{4}", re.ASCII)


@lru_cache(_CACHE_SIZE)
def read_number(text: str, mark: DecimalMark) -> Decimal | None:
    """Parse a number with the given decimal mark, or return None."""
    bare = _bare(text)
    if bare is None:
        return None
    sign, digits = bare
    if not _GROUPED[mark].fullmatch(digits):
        return None
    groups, decimal = (",", ".") if mark is DecimalMark.POINT else (".", ",")
    plain = re.sub("[ '’]", "", digits).replace(groups, "").replace(decimal, ".")
    return Decimal(sign + plain)


def told_mark(text: str) -> DecimalMark | None:
    """Return the decimal mark that the number proves, or None."""
    fits = [mark for mark in DecimalMark if read_number(text, mark) is not None]
    return fits[0] if len(fits) == 1 else None


def is_unclear(text: str) -> bool:
    """Return whether the number depends on the decimal mark: ``1.234``."""
    bare = _bare(text)
    return bare is not None and bool(_EITHER.fullmatch(bare[1]))


def without_decimals(text: str) -> str | None:
    """Return the digits of a whole number with empty decimals, or None."""
    found = _WHOLE.fullmatch(text) if text[-1:] in "0.," else None
    return found[1] if found else None


def has_decimals(text: str) -> bool:
    """Return whether the text is a number with decimals that are not zero."""
    return bool(_FRACTION.fullmatch(text))


def mark_of_thousands(text: str) -> DecimalMark:
    """Return the decimal mark if the mark in ``text`` separates thousands."""
    return DecimalMark.POINT if "," in text else DecimalMark.COMMA


def is_plain_thousand(text: str) -> bool:
    """Return whether the number has thousands without a separator."""
    bare = _bare(text)
    return bare is not None and bool(_PLAIN_THOUSAND.match(bare[1]))


def currency_marks(text: str) -> list[str]:
    """Return the currency marks at a number, such as ``$`` and ``M.N.``."""
    marks = [] if _UNMARKED.fullmatch(text) else _CURRENCY.findall(text)
    return marks if marks and _bare(text) is not None else []


@lru_cache(_CACHE_SIZE)
def _bare(text: str) -> tuple[str, str] | None:
    """Return sign and digits without the currency.

    Parentheses and a trailing minus also mean negative.
    """
    if not 0 < len(text) <= _MAX_LENGTH:
        return None
    text = _BLANKS.sub(" ", text).strip().replace("\N{MINUS SIGN}", "-")
    sign = ""
    if text.startswith("(") and text.endswith(")"):
        sign, text = "-", text[1:-1].strip()
    text = _without_currency(text)
    if text.startswith("-") or text.endswith("-"):
        if sign:
            return None
        sign, text = "-", text.removeprefix("-").removesuffix("-").strip() if text.count("-") == 1 else ""
        text = _without_currency(text)
    elif text.startswith("+"):
        text = text[1:].strip()
    return (sign, text) if text and (text[0].isdigit() or text[0] in ".,") else None


def _without_currency(text: str) -> str:
    before = _CURRENCY.match(text)
    if before:
        text = text[before.end() :].strip()
    for behind in _CURRENCY.finditer(text):
        if behind.end() == len(text):
            return text[: behind.start()].strip()
    return text
