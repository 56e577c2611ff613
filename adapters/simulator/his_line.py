"""The MLLP connection of a simulated hospital system."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from adapters.hl7.acknowledgement import Acknowledgement, read_acknowledgements
from adapters.hl7.mllp import framed
from adapters.hl7.mllp_client import ANSWER_SECONDS, NoAnswer, receive_block
from adapters.setting_values.destination import Destination, connect, error_text
from adapters.simulator.adt_message import AdtMessage
from adapters.simulator.stays import Sending

_ACCEPTED = ("AA", "CA")


class Answer(NamedTuple):
    """The acknowledgement of a message, or why there is none (code ``""``)."""

    message: AdtMessage
    code: str
    problem: str
    is_expected: bool


class HisLine:
    """Sends blocks over one connection, and reconnects after a failure."""

    def __init__(self, destination: Destination, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._destination = destination
        self._security = destination.security()
        self._answer_seconds = answer_seconds
        self._connection: socket.socket | None = None
        # What arrived behind the last answer.
        self._received = b""

    def connect(self) -> None:
        """Connect to the receiver. Raise ``OSError``."""
        self._connection, self._received = connect(self._destination, self._security), b""

    def send(self, sending: Sending) -> Iterator[Answer]:
        """Send a block and yield the answer to each of its messages.

        A refusal may be the only answer to a block, and without the id of a message if the receiver cannot read it: no
        other one is awaited then. Answers to earlier messages are ignored.
        """
        acknowledged: dict[str, Acknowledgement] = {}
        problem = "no answer"
        try:
            self._exchange(sending, acknowledged)
        except TimeoutError:
            problem = f"no answer within {self._answer_seconds:g} s"
            self.close()
        except (OSError, ssl.SSLError, NoAnswer) as error:
            problem = error_text(error)
            self.close()
        refusal = next((one for one in acknowledged.values() if one.code not in _ACCEPTED), None)
        for message in sending.messages:
            found = acknowledged.get(message.control_id) or refusal
            code, text = (found.code, found.problem) if found else ("", problem)
            yield Answer(message, code, text, code == sending.expects)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None

    def _exchange(self, sending: Sending, acknowledged: dict[str, Acknowledgement]) -> None:
        """Send a block, and add answers until each message has one or is refused."""
        if self._connection is None:
            self.connect()
        assert self._connection is not None, "connected"
        self._connection.settimeout(self._answer_seconds)
        self._connection.sendall(framed(sending.content))
        awaited = {message.control_id for message in sending.messages}
        while awaited - acknowledged.keys():
            block, self._received = receive_block(self._connection, self._received, self._answer_seconds)
            answers = read_acknowledgements(block)
            acknowledged |= {one.control_id: one for one in answers if one.control_id in awaited}
            refusals = [one for one in answers if one.code not in _ACCEPTED]
            if any(one.control_id in awaited or not one.control_id for one in refusals):
                acknowledged |= {one.control_id: one for one in refusals}
                return
