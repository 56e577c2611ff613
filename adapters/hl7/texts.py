"""Bytes as text: by the character set that a message names, and files of several messages."""

import re
from collections.abc import Iterator

# MSH-18: HL7 table 0211. Without one it is UTF-8, unless it is not.
_CHARACTER_SETS = {
    "": ("utf-8", "latin-1"),
    "UNICODE UTF-8": ("utf-8",),
    "UNICODE": ("utf-8",),
    "8859/1": ("latin-1",),
    "8859/15": ("iso8859-15",),
    "ASCII": ("ascii", "latin-1"),
}
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


def messages_in(content: bytes) -> Iterator[bytes]:
    """The messages of a file, which may have a header of its own (FHS, BHS)."""
    message: list[bytes] = []
    for line in re.split(rb"\r\n|\r|\n", content.strip(b"\xef\xbb\xbf\x0b\x1c\r\n ")):
        name = line.strip(b"\x0b\x1c")[:3]
        if name == b"MSH" and message:
            yield b"\r".join(message)
            message = []
        if name in (b"FHS", b"BHS", b"BTS", b"FTS") or not name:
            continue
        message.append(line.strip(b"\x0b\x1c"))
    if message:
        yield b"\r".join(message)
