"""Writing HL7 v2 segments: numbered fields with escaped texts."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, tzinfo
from decimal import Decimal

from adapters.hl7.escapes import escape

# A field is a text or its components; a component is a text or its subcomponents.
Component = str | tuple[str, ...]
Field = str | Sequence[Component]
# The length of a component that is a text (ST) in HL7 2.5.1.
_TEXT_LENGTH = 199


class Raw(str):
    """A text of another message, which is written as it is."""

    __slots__ = ()


class Repeated(tuple[Field, ...]):
    """A repeated field."""

    __slots__ = ()


def segment(name: str, fields: Mapping[int, Field | Repeated]) -> str:
    """Return a segment. Missing fields are empty, trailing empty ones dropped."""
    written = [_field(fields[number]) if number in fields else "" for number in range(1, max(fields) + 1)]
    return "|".join([name, *written]).rstrip("|")


def money(amount: Decimal, currency: str, length: int) -> Field:
    """Return an exact amount as a price, with its cents.

    The currency is omitted if it does not fit into ``length``: a part of it would be wrong.
    """
    priced: Field = [(f"{amount:f}", currency)]
    return priced if len(_field(priced)) <= length else f"{amount:f}"


def shortened(components: Sequence[str], names: Collection[int], length: int) -> list[str]:
    """Shorten the components at the indexes ``names`` until the field fits.

    So codes and numbers behind a long name are not cut off. The longest name is shortened first.
    """
    parts = list(components)
    for index in names:
        while len(escape(parts[index])) > _TEXT_LENGTH:
            parts[index] = parts[index][:-1]
    while len(_field(parts)) > length and any(parts[index] for index in names):
        longest = max(names, key=lambda index: len(escape(parts[index])))
        parts[longest] = parts[longest][:-1]
    return parts


def quantity(amount: Decimal) -> str:
    """Return a quantity without trailing zeros."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def moment(at: datetime, zone: tzinfo) -> str:
    """Return a moment to the second, in local time with its UTC offset."""
    return at.astimezone(zone).strftime("%Y%m%d%H%M%S%z")


def day(on: date) -> str:
    """Return a date."""
    return on.strftime("%Y%m%d")


def to_charset(text: str, encoding: str) -> str:
    """Replace characters that the encoding lacks.

    They become their plain letter, or a question mark.
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_encodable(character, encoding) for character in text)
    return text


def _encodable(character: str, encoding: str) -> str:
    plain = "".join(one for one in unicodedata.normalize("NFKD", character) if not unicodedata.combining(one))
    # A full-width bar becomes a plain bar: escape it, so that it does not separate fields.
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
    if isinstance(field, Raw):
        return field
    if isinstance(field, str):
        return escape(field)
    components = ["&".join(map(escape, [one] if isinstance(one, str) else one)) for one in field]
    return "^".join(components).rstrip("^")
