"""Character sets (MSH-18): bytes as text and text as bytes, by the one that a message names."""

import re

# MSH-18: HL7 table 0211. Without one it is UTF-8, unless it is not.
_CHARACTER_SETS = {
    "": ("utf-8", "latin-1"),
    "UNICODE UTF-8": ("utf-8",),
    "UNICODE": ("utf-8",),
    "8859/1": ("latin-1",),
    "8859/15": ("iso8859-15",),
    "ASCII": ("ascii", "latin-1"),
}
# What MSH-18 says in what we send, and how Python calls it.
ENCODINGS = {"UNICODE UTF-8": "utf-8", "8859/1": "iso-8859-1", "8859/15": "iso-8859-15", "ASCII": "ascii"}
_ENDS = re.compile(r"\r\n|\n")


def decoded(message: bytes) -> tuple[str, str] | None:
    """The text with its character set; None where it is not written in the one that it names, or in none we know."""
    named = message.partition(b"\r")[0].partition(b"\n")[0]
    fields = named.split(named[3:4] or b"|")
    name = fields[17].split(b"~")[0].decode("latin-1").strip() if len(fields) > 17 else ""
    for encoding in _CHARACTER_SETS.get(name, ()):
        try:
            return _ENDS.sub("\r", message.decode(encoding)).strip("\r"), encoding
        except UnicodeDecodeError:
            continue
    return None


def encoding_of(message: str) -> str:
    """In which encoding a message goes over the wire, as it says itself in MSH-18."""
    fields = message.partition("\r")[0].split("|")
    return ENCODINGS.get(fields[17] if len(fields) > 17 else "", "utf-8")
