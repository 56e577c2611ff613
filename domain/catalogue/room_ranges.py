"""Names of rooms that are written as ranges, such as ``201–240, 301, 305A``."""

import re
from typing import NamedTuple

from domain.common.errors import Code, Reason, Refused
from domain.common.text import one_line
from domain.common.validation import MAX_NAME_LENGTH

# The maximum number of rooms that one text may name.
MAX_ROOMS = 500

_BETWEEN_ITEMS = re.compile(r"[,;\n]")
_DASH = re.compile(r"\s*[-\u2010-\u2015\u2212]\s*")
# *201 a 240*, and *201 to 240*. The blanks distinguish it from the room 201A.
_WORD = re.compile(r"\s+(?:a|al|hasta|to)\s+", re.IGNORECASE)
_END = re.compile(r"(?P<prefix>.*?)(?P<number>\d{1,9})(?P<letters>[^\W\d_]{0,3})")
_LETTER = re.compile(r"[^\W\d_]")


class _End(NamedTuple):
    """One end of a range: ``H``, ``007`` and ``B`` of ``H007B``."""

    prefix: str
    number: str
    letters: str


def read_room_ranges(text: str, field: str = "ranges") -> list[str]:
    """Return the names of rooms in a text, each once, as they are ordered.

    Items are separated by commas, semicolons or lines. Each is a name or a range: ``201-240``, ``201–240``, ``201 a
    240``, ``H201–H240``, ``H201–240``, ``201A–201F`` or ``201A–F``. Leading zeros stay. Raise ``Refused`` with a reason
    for each item that cannot be read, or if there are more than ``MAX_ROOMS``.
    """
    reasons: list[Reason] = []
    names: dict[str, str] = {}
    for item in filter(None, map(one_line, _BETWEEN_ITEMS.split(text))):
        try:
            for name in _names_of(item, field):
                names.setdefault(name.casefold(), name)
        except Refused as refused:
            reasons += refused.reasons
    if reasons:
        raise Refused(*reasons)
    if len(names) > MAX_ROOMS:
        raise Refused(Reason(Code.ROOMS_TOO_MANY, field, {"count": len(names), "most": MAX_ROOMS}))
    return list(names.values())


def _names_of(item: str, field: str) -> list[str]:
    """Return the names of one item, which is a name or a range."""
    for split in (*_WORD.finditer(item), *_DASH.finditer(item)):
        first, last = item[: split.start()].strip(), item[split.end() :].strip()
        expanded = _expand(item, first, last, field) if first and last else None
        if expanded is not None:
            return expanded
    for between in (_WORD, _DASH):
        if between.search(item) and all(map(_has_digit, between.split(item))):
            raise Refused(Reason(Code.ROOM_RANGE_UNREADABLE, field, {"value": item[:MAX_NAME_LENGTH]}))
    if len(item) > MAX_NAME_LENGTH:
        raise Refused(Reason(Code.TEXT_TOO_LONG, field, {"most": MAX_NAME_LENGTH}))
    return [item]


def _expand(item: str, first: str, last: str, field: str) -> list[str] | None:
    """Return the names from the first to the last, or None if it is no range."""
    start = _END.fullmatch(first)
    if start is None:
        return None
    begin = _End(*start.groups())
    if len(begin.letters) == 1 and _LETTER.fullmatch(last):
        return _letters(item, begin, last, field)
    stop = _END.fullmatch(last)
    if stop is None:
        return None
    end = _End(*stop.groups())
    if end.prefix and end.prefix.casefold() != begin.prefix.casefold():
        return None
    if begin.letters.casefold() == end.letters.casefold():
        return _numbers(item, begin, end, field)
    if int(begin.number) == int(end.number) and len(begin.letters) == len(end.letters) == 1:
        return _letters(item, begin, end.letters, field)
    return None


def _numbers(item: str, begin: _End, end: _End, field: str) -> list[str]:
    first, last = int(begin.number), int(end.number)
    _ensure_forward(item, first, last, field)
    if last - first >= MAX_ROOMS:
        raise Refused(Reason(Code.ROOMS_TOO_MANY, field, {"count": last - first + 1, "most": MAX_ROOMS}))
    width = len(begin.number) if begin.number.startswith("0") else 0
    return [f"{begin.prefix}{number:0{width}d}{begin.letters}" for number in range(first, last + 1)]


def _letters(item: str, begin: _End, last: str, field: str) -> list[str]:
    """Return names that differ in their letter, in the case of the first."""
    cased = last.upper() if begin.letters.isupper() else last.lower()
    _ensure_forward(item, ord(begin.letters), ord(cased), field)
    return [f"{begin.prefix}{begin.number}{chr(code)}" for code in range(ord(begin.letters), ord(cased) + 1)]


def _ensure_forward(item: str, first: int, last: int, field: str) -> None:
    if last < first:
        raise Refused(Reason(Code.ROOM_RANGE_REVERSED, field, {"value": item}))


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)
