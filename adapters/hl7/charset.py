"""Character sets (MSH-18): decoding and encoding of messages."""

# Python codecs for MSH-18 (HL7 table 0211), in the order in which they are tried. Without MSH-18, invalid UTF-8 is read
# as Latin-1.
_CHARACTER_SETS = {
    "": ("utf-8", "latin-1"),
    "UNICODE UTF-8": ("utf-8",),
    "UNICODE": ("utf-8",),
    "8859/1": ("latin-1",),
    "8859/15": ("iso8859-15",),
    "ASCII": ("ascii", "latin-1"),
}
# Values of MSH-18 in messages that we send, and their Python codecs.
ENCODINGS = {"UNICODE UTF-8": "utf-8", "8859/1": "iso-8859-1", "8859/15": "iso-8859-15", "ASCII": "ascii"}


def decode_message(message: bytes) -> tuple[str, str] | None:
    """Return the text and its encoding.

    None if the message is not valid in the character set that it declares, or if that one is unknown.
    """
    return decode(message, character_set(message.decode("latin-1")))


def character_set(message: str) -> str:
    """Return the value of MSH-18."""
    header = message.partition("\r")[0]
    fields = header.split(header[3:4] or "|", 18)
    return fields[17].split("~")[0].strip() if len(fields) > 17 else ""


def decode(content: bytes, named: str) -> tuple[str, str] | None:
    """Return the decoded text and its encoding; None if it cannot be decoded."""
    for encoding in _CHARACTER_SETS.get(named, ()):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return None


def encoding_of(message: str) -> str:
    """Return the encoding for sending a message, according to its MSH-18."""
    return ENCODINGS.get(character_set(message), "utf-8")
