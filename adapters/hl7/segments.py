"""Segments of HL7 v2 as they are written: fields by their numbers, every text escaped."""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date, datetime, tzinfo
from decimal import Decimal

from adapters.hl7.escapes import escape

# A field is a text or its components, a component a text or its subcomponents.
Component = str | tuple[str, ...]
Field = str | Sequence[Component]


class Repeated(tuple[Field, ...]):
    """A field that stands there several times."""

    __slots__ = ()


def segment(name: str, fields: Mapping[int, Field | Repeated]) -> str:
    """A segment; fields that are not named are empty, and empty ones at the end are left out."""
    written = [_field(fields[number]) if number in fields else "" for number in range(1, max(fields) + 1)]
    return "|".join([name, *written]).rstrip("|")


def money(amount: Decimal, currency: str) -> Field:
    """An amount as a price: exact, with the cents that it has."""
    return [(f"{amount:f}", currency)]


def quantity(amount: Decimal) -> str:
    """A quantity with the decimals that it has, and no more."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def moment(at: datetime, zone: tzinfo) -> str:
    """A moment to the second, by the hospital's clock, with how far that is from UTC."""
    return at.astimezone(zone).strftime("%Y%m%d%H%M%S%z")


def day(on: date) -> str:
    """A day."""
    return on.strftime("%Y%m%d")


def fitting(text: str, encoding: str) -> str:
    """The written text; what the encoding cannot hold is told by its plain letter, or by a question mark."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_fitting(character, encoding) for character in text)
    return text


def _fitting(character: str, encoding: str) -> str:
    plain = "".join(one for one in unicodedata.normalize("NFKD", character) if not unicodedata.combining(one))
    # A wide bar becomes a bar, and separates nothing either.
    for written in (character, escape(plain)):
        try:
            written.encode(encoding)
        except UnicodeEncodeError:
            continue
        return written
    return "?"


def _field(field: Field | Repeated) -> str:
    if isinstance(field, Repeated):
        return "~".join(map(_field, field))
    if isinstance(field, str):
        return escape(field)
    components = ["&".join(map(escape, [one] if isinstance(one, str) else one)) for one in field]
    return "^".join(components).rstrip("^")
