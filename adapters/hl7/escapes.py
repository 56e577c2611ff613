"""HL7 escape sequences (v2.7.1, chapter 2.7): escape and unescape texts.

The ``unescape`` of the parser's library is not used, because it drops unknown sequences.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

_ESCAPES = {"\\": "\\E\\", "|": "\\F\\", "^": "\\S\\", "&": "\\T\\", "~": "\\R\\", "\n": "\\.br\\"}
# Formatting commands, with an optional number.
_FORMATTING = r"\.(?:br|ce|fi|nf|(?:sp|sk|in|ti) ?[+-]?[0-9]{0,3})"
_NEW_LINE = (".br", ".ce", ".sp")
_BLANK = (".sk", ".in", ".ti")


class Delimiters(NamedTuple):
    """The delimiters that a message declares in MSH-1 and MSH-2."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"


def escape(text: str) -> str:
    """Escape delimiters and control characters.

    The result cannot separate fields, or end a segment or a message.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        _ESCAPES.get(character) or (f"\\X{ord(character):02X}\\" if character < " " else character)
        for character in lines
    )


def unescape(text: str, delimiters: Delimiters, decode: Callable[[bytes], str | None]) -> str:
    """Resolve escape sequences.

    Line breaks become newlines, highlighting is dropped. An escape that is unknown, has no end or means a control
    character is kept as written. ``decode`` decodes bytes in the message's character set; None if they are invalid.
    """
    mark = delimiters.escape
    if mark not in text or mark.isalnum():
        return text
    esc = re.escape(mark)
    characters = {
        "F": delimiters.field,
        "S": delimiters.component,
        "R": delimiters.repetition,
        "E": mark,
        "T": delimiters.subcomponent,
        "H": "",
        "N": "",
    }

    def meant(found: re.Match[str]) -> str:
        if found["bytes"]:
            hexadecimal = re.sub(f"{esc}X?", "", found["bytes"])
            return _readable(decode(bytes.fromhex(hexadecimal))) or found[0]
        name = found["name"]
        if name in characters:
            return characters[name]
        return "\n" if name.startswith(_NEW_LINE) else " " if name.startswith(_BLANK) else ""

    # The bytes of one character may be split over several escapes.
    pattern = rf"(?P<bytes>(?:{esc}X(?:[0-9A-Fa-f]{{2}})+{esc})+)|{esc}(?P<name>[FSRETHN]|{_FORMATTING}){esc}"
    return re.sub(pattern, meant, text)


def to_usual_delimiters(text: str, delimiters: Delimiters, decode: Callable[[bytes], str | None]) -> str:
    """Return a part of a message as it stands in one with usual delimiters.

    It stays unchanged unless it has other delimiters, bytes of its character set, or control characters.
    """
    is_plain = not any(character < " " for character in text)
    if delimiters == Delimiters() and is_plain and "\\X" not in text:
        return text
    levels = [
        (delimiters.field, "|"),
        (delimiters.repetition, "~"),
        (delimiters.component, "^"),
        (delimiters.subcomponent, "&"),
    ]

    def converted(piece: str, level: int) -> str:
        if level == len(levels):
            return escape(unescape(piece, delimiters, decode))
        theirs, usual = levels[level]
        return usual.join(converted(part, level + 1) for part in piece.split(theirs))

    return converted(text, 0)


def _readable(text: str | None) -> str | None:
    """Return the text with plain line breaks; None for control characters."""
    if text is None:
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    is_readable = all(one.isprintable() or one in "\n\t" or unicodedata.category(one) == "Zs" for one in lines)
    return lines if is_readable else None
