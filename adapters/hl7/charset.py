"""Character sets (MSH-18): bytes as text and text as bytes, by the one that a message names."""

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


def decode_message(message: bytes) -> tuple[str, str] | None:
    """The text and its encoding; None if it is not written in the character set that it names, or that is unknown."""
    return decode(message, character_set(message.decode("latin-1")))


def character_set(message: str) -> str:
    """What MSH-18 names."""
    header = message.partition("\r")[0]
    fields = header.split(header[3:4] or "|", 18)
    return fields[17].split("~")[0].strip() if len(fields) > 17 else ""


def decode(content: bytes, named: str) -> tuple[str, str] | None:
    """The text of bytes in that character set, and its encoding; None where they are none."""
    for encoding in _CHARACTER_SETS.get(named, ()):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return None


def encoding_of(message: str) -> str:
    """In which encoding a message goes over the wire, as it says itself in MSH-18."""
    return ENCODINGS.get(character_set(message), "utf-8")
