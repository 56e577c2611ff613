"""Splitting of a file or an MLLP frame into messages."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from adapters.hl7.mllp import MAX_MESSAGE_BYTES

# Messages have some dozens of lines. Longer ones are rejected.
MAX_LINES = 2_000

# Segments end with a carriage return. Some senders write CRLF, LF, CR CR LF or blank lines instead.
_LINE = re.compile(rb"[^\r\n]+")
_SEGMENT = re.compile(rb"[A-Za-z][A-Za-z0-9]{2}(?![A-Za-z0-9\x80-\xff ])")
# Headers and trailers of files and batches.
_ENVELOPE = (b"FHS", b"BHS", b"BTS", b"FTS")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# The number of messages that a trailer of a batch or file declares.
_DECLARED_COUNT = re.compile(rb"(?:^|[\r\n])(BTS|FTS)[^\w\s](\d{1,9})(?=\D|$)")
_MESSAGE_BEGINS = re.compile(rb"[\r\n][ \t]*(?:\xef\xbb\xbf)?MSH")


class SplitMessage(NamedTuple):
    """One message; only its beginning if it ``is_too_long``."""

    content: bytes
    is_too_long: bool = False


def split_messages(content: bytes) -> Iterator[SplitMessage]:
    """Yield the messages, with one carriage return between segments.

    A line that begins no segment continues a text with a line break: it is appended after a blank. The time is linear
    in the number of bytes, and a message that is too long is yielded before the rest of it is read.
    """
    # Pieces of the current message, with the separators between them.
    pieces: list[bytes] = []
    lines = size = 0
    is_passed_over = False
    for found in _LINE.finditer(content):
        line = found[0].strip(b"\x0b\x1c").removeprefix(_BYTE_ORDER_MARK)
        name = line.lstrip()[:3]
        if name == b"MSH":
            if pieces:
                yield SplitMessage(b"".join(pieces))
            pieces, lines, size, is_passed_over = [], 0, 0, False
            line = line.lstrip()
        elif is_passed_over:
            continue
        lines += 1
        size += len(line) + 1
        if lines > MAX_LINES or size > MAX_MESSAGE_BYTES:
            yield SplitMessage(b"".join(pieces) or line[:MAX_MESSAGE_BYTES], is_too_long=True)
            pieces, is_passed_over = [], True
        elif name and name not in _ENVELOPE:
            if pieces:
                pieces.append(b"\r" if _SEGMENT.match(line) else b" ")
            pieces.append(line)
    if pieces:
        yield SplitMessage(b"".join(pieces))


def declared_counts(content: bytes) -> dict[str, int]:
    """Return the counts of messages (BTS-1) and batches (FTS-1).

    They are what the trailers declare. Of several batches, BTS has the sum.
    """
    counts: dict[str, int] = {}
    for name, number in _DECLARED_COUNT.findall(content):
        counts[name.decode()] = counts.get(name.decode(), 0) + int(number)
    return counts


def count_batches(content: bytes) -> int:
    """Return the number of batch headers (BHS)."""
    return len(re.findall(rb"(?:^|[\r\n])BHS[^\w\s]", content))


def last_message_begin(content: bytes) -> int:
    """Return where the last message begins; 0 if it is the only one."""
    begins = [found.start() for found in _MESSAGE_BEGINS.finditer(content)]
    return begins[-1] + 1 if begins else 0
