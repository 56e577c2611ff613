"""Character sets (MSH-18): decoding and encoding of messages."""

import re
from typing import NamedTuple

# Python codecs for the spellings of MSH-18 (HL7 table 0211 and others in use), without case, blanks and punctuation.
_CODECS = {
    "": "utf-8",
    "UNICODEUTF8": "utf-8",
    "UTF8": "utf-8",
    "UNICODE": "utf-8",
    "88591": "cp1252",
    "ISO88591": "cp1252",
    "LATIN1": "cp1252",
    "WINDOWS1252": "cp1252",
    "CP1252": "cp1252",
    "ANSI": "cp1252",
    "885915": "iso8859-15",
    "ISO885915": "iso8859-15",
    "LATIN9": "iso8859-15",
    "ASCII": "ascii",
    "USASCII": "ascii",
    "ISOIR6": "ascii",
}
# Values of MSH-18 in messages that we send, and their Python codecs.
ENCODINGS = {"UNICODE UTF-8": "utf-8", "8859/1": "iso-8859-1", "8859/15": "iso-8859-15", "ASCII": "ascii"}


class Decoded(NamedTuple):
    """The text of a message and its encoding.

    ``contradicted`` is the character set that the message declares, if it is unknown or its bytes cannot be, or are
    most likely not, in that one. The text is a guess then.
    """

    text: str
    encoding: str
    contradicted: str | None = None


def decode_message(message: bytes) -> Decoded:
    """Decode a message by its MSH-18.

    Without MSH-18 it is UTF-8, or else Windows-1252 or Latin-1. ISO 8859-1 is read as Windows-1252, which has the same
    letters and more.
    """
    declared = character_set(message.decode("latin-1"))
    codec = _codec_of(declared)
    text = _decode(message, codec) if codec else None
    # Letters in Latin-1 that happen to be UTF-8 are practically always UTF-8, such as “Ã±” for “ñ”.
    is_utf8 = codec not in ("utf-8", "ascii") and not message.isascii() and _decode(message, "utf-8") is not None
    if text is not None and codec is not None and not is_utf8:
        return Decoded(text, codec)
    encoding = next(one for one in ("utf-8", "cp1252", "latin-1") if _decode(message, one) is not None)
    return Decoded(message.decode(encoding), encoding, declared or None)


def character_set(message: str) -> str:
    """Return the value of MSH-18."""
    header = message.partition("\r")[0]
    fields = header.split(header[3:4] or "|", 18)
    return fields[17].split("~")[0].strip() if len(fields) > 17 else ""


def decode_escaped(content: bytes, declared: str) -> str | None:
    """Decode bytes of an escape sequence; None if that is impossible."""
    codec = _codec_of(declared)
    text = _decode(content, codec) if codec else None
    return _decode(content, "latin-1") if text is None and (not declared or codec == "ascii") else text


def encoding_of(message: str) -> str:
    """Return the encoding for sending a message, according to its MSH-18."""
    return ENCODINGS.get(character_set(message), "utf-8")


def _codec_of(declared: str) -> str | None:
    return _CODECS.get(re.sub(r"[^A-Z0-9]", "", declared.upper()))


def _decode(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except UnicodeDecodeError:
        return None
