"""A simulated billing system that books each charge once, by its FT1-2."""

import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum

import hl7

from adapters.hl7.mllp import END, START, framed
from tests.hl7.charges import SentCharge, charges_in


class Does(StrEnum):
    """Behaviours of a receiver."""

    TAKES = "AA"
    COMMITS = "CA"
    FAILS = "AE"
    REFUSES = "AR"
    SAYS_NOTHING = "nothing"
    HANGS_UP_AFTER_BOOKING = "hangs up after booking"
    ANSWERS_ANOTHER = "answers another one"
    ANSWERS_NONSENSE = "answers nonsense"
    HANGS_UP_AT_ONCE = "hangs up at once"


BOOKS = {Does.TAKES, Does.COMMITS, Does.HANGS_UP_AFTER_BOOKING}


class Receiver:
    """Receives messages; ``behave`` gets the number of earlier messages."""

    def __init__(self, behave: Callable[[int], Does]) -> None:
        self.behave = behave
        self.port = 0
        # All received messages.
        self.bodies: list[bytes] = []
        self.booked: dict[str, SentCharge] = {}
        # FT1-2 ids that were received a second time with other content.
        self.contradicted: list[str] = []
        self.lock = threading.Lock()

    def handle(self, received: bytes) -> bytes | None:
        """The answer to a message, or None."""
        with self.lock:
            does = self.behave(len(self.bodies))
            self.bodies.append(received)
            text = received.decode()
            if does in BOOKS:
                for reported in charges_in(text):
                    if self.booked.setdefault(reported.transaction_id, reported) != reported:
                        self.contradicted.append(reported.transaction_id)
        if does in (Does.SAYS_NOTHING, Does.HANGS_UP_AFTER_BOOKING, Does.HANGS_UP_AT_ONCE):
            if does is not Does.SAYS_NOTHING:
                raise ConnectionAbortedError
            return None
        if does is Does.ANSWERS_NONSENSE:
            return b"\xff\xfe what?"
        control_id = "another" if does is Does.ANSWERS_ANOTHER else str(hl7.parse(text).segment("MSH")[10])
        reason = "" if does in BOOKS else "PID-3 unknown: Ñandú"
        return f"MSH|^~\\&|BILLING\rMSA|{does.value[:2]}|{control_id}|{reason}\rERR||PID^1^3|204^Unknown key\r".encode()


@contextmanager
def receiving(
    behave: Callable[[int], Does] = lambda _: Does.TAKES, *, security: ssl.SSLContext | None = None
) -> Iterator[Receiver]:
    """Run a receiver on localhost until the block ends."""
    receiver = Receiver(behave)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            connection: socket.socket = self.request
            received = b""
            with suppress(OSError):
                if security:
                    connection = security.wrap_socket(connection, server_side=True)
                while piece := connection.recv(65_536):
                    received += piece
                    while END in received:
                        message, _, received = received.partition(END)
                        answer = receiver.handle(message.removeprefix(START))
                        if answer is not None:
                            connection.sendall(framed(answer))

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        listening = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        listening.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            listening.join()
