"""A simulated billing system that books each charge once, by its FT1-2."""

import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from adapters.hl7.mllp import END, MAX_MESSAGE_BYTES, START, framed
from adapters.simulator.charges import InvalidCharge, SentCharge, read_charges, read_segments
from adapters.simulator.field_lengths import CutField, cut_fields


class Behavior(StrEnum):
    """What a billing system does with a message."""

    ACCEPTS = "AA"
    COMMITS = "CA"
    FAILS = "AE"
    REFUSES = "AR"
    BOOKS_SILENTLY = "no answer"
    HANGS_UP_AFTER_BOOKING = "hangs up after booking"
    ANSWERS_ANOTHER = "answers another one"
    ANSWERS_NONSENSE = "answers nonsense"
    HANGS_UP_AT_ONCE = "hangs up at once"


_BOOKING = (Behavior.ACCEPTS, Behavior.COMMITS, Behavior.BOOKS_SILENTLY, Behavior.HANGS_UP_AFTER_BOOKING)
# An answer that names a patient, as those of real systems do: it must not end in a log.
_REFUSAL = "PID-3 unknown: Ñandú"
_ERROR = "ERR||PID^1^3|204^Unknown key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message, how it was answered, and the charges that it brought."""

    control_id: str
    behavior: Behavior
    problem: str = ""
    new: tuple[SentCharge, ...] = ()
    # Charges that were booked earlier.
    known: tuple[SentCharge, ...] = ()
    # Charges with the FT1-2 of another one: they are not booked.
    contradicting: tuple[SentCharge, ...] = ()
    cut: tuple[CutField, ...] = ()


@dataclass
class BillingSystem:
    """Books charges; ``behave`` gets the number of earlier messages.

    With ``cuts_fields`` it reads each field up to its length in HL7 2.5.1. ``report`` is called for each message, one
    at a time.
    """

    behave: Callable[[int], Behavior] = lambda _: Behavior.ACCEPTS
    cuts_fields: bool = False
    report: Callable[[Received], None] = lambda _: None
    port: int = 0
    # All messages, as they arrived.
    bodies: list[bytes] = field(default_factory=list)
    booked: dict[str, SentCharge] = field(default_factory=dict)
    # FT1-2 ids that came a second time with other content.
    contradicted: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def handle(self, message: bytes) -> bytes | None:
        """Return the answer to a message; None for silence.

        Raise ``ConnectionAbortedError`` to hang up.
        """
        with self._lock:
            received = self._process(message)
            self.report(received)
        match received.behavior:
            case Behavior.BOOKS_SILENTLY:
                return None
            case Behavior.HANGS_UP_AFTER_BOOKING | Behavior.HANGS_UP_AT_ONCE:
                raise ConnectionAbortedError
            case Behavior.ANSWERS_NONSENSE:
                return b"\xff\xfe what?"
        return _acknowledgement(received)

    def balances(self) -> dict[str, list[SentCharge]]:
        """Return the booked charges and credits by visit."""
        by_visit: dict[str, list[SentCharge]] = {}
        for charge in self.booked.values():
            by_visit.setdefault(charge.visit, []).append(charge)
        return by_visit

    def _process(self, message: bytes) -> Received:
        behavior = self.behave(len(self.bodies))
        self.bodies.append(message)
        cut: list[CutField] = []
        control_id = ""
        try:
            segments = read_segments(message)
            control_id = segments[0][10] if len(segments[0]) > 10 else ""
            if self.cuts_fields:
                segments, cut = cut_fields(segments)
            charges = read_charges(segments).charges
        except InvalidCharge as problem:
            return Received(control_id=control_id, behavior=Behavior.REFUSES, problem=str(problem), cut=tuple(cut))
        if behavior not in _BOOKING:
            return Received(control_id=control_id, behavior=behavior, problem=_REFUSAL, cut=tuple(cut))
        new, known, contradicting = [], [], []
        for charge in charges:
            if charge.transaction_id not in self.booked:
                self.booked[charge.transaction_id] = charge
                new.append(charge)
            elif self.booked[charge.transaction_id] == charge:
                known.append(charge)
            else:
                self.contradicted.append(charge.transaction_id)
                contradicting.append(charge)
        return Received(
            control_id=control_id,
            behavior=behavior,
            new=tuple(new),
            known=tuple(known),
            contradicting=tuple(contradicting),
            cut=tuple(cut),
        )


def _acknowledgement(received: Received) -> bytes:
    is_other = received.behavior is Behavior.ANSWERS_ANOTHER
    code = Behavior.ACCEPTS if is_other else received.behavior
    control_id = "another" if is_other else received.control_id
    at = f"{datetime.now(UTC):%Y%m%d%H%M%S}+0000"
    lines = [
        f"MSH|^~\\&|SIMULADOR|BILLING|CONSUMO||{at}||ACK^P03^ACK|{received.control_id}|P|2.5.1||||||UNICODE UTF-8",
        f"MSA|{code}|{control_id}|{received.problem}",
    ]
    if received.problem == _REFUSAL:
        lines.append(_ERROR)
    return "".join(f"{line}\r" for line in lines).encode()


@contextmanager
def listening(
    system: BillingSystem, host: str = "127.0.0.1", port: int = 0, *, security: ssl.SSLContext | None = None
) -> Iterator[BillingSystem]:
    """Receive over MLLP until the block ends. Raise ``OSError``."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            connection: socket.socket = self.request
            received = b""
            with suppress(OSError):
                if security:
                    connection = security.wrap_socket(connection, server_side=True)
                while len(received) <= MAX_MESSAGE_BYTES and (piece := connection.recv(65_536)):
                    received += piece
                    while END in received:
                        message, _, received = received.partition(END)
                        answer = system.handle(message.removeprefix(START))
                        if answer is not None:
                            connection.sendall(framed(answer))

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        block_on_close = False
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    with Server((host, port), Handler) as server:
        system.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield system
        finally:
            server.shutdown()
            thread.join()
