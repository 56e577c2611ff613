"""Splitting what arrives, a file or an MLLP frame, into messages: the same way for both."""

import re
from collections.abc import Iterator

# Segments end with a carriage return; senders also write CRLF, LF alone, CR CR LF and blank lines.
_SEGMENT_END = re.compile(rb"[\r\n]+")
_SEGMENT = re.compile(rb"[A-Za-z][A-Za-z0-9]{2}(?![A-Za-z0-9\x80-\xff ])")
# Headers and trailers of files and batches.
_ENVELOPE = (b"FHS", b"BHS", b"BTS", b"FTS")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def split_messages(content: bytes) -> Iterator[bytes]:
    """The messages, each with one carriage return between its segments.

    A line that begins no segment is the rest of a text with a line break in it: it stays, behind a blank.
    """
    message: list[bytes] = []
    for line in _SEGMENT_END.split(content):
        segment = line.strip(b"\x0b\x1c").removeprefix(_BYTE_ORDER_MARK)
        if not segment.strip():
            continue
        name = segment.lstrip()[:3]
        if name in _ENVELOPE:
            continue
        if name == b"MSH":
            if message:
                yield b"\r".join(message)
            message = [segment.lstrip()]
        elif message and not _SEGMENT.match(segment):
            message[-1] += b" " + segment
        else:
            message.append(segment)
    if message:
        yield b"\r".join(message)
