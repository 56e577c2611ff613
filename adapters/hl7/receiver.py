"""Receiver of ADT messages, bytes in, bytes out: each is parsed, given to the use cases, and acknowledged when kept."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from adapters.hl7.acknowledgement import AckCode, acknowledgement
from adapters.hl7.adt_parser import AdtParser, MessageRejected
from adapters.hl7.charset import decode_message
from adapters.hl7.splitting import split_messages
from application.inbound_messages.admission_message import AdmissionMessage
from application.inbound_messages.receive_message import ReceiveMessage, ReprocessHeldMessages
from application.ports.unit_of_work import StoreUnavailable
from domain.inbound_message import InboundMessage
from domain.policy import Actor

log = logging.getLogger("consumo.hl7")


class ReceiveResult(NamedTuple):
    """How it is acknowledged, why it was rejected, and what was kept."""

    ack_code: AckCode
    text: str
    encoding: str = "utf-8"
    problem: MessageRejected | None = None
    kept: InboundMessage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Takes messages, one at a time or several at once."""

    parse: AdtParser
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
        said = acknowledgement(taken.text, taken.ack_code, now, taken.problem)
        return said.encode(taken.encoding, "replace")

    def take(self, message: bytes) -> ReceiveResult:
        """Take a message, as a file or a frame holds it."""
        found = list(split_messages(message))
        if len(found) > 1:
            problem = MessageRejected(100, "MSH", "Several messages in one frame: send each in its own")
            return ReceiveResult(AckCode.REJECT, found[0].decode("latin-1"), "latin-1", problem)
        message = found[0] if found else b""
        text, encoding = decode_message(message) or (None, "latin-1")
        if text is None:
            problem = MessageRejected(
                102, "MSH-18", "Not written in the character set that it names, or in none we know"
            )
            return ReceiveResult(AckCode.REJECT, message.decode("latin-1"), encoding, problem)
        try:
            read = self.parse(text)
        except MessageRejected as problem:
            return ReceiveResult(AckCode.REJECT, text, encoding, problem)
        try:
            kept = self._keep(read, text)
        except StoreUnavailable as trouble:
            log.warning("A message could not be kept: the database is %s", trouble.reason)
        except Exception:
            log.exception("A message could not be kept")
        else:
            return ReceiveResult(AckCode.ACCEPT, text, encoding, kept=kept)
        return ReceiveResult(AckCode.ERROR, text, encoding, MessageRejected(207, "MSH-10", "Not kept: send it again"))

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
