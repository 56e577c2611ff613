"""Barcode parsing: GS1 elements by biip, tolerant of scanners' quirks.

Some scanners replace the separator GS or leave it out, and some prefix the symbology identifier. Some labels have
invalid dates and overlong lots. biip rejects the whole message in each of these cases; here everything that is certain
is still read. ``ui/src/symbols/gs1.ts`` does the same on the device, and both are tested with
``tests/scan_vectors.json``.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple
from urllib.parse import unquote

from biip import ParseConfig, ParseError
from biip.gs1_element_strings import GS1ElementString

from adapters.symbols.hibc import read_hibc
from application.common.scanning import ScanResult
from domain.catalogue.product import gtin_key, has_right_check_digit, is_gtin

LONGEST = 500

_GS = "\x1d"
_SPELLED_GS = re.compile(r"\{GS\}|<GS>|\[GS\]|\^\]|\N{SYMBOL FOR GROUP SEPARATOR}", re.IGNORECASE)
_SYMBOLOGY = re.compile(r"\][A-Za-z][0-9A-Za-z]")
# Symbologies that begin with FNC1: they contain element strings.
_GS1_SYMBOLOGIES = frozenset({"]d2", "]d5", "]d8", "]dB", "]C1", "]e0", "]Q3", "]J1"})
# EAN-13 with a five-digit add-on. A longer text with this identifier is ]e0 typed with Caps Lock on.
_MAX_EAN_LENGTH = 18
_DAY = re.compile(r"(1[1-7])([0-9]{6})")
# The day, hour and minute of an expiry. Ten digits, also where the separator behind them was lost.
_EXPIRY_MINUTE = re.compile(r"(7003)([0-9]{10})")
_BRACKETS = re.compile(r"\(\d{2,4}\)", re.ASCII)
_BRACKETED = re.compile(r"\((\d{2,4})\)([^(]*)", re.ASCII)
_LINK = re.compile(r"https?://[^/?#]*([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
_NO_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
# The number may be followed by a service relation instance (8019) whose separator was lost.
_PERSON_NUMBER = re.compile(r"\(?801[78]\)?([0-9]{18})(?:8019[0-9]|(?![0-9]))")

_GTIN, _CONTENT, _LOT, _EXPIRY, _SERIAL = "01", "02", "10", "17", "21"
_EXPIRY_TIME, _PRODUCTION_DATE, _ADDITIONAL_ID, _CONTAINED = "7003", "11", "240", "37"
_PROVIDER, _RECIPIENT = "8017", "8018"
_COUNTS = ("30", _CONTAINED)
# Variable length: may swallow the following elements if the separator was lost.
_VARIABLE = (_LOT, _SERIAL)
_EXPIRIES = (_EXPIRY, _EXPIRY_TIME)
_DATED = (*_EXPIRIES, _PRODUCTION_DATE)
_MAX_LETTERS = 20

_CONFIG = ParseConfig(separator_chars=(_GS,), gs1_element_strings_verify_date=False)

# Application identifier, value, and its date.
Element = tuple[str, str, date | None]
Elements = Sequence[Element]


class _Message(NamedTuple):
    """The elements of a symbol, or the likeliest ones if a separator was lost."""

    elements: Elements
    separator_lost: bool = False
    # A part of the text is not an element.
    incomplete: bool = False


def read_scan(raw: str) -> ScanResult:
    """Parse the raw text of a scanner."""
    symbology, text, is_separated = _normalize(raw[:LONGEST])
    read = _read_text(symbology, text, is_separated=is_separated)
    # An expiry that is no day is a part of the symbol that cannot be read.
    return replace(read, symbology=symbology, incomplete=read.incomplete or read.expiry_unreadable)


def _read_text(symbology: str | None, text: str, *, is_separated: bool) -> ScanResult:
    if text.startswith("+"):
        return read_hibc(text)
    if is_gtin(text):
        return ScanResult(text=text, gtin=gtin_key(text))
    if text.lower().startswith(("http://", "https://")):
        return _read(text, _parse_link(text), is_certain=True)
    if _BRACKETS.match(text):
        return _read(text, _parse_brackets(text), is_certain=True)
    if symbology is None or symbology in _GS1_SYMBOLOGIES:
        return _read(text, _parse_message(text), is_certain=is_separated or symbology is not None)
    return ScanResult(text=text)


def _normalize(raw: str) -> tuple[str | None, str, bool]:
    """Normalize the text: symbology, text, and whether it has separators.

    The symbology is None if the scanner does not send it.
    """
    text = _SPELLED_GS.sub(_GS, raw.strip("\r\n\t "))
    found = _SYMBOLOGY.match(text)
    symbology = found[0] if found else None
    if symbology:
        swapped = symbology.swapcase()
        is_longer = len(text) - len(symbology) > _MAX_EAN_LENGTH
        if swapped in _GS1_SYMBOLOGIES and symbology not in _GS1_SYMBOLOGIES and (symbology != "]E0" or is_longer):
            # Caps Lock is on.
            symbology, text = swapped, text.swapcase()
        text = text[len(symbology) :]
    return symbology, text.strip(_GS + "\r\n\t "), _GS in text


def _read(text: str, message: _Message, *, is_certain: bool) -> ScanResult:
    """Extract values from elements.

    ``is_certain``: a symbology or brackets confirm that these are elements.
    """
    values: dict[str, str] = {}
    days: dict[str, date | None] = {}
    for ai, value, day in message.elements:
        values.setdefault(ai, value)
        days.setdefault(ai, day)
    gtin = values.get(_GTIN) or values.get(_CONTENT)
    person = _PERSON_NUMBER.match(text)
    gsrn = values.get(_RECIPIENT) or (person[1] if person and _RECIPIENT in person[0][:5] else None)
    of_person = not gtin and (gsrn is not None or _PROVIDER in values or person is not None)
    gsrn = gsrn if gsrn and of_person and has_right_check_digit(gsrn) else None
    is_read = is_gtin(gtin) if gtin else bool(values) and (is_certain or not message.incomplete)
    if not is_read:
        return ScanResult(text=text, gsrn=gsrn, of_person=of_person)
    expiry = next((day for ai in _EXPIRIES if (day := days.get(ai))), None)
    count = next((int(values[ai]) for ai in _COUNTS if values.get(ai)), 0)
    read = ScanResult(
        text=text,
        gtin=gtin_key(gtin) if gtin else None,
        gsrn=gsrn,
        lot=values.get(_LOT) or None,
        expiry=expiry,
        serial=values.get(_SERIAL) or None,
        count=count or None,
        separator_lost=message.separator_lost,
        expiry_unreadable=expiry is None and not values.keys().isdisjoint(_EXPIRIES),
        incomplete=message.incomplete,
        of_person=of_person,
    )
    return replace(read, bare=read.has_data and not gtin and not is_certain)


def _parse_link(text: str) -> _Message:
    """Parse a GS1 Digital Link.

    The elements are those of the path from a GTIN or a person's number on, and those of the query.
    """
    found = _LINK.match(text)
    path, query = (found[1], found[2] or "") if found else ("", "")
    parts = [part for part in path.split("/") if part]
    begins = next((place for place, part in enumerate(parts) if part in (_GTIN, _PROVIDER, _RECIPIENT)), len(parts))
    pairs = [(ai, "".join(value)) for ai, *value in (parts[at : at + 2] for at in range(begins, len(parts), 2))]
    if not pairs:
        return _Message(())
    asked = [one.partition("=") for one in query.split("&")]
    pairs += [(ai, value) for ai, _, value in asked if ai.isascii() and ai.isdigit()]
    elements = [_parse_single(ai, _unescape(value)) for ai, value in pairs]
    return _Message([element for element in elements if element], incomplete=None in elements)


def _unescape(text: str) -> str:
    try:
        return "" if _NO_ESCAPE.search(text) else unquote(text, errors="strict")
    except UnicodeDecodeError:
        return ""


def _parse_brackets(text: str) -> _Message:
    elements = [_parse_single(ai, value.strip(_GS + " ")) for ai, value in _BRACKETED.findall(text)]
    return _Message([element for element in elements if element], incomplete=None in elements)


def _parse_message(text: str) -> _Message:
    elements: list[Element] = []
    incomplete = False
    rest = text
    while rest:
        if _GS not in text and rest[:2] in _VARIABLE:
            # Without a separator, all following text may belong to this value.
            seen = frozenset(known for known, *_ in elements) | {rest[:2]}
            split = _split(rest[:2], rest[2:], seen)
            if split:
                return _Message([*elements, *split], separator_lost=True)
        found = _parse_first(rest)
        if found:
            elements.append(found)
            rest = rest[len(found[0]) + len(found[1]) :].lstrip(_GS)
        else:
            # Resume after the next separator, where a new element begins.
            incomplete = True
            rest = rest.partition(_GS)[2].lstrip(_GS)
    return _Message(elements, incomplete=incomplete)


def _split(ai: str, value: str, seen: frozenset[str]) -> Elements | None:
    """Split a value that may have swallowed further elements; None if not.

    A split that contains a date is preferred.
    """
    likely: Elements | None = None
    for end in range(1, min(len(value), _MAX_LETTERS + 1)):
        if not _parse_first(ai + value[:end]):
            return likely
        following = _parse_following(value[end:], seen)
        if following:
            split = [(ai, value[:end], None), *following]
            if any(day for *_, day in following):
                return split
            likely = likely or split
    return likely


def _parse_following(text: str, seen: frozenset[str]) -> Elements | None:
    """Parse the text as further elements that did not occur yet, or None."""
    ai = next((ai for ai in (*_DATED, *_VARIABLE, _ADDITIONAL_ID, _CONTAINED) if text.startswith(ai)), None)
    if ai is None or ai in seen or len(text) == len(ai) or (ai == _CONTAINED and _CONTENT not in seen):
        return None
    if ai in _DATED:
        found = _parse_first(text)
        if found is None or found[2] is None:
            return None
        rest = text[len(ai) + len(found[1]) :]
        if not rest:
            return [found]
        more = _parse_following(rest, seen | {ai}) or _parse_all(rest)
        return [found, *more] if more else None
    if ai in _VARIABLE:
        split = _split(ai, text[len(ai) :], seen | {ai})
        if split:
            return split
    only = _parse_single(ai, text[len(ai) :])
    return [only] if only else None


def _parse_all(text: str) -> Elements | None:
    """Parse the text completely into elements; None if it does not match."""
    elements: list[Element] = []
    while text:
        found = _parse_first(text)
        if found is None:
            return None
        elements.append(found)
        text = text[len(found[0]) + len(found[1]) :]
    return elements


def _parse_first(text: str) -> Element | None:
    """Parse the first element of the text; None if there is none.

    An element of variable length ends at the separator. An invalid date is an element without a date.
    """
    text = text.partition(_GS)[0]
    if minute := _EXPIRY_MINUTE.match(text):
        day = _parse_first(_EXPIRY + minute[2][:6])
        return minute[1], minute[2], day and day[2]
    try:
        found = GS1ElementString.extract(text, config=_CONFIG)
    except (ParseError, ValueError):
        no_day = _DAY.match(text)
        return (no_day[1], no_day[2], None) if no_day else None
    ai, value = found.ai.ai, found.value
    if not value.isascii() or (found.ai.separator_required and len(ai) + len(value) != len(text)):
        return None
    return ai, value, found.date


def _parse_single(ai: str, value: str) -> Element | None:
    """Parse the whole value as one element, or None."""
    if ai == _GTIN and is_gtin(value):
        value = gtin_key(value)
    found = _parse_first(ai + value)
    return found if found and found[0] == ai and found[1] == value and value else None
