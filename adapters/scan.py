"""Barcodes: reads what scanners send. GS1 element strings by biip, and around it what scanners make of them.

Some type the separator GS as something else or leave it out, some put the symbology before the text; labels have dates
that no calendar knows. biip gives up a whole message for each of these.
"""

import re
from collections.abc import Sequence
from datetime import date

from biip import ParseConfig, ParseError
from biip.gs1_digital_link_uris import GS1DigitalLinkURI
from biip.gs1_element_strings import GS1ElementString

from application.ports.scanning import ScanResult
from domain.product import gtin_key, is_gtin

LONGEST = 500

_GS = "\x1d"
_SPELLED_GS = re.compile(r"\{GS\}|<GS>|\[GS\]|\^\]|\N{SYMBOL FOR GROUP SEPARATOR}", re.IGNORECASE)
_SYMBOLOGY = re.compile(r"\][A-Za-z][0-9A-Za-z]")
# Symbols that begin with FNC1: theirs are element strings.
_GS1_SYMBOLOGIES = frozenset({"]d2", "]d5", "]d8", "]dB", "]C1", "]e0", "]Q3", "]J1"})
_DAY = re.compile(r"(1[1-7])([0-9]{6})")
_BRACKETS = re.compile(r"\(\d{2,4}\)")
_BRACKETED = re.compile(r"\((\d{2,4})\)([^(]*)")

_GTIN, _CONTENT, _LOT, _EXPIRY, _SERIAL = "01", "02", "10", "17", "21"
_COUNTS = ("30", "37")
# What has no fixed length, and may swallow what follows where the separator was lost.
_VARIABLE = (_LOT, _SERIAL)
_MOST_LETTERS = 20
_FOLLOWS = (_LOT, _EXPIRY, _SERIAL)

_CONFIG = ParseConfig(separator_chars=(_GS,), gs1_element_strings_verify_date=False)

# Application identifier, value, and the day that it is.
Element = tuple[str, str, date | None]
Elements = Sequence[Element]


def read_scan(raw: str) -> ScanResult:
    """What the text that a scanner sent holds."""
    symbology, text = _tidied(raw[:LONGEST])
    if text.startswith("+"):
        return ScanResult(text=text, hibc=text)
    if is_gtin(text):
        return ScanResult(text=text, gtin=gtin_key(text))
    lost = False
    elements: Elements | None = None
    if text.lower().startswith(("http://", "https://")):
        elements = _of_link(text)
    elif _BRACKETS.match(text):
        elements = _of_brackets(text)
    elif symbology is None or symbology in _GS1_SYMBOLOGIES:
        elements, lost = _of_message(text)
    return _read(text, elements, lost=lost) if elements else ScanResult(text=text)


def _tidied(raw: str) -> tuple[str | None, str]:
    """The symbology, if the scanner tells it, and the text with separators as they should be."""
    text = _SPELLED_GS.sub(_GS, raw.strip("\r\n\t "))
    found = _SYMBOLOGY.match(text)
    if found:
        text = text[found.end() :]
    return (found[0] if found else None), text.strip(_GS + "\r\n\t ")


def _read(text: str, elements: Elements, *, lost: bool) -> ScanResult:
    values: dict[str, str] = {}
    days: dict[str, date | None] = {}
    for ai, value, day in elements:
        values.setdefault(ai, value)
        days.setdefault(ai, day)
    gtin = values.get(_GTIN) or values.get(_CONTENT)
    if gtin and not is_gtin(gtin):
        return ScanResult(text=text)
    count = next((int(values[ai]) for ai in _COUNTS if values.get(ai, "").isdigit()), None)
    return ScanResult(
        text=text,
        gtin=gtin_key(gtin) if gtin else None,
        lot=values.get(_LOT) or None,
        expiry=days.get(_EXPIRY),
        serial=values.get(_SERIAL) or None,
        count=count,
        separator_lost=lost,
        expiry_unreadable=_EXPIRY in values and days[_EXPIRY] is None,
    )


def _of_link(text: str) -> Elements | None:
    try:
        return _told(GS1DigitalLinkURI.parse(text, config=_CONFIG).element_strings)
    except (ParseError, ValueError):
        return None


def _of_brackets(text: str) -> Elements | None:
    elements = [_only(ai + value.strip(_GS + " ")) for ai, value in _BRACKETED.findall(text)]
    return None if None in elements else [element for element in elements if element]


def _of_message(text: str) -> tuple[Elements | None, bool]:
    """The elements of a message, and whether a separator was lost in it: then they are the likeliest ones."""
    if _GS in text:
        return _whole(text), False
    elements: list[Element] = []
    rest = text
    while rest:
        found = _first(rest)
        if found is None:
            return None, False
        ai, value, _ = found
        if ai in _VARIABLE:
            # Without a separator all that follows may be a part of it.
            told = frozenset(known for known, *_ in elements) | {ai}
            lost = _split(ai, rest[len(ai) :], told)
            whole = lost or _whole(rest)
            return ([*elements, *whole], bool(lost)) if whole else (None, False)
        elements.append(found)
        rest = rest[len(ai) + len(value) :]
    return elements, False


def _split(ai: str, value: str, told: frozenset[str]) -> Elements | None:
    """The elements that the value would be if it ended earlier; None where it would not. One with a day is likelier."""
    likely: Elements | None = None
    for end in range(1, min(len(value), _MOST_LETTERS + 1)):
        following = _following(value[end:], told)
        if following:
            split = [(ai, value[:end], None), *following]
            if any(day for *_, day in following):
                return split
            likely = likely or split
    return likely


def _following(text: str, told: frozenset[str]) -> Elements | None:
    """The elements that the text would be on its own, none of which was told before; None where it would be none."""
    ai = text[:2]
    if ai not in _FOLLOWS or ai in told or len(text) == len(ai):
        return None
    if ai == _EXPIRY:
        found = _first(text)
        if found is None or found[2] is None:
            return None
        rest = text[len(ai) + len(found[1]) :]
        if not rest:
            return [found]
        more = _following(rest, told | {ai})
        return [found, *more] if more else None
    split = _split(ai, text[len(ai) :], told | {ai})
    if split:
        return split
    whole = _whole(text)
    return whole if whole and len(whole) == 1 else None


def _whole(text: str) -> Elements | None:
    """The elements of a text of which nothing is left; None where it is none."""
    elements: list[Element] = []
    while text:
        found = _first(text)
        if found is None:
            return None
        elements.append(found)
        text = text[len(found[0]) + len(found[1]) :].lstrip(_GS)
    return elements


def _first(text: str) -> Element | None:
    """The element with which the text begins. A day that no calendar knows is one without its day."""
    try:
        found = GS1ElementString.extract(text, config=_CONFIG)
    except (ParseError, ValueError):
        day = _DAY.match(text)
        return (day[1], day[2], None) if day else None
    return found.ai.ai, found.value, found.date


def _only(text: str) -> Element | None:
    """The one element that all of the text is."""
    found = _first(text)
    return found if found and len(found[0]) + len(found[1]) == len(text) else None


def _told(elements: Sequence[GS1ElementString]) -> Elements:
    return [(element.ai.ai, element.value, element.date) for element in elements]
