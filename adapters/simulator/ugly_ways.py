"""Unusual forms in which real hospital systems send messages.

docs/interop.md has the same list. What is expected follows from that page, and not from what a receiver answers.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from adapters.hl7.mllp import MAX_MESSAGE_BYTES
from adapters.simulator.adt_message import AdtMessage
from adapters.simulator.stays import Hospital, Sending, Stay, encode

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FUTURE = "20620101080000"
# Letters that Windows-1252 has and ISO 8859-1 has not.
_WINDOWS_DIAGNOSIS = "Fractura “abierta” – fémur"

# Content and messages of a block.
Block = tuple[bytes, tuple[AdtMessage, ...]]


class UglyWay(NamedTuple):
    """An unusual form: its short name, and the code that each message gets."""

    name: str
    write: Callable[[Stay], Iterator[Block]]
    expects: str = "AA"


def ugly_sendings(hospital: Hospital) -> Iterator[Sending]:
    """Yield the messages of one patient for each unusual form."""
    for way in UGLY_WAYS:
        for content, messages in way.write(hospital.new_stay()):
            yield Sending(content=content, messages=messages, way=way.name, expects=way.expects)


def set_field(content: bytes, segment: str, number: int, value: str) -> bytes:
    """Return the message with another value of a field."""
    lines = content.split(b"\r")
    at = next(at for at, line in enumerate(lines) if line.startswith(segment.encode()))
    fields = lines[at].split(b"|")
    index = number - (segment == "MSH")
    fields += [b""] * (index + 1 - len(fields))
    fields[index] = value.encode()
    lines[at] = b"|".join(fields)
    return b"\r".join(lines)


def _plain(message: AdtMessage) -> Block:
    return encode(message), (message,)


def _out_of_order(stay: Stay) -> Iterator[Block]:
    events = [stay.event(kind) for kind in ("A01", "A02", "A03")]
    yield from map(_plain, reversed(events))


def _repeated(stay: Stay) -> Iterator[Block]:
    admission, discharge = stay.event("A01"), stay.event("A03")
    yield from map(_plain, (admission, admission, discharge, admission, discharge))


def _several_in_one_block(stay: Stay) -> Iterator[Block]:
    messages = stay.event("A01"), stay.event("A08")
    yield b"".join(map(encode, messages)), messages


def _with_line_ends(end: bytes) -> Callable[[Stay], Iterator[Block]]:
    def write(stay: Stay) -> Iterator[Block]:
        message = stay.event("A01")
        yield encode(message).replace(b"\r", end), (message,)

    return write


def _byte_order_mark(stay: Stay) -> Iterator[Block]:
    message = stay.event("A01", character_set="UNICODE UTF-8")
    yield _BYTE_ORDER_MARK + encode(message), (message,)


def _too_long(stay: Stay) -> Iterator[Block]:
    message = stay.event("A08")
    yield encode(message) + b"NTE|1||" + b"x" * MAX_MESSAGE_BYTES + b"\r", (message,)


def _bed_later(stay: Stay) -> Iterator[Block]:
    yield _plain(stay.event("A01", location=None))
    yield _plain(stay.event("A02"))


def _no_visit_number(stay: Stay) -> Iterator[Block]:
    yield _plain(stay.event("A01"))
    yield _plain(stay.event("A08", visit=""))


def _blanks_around_numbers(stay: Stay) -> Iterator[Block]:
    number, visit = f" {stay.patient.record_number}  ", f"  {stay.visit} "
    yield _plain(stay.event("A01", number=number, visit=visit))
    yield _plain(stay.event("A02"))


def _declares(character_set: str, encoding: str) -> Callable[[Stay], Iterator[Block]]:
    def write(stay: Stay) -> Iterator[Block]:
        message = stay.event("A01", character_set=character_set)
        yield message.text().encode(encoding), (message,)

    return write


def _windows_letters(stay: Stay) -> Iterator[Block]:
    message = stay.event("A01", character_set="8859/1", diagnosis=_WINDOWS_DIAGNOSIS)
    yield message.text().encode("cp1252"), (message,)


def _iso_moments(stay: Stay) -> Iterator[Block]:
    message = stay.event("A01")
    content = encode(message)
    for segment, number in (("EVN", 2), ("EVN", 6), ("PV1", 44)):
        content = set_field(content, segment, number, _iso(message.at))
    yield content, (message,)


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _future_event(stay: Stay) -> Iterator[Block]:
    yield _plain(stay.event("A01"))
    message = stay.event("A08", recorded=_FUTURE)
    yield set_field(encode(message), "EVN", 6, ""), (message,)
    yield _plain(stay.event("A08"))


def _of_version(version: str) -> Callable[[Stay], Iterator[Block]]:
    def write(stay: Stay) -> Iterator[Block]:
        for kind in ("A01", "A03"):
            yield _plain(stay.event(kind, version=version))

    return write


def _enhanced_mode(stay: Stay) -> Iterator[Block]:
    for kind in ("A01", "A03"):
        message = stay.event(kind)
        content = set_field(encode(message), "MSH", 15, "AL")
        yield set_field(content, "MSH", 16, "NE"), (message,)


def _unknown_events(stay: Stay) -> Iterator[Block]:
    for kind in ("A60", "Z51"):
        yield _plain(stay.event(kind))


def _batch(count: int) -> Callable[[Stay], Iterator[Block]]:
    """Return a writer of a batch file that declares ``count`` messages."""

    def write(stay: Stay) -> Iterator[Block]:
        messages = stay.event("A01"), stay.event("A08")
        header = b"FHS|^~\\&|SIMULADOR\rBHS|^~\\&|SIMULADOR\r"
        trailer = f"BTS|{count}\rFTS|1\r".encode()
        yield header + b"".join(map(encode, messages)) + trailer, messages

    return write


UGLY_WAYS = (
    UglyWay("out-of-order", _out_of_order),
    UglyWay("repeated", _repeated),
    UglyWay("several-in-one-block", _several_in_one_block),
    UglyWay("blank-lines", _with_line_ends(b"\r\n\r\n")),
    UglyWay("cr-cr-lf", _with_line_ends(b"\r\r\n")),
    UglyWay("bom", _byte_order_mark),
    UglyWay("too-long", _too_long, "AR"),
    UglyWay("bed-later", _bed_later),
    UglyWay("no-visit-number", _no_visit_number),
    UglyWay("blanks-around-numbers", _blanks_around_numbers),
    UglyWay("charset-UTF-8", _declares("UTF-8", "utf-8")),
    UglyWay("charset-utf8", _declares("utf8", "utf-8")),
    UglyWay("charset-ISO-8859-1", _declares("ISO-8859-1", "iso-8859-1")),
    UglyWay("charset-windows-letters", _windows_letters),
    UglyWay("iso-moments", _iso_moments),
    UglyWay("future-event", _future_event),
    UglyWay("version-2.2", _of_version("2.2")),
    UglyWay("version-2.9", _of_version("2.9")),
    UglyWay("enhanced-mode", _enhanced_mode, "CA"),
    UglyWay("unknown-events", _unknown_events),
    UglyWay("batch", _batch(2)),
    UglyWay("batch-wrong-count", _batch(9)),
)
