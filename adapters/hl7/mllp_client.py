"""Hands messages over: to a receiver over MLLP, or into a folder. It never raises for what the other side does."""

import os
import socket
import ssl
import time
from contextlib import suppress
from pathlib import Path

from adapters.hl7.destination import Destination
from adapters.hl7.mllp import END, LONGEST, START, framed
from adapters.hl7.writing import encoding_of
from application.outbound_messages import DeliveryResult, DeliveryStatus
from domain.outbound_message import OutboundMessage

CONNECT_SECONDS = 10
# So long an answer is awaited.
ANSWER_SECONDS = 30

_ANSWERS = {
    "AA": DeliveryStatus.ACCEPTED,
    "CA": DeliveryStatus.ACCEPTED,
    "AE": DeliveryStatus.FAILED,
    "CE": DeliveryStatus.FAILED,
    "AR": DeliveryStatus.REJECTED,
    "CR": DeliveryStatus.REJECTED,
}


class MllpClient:
    """Sends messages one after the other over one connection, which is opened when it is needed."""

    def __init__(self, destination: Destination, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._destination = destination
        self._security = destination.security()
        self._answer_seconds = answer_seconds
        self._connection: socket.socket | None = None

    def send(self, message: OutboundMessage) -> DeliveryResult:
        """Send it and await the answer. Whatever is not a clear answer to this message is none."""
        try:
            connection = self._connection or self._connect()
            connection.settimeout(self._answer_seconds)
            connection.sendall(framed(message.body.encode(encoding_of(message.body), "replace")))
            answer = self._receive(connection)
        except TimeoutError:
            self.close()
            return DeliveryResult(DeliveryStatus.FAILED, f"no answer within {self._answer_seconds:g} s")
        except (OSError, ssl.SSLError, _NoAnswer) as error:
            self.close()
            return DeliveryResult(DeliveryStatus.FAILED, _in_words(error))
        result = read_answer(answer, message.control_id)
        if result is None:
            # What comes next on this connection may be the answer to anything.
            self.close()
            return DeliveryResult(DeliveryStatus.FAILED, "the answer is to no message of ours")
        return result

    def close(self) -> None:
        """Hang up; the next message connects anew."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None

    def _connect(self) -> socket.socket:
        to = self._destination
        connection = socket.create_connection((to.host, to.port), timeout=CONNECT_SECONDS)
        try:
            if self._security is not None:
                connection = self._security.wrap_socket(connection, server_hostname=to.host)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _receive(self, connection: socket.socket) -> bytes:
        """What comes until the end of a block, all of it within the time."""
        until, received = time.monotonic() + self._answer_seconds, b""
        while END not in received:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
            piece = connection.recv(65_536)
            if not piece:
                raise _NoAnswer("the receiver hung up without an answer")
            received += piece
            if len(received) > LONGEST:
                raise _NoAnswer("the answer is too long")
        return received.partition(END)[0].removeprefix(START)


class FolderWriter:
    """Writes messages into a folder, a file each, whole or not at all. The same message again is the same file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, message: OutboundMessage) -> DeliveryResult:
        """Write its file, so that it is there when the power fails."""
        being_written = self._folder / f".{message.control_id}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with being_written.open("wb") as file:
                file.write(message.body.encode(encoding_of(message.body), "replace"))
                file.flush()
                os.fsync(file.fileno())
            being_written.replace(self._folder / f"{message.control_id}.hl7")
            self._settle()
        except OSError as error:
            return DeliveryResult(DeliveryStatus.FAILED, _in_words(error))
        return DeliveryResult(DeliveryStatus.ACCEPTED)

    def close(self) -> None:
        """Nothing is open."""

    def _settle(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class _NoAnswer(Exception):
    """The other side did not answer."""


def read_answer(answer: bytes, control_id: str) -> DeliveryResult | None:
    """What an acknowledgement says of the message with that number; None where it is about another one, or none."""
    try:
        text = answer.decode()
    except UnicodeDecodeError:
        text = answer.decode("iso-8859-1")
    segments = [line.split("|") for line in text.replace("\n", "\r").split("\r")]
    said = next((fields for fields in segments if fields[0] == "MSA"), [])
    if len(said) < 3 or said[2] != control_id or said[1] not in _ANSWERS:
        return None
    errors = [" ".join(filter(None, fields[3:4] + fields[7:9])) for fields in segments if fields[0] == "ERR"]
    problem = "; ".join(filter(None, [*said[3:4], *errors]))
    status = _ANSWERS[said[1]]
    if status is DeliveryStatus.ACCEPTED:
        return DeliveryResult(status)
    return DeliveryResult(status, f"{said[1]}: {problem}" if problem else said[1])


def _in_words(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the receiver's certificate is not believed: {error.verify_message}"
    return str(getattr(error, "strerror", None) or error)
