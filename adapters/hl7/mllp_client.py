"""MLLP client: sends messages and awaits each acknowledgement.

It never raises because of the other side.
"""

import socket
import ssl
import time
from contextlib import suppress

from adapters.hl7.acknowledgement import read_acknowledgement
from adapters.hl7.charset import encoding_of
from adapters.hl7.mllp import END, MAX_MESSAGE_BYTES, START, framed
from adapters.setting_values.destination import Destination, connect, error_text
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus
from domain.interop.outbound_message import OutboundMessage

# Timeout of an acknowledgement.
ANSWER_SECONDS = 30


class MllpClient:
    """Sends messages in sequence over one connection, opened on demand."""

    def __init__(self, destination: Destination, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._destination = destination
        self._security = destination.security()
        self._answer_seconds = answer_seconds
        self._connection: socket.socket | None = None

    def send(self, message: OutboundMessage) -> DeliveryResult:
        """Send a message and await its acknowledgement.

        An unclear answer, or one to another message, is a failure.
        """
        try:
            connection = self._connection or self._connect()
            connection.settimeout(self._answer_seconds)
            connection.sendall(framed(message.body.encode(encoding_of(message.body), "replace")))
            answer, _ = receive_block(connection, b"", self._answer_seconds)
        except TimeoutError:
            self.close()
            return _failed(f"no answer within {self._answer_seconds:g} s")
        except (OSError, ssl.SSLError, NoAnswer) as error:
            self.close()
            return _failed(error_text(error))
        result = read_acknowledgement(answer, message.control_id)
        if result is None:
            # The next bytes on this connection may be the answer to another message.
            self.close()
            return _failed("the answer is to no message of ours")
        return result

    def close(self) -> None:
        """Close the connection. The next message opens a new one."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None

    def _connect(self) -> socket.socket:
        self._connection = connect(self._destination, self._security)
        return self._connection


def receive_block(connection: socket.socket, received: bytes, seconds: float) -> tuple[bytes, bytes]:
    """Receive until the end of a block, within one timeout for all of it.

    ``received`` is the data that has arrived already. Return the content of the block, and what follows it. Raise
    ``NoAnswer`` or ``OSError``.
    """
    until = time.monotonic() + seconds
    while END not in received:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(left)
        piece = connection.recv(65_536)
        if not piece:
            raise NoAnswer("the receiver hung up without an answer")
        received += piece
        if len(received) > MAX_MESSAGE_BYTES:
            raise NoAnswer("the answer is too long")
    block, _, rest = received.partition(END)
    return block.removeprefix(START), rest


class NoAnswer(Exception):
    """The receiver did not answer."""


def _failed(problem: str) -> DeliveryResult:
    """Return a failure in our own words, which may be logged."""
    return DeliveryResult(DeliveryStatus.FAILED, problem, problem)
