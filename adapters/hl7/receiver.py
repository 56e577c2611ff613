"""Bytes in, bytes out: a message is read, given to the use cases, and acknowledged once it is kept."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from adapters.hl7.acknowledgement import Answer, acknowledgement
from adapters.hl7.reader import NotTaken, Reader
from adapters.hl7.texts import decoded
from application.inbound_messages.admission_message import AdmissionMessage
from application.inbound_messages.receive_message import ReceiveMessage, ReprocessHeldMessages
from application.ports.unit_of_work import StoreUnavailable
from domain.inbound_message import InboundMessage
from domain.policy import Actor

log = logging.getLogger("consumo.hl7")


class Taken(NamedTuple):
    """What is answered, why it was not taken, and what was kept."""

    answer: Answer
    text: str
    encoding: str = "utf-8"
    problem: NotTaken | None = None
    kept: InboundMessage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Takes messages, one at a time or several at once."""

    reader: Reader
    receive: ReceiveMessage
    reprocess: ReprocessHeldMessages
    actor: Actor
    zone: tzinfo
    # Hears of each message that was kept: its kind, and what became of it.
    count: Callable[[str, str], None] = lambda _kind, _state: None

    def answer(self, message: bytes) -> bytes:
        """Take a message, and what is answered to it."""
        taken = self.take(message)
        now = datetime.now(UTC).astimezone(self.zone)
        said = acknowledgement(taken.text, taken.answer, now, taken.problem)
        return said.encode(taken.encoding, "replace")

    def take(self, message: bytes) -> Taken:
        """Take a message."""
        text, encoding = decoded(message) or (None, "latin-1")
        if text is None:
            problem = NotTaken(102, "MSH-18", "Not written in the character set that it names, or in none we know")
            return Taken(Answer.REFUSED, message.decode("latin-1"), encoding, problem)
        try:
            read = self.reader(text)
        except NotTaken as problem:
            return Taken(Answer.REFUSED, text, encoding, problem)
        try:
            kept = self._keep(read, text)
        except StoreUnavailable as trouble:
            log.warning("A message could not be kept: the database is %s", trouble.trouble)
        except Exception:
            log.exception("A message could not be kept")
        else:
            return Taken(Answer.TAKEN, text, encoding, kept=kept)
        return Taken(Answer.FAILED, text, encoding, NotTaken(207, "MSH-10", "Not kept: send it again"))

    def _keep(self, read: AdmissionMessage, text: str) -> InboundMessage:
        try:
            kept = self.receive(self.actor, read, text)
        except StoreUnavailable:
            raise
        except Exception:
            # A defect of ours: whoever sent it need not send it for ever.
            log.exception("What a message says could not be done")
            kept = self.receive(self.actor, read, text, failed=True)
        self.reprocess(kept)
        self.count(kept.kind, kept.state)
        return kept
