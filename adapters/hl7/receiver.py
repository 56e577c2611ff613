"""Receiver of ADT messages, bytes in, bytes out: each is parsed, given to the use cases, and acknowledged when kept."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from adapters.hl7.acknowledgement import AckCode, acknowledgement
from adapters.hl7.adt_parser import AdtParser, MessageRejected
from adapters.hl7.charset import decode_message
from adapters.hl7.mllp import MAX_MESSAGE_BYTES
from adapters.hl7.splitting import MAX_LINES, SplitMessage, split_messages
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
    # Nothing is kept at present, whatever comes.
    store_is_unavailable: bool = False


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

    def take(self, frame: bytes) -> ReceiveResult:
        """Take the message that a frame holds."""
        messages = split_messages(frame)
        first = next(messages, SplitMessage(b""))
        if not first.is_too_long and next(messages, None) is not None:
            problem = MessageRejected(100, "MSH", "Several messages in one frame: send each in its own")
            return _refused(first, problem)
        return self.take_split(first)

    def take_split(self, message: SplitMessage) -> ReceiveResult:
        """Take a message that stands alone. Whatever it holds, it gets an answer."""
        if message.is_too_long:
            problem = MessageRejected(102, "MSH", f"More than {MAX_LINES:,} lines or {MAX_MESSAGE_BYTES:,} bytes")
            return _refused(message, problem)
        text, encoding = decode_message(message.content) or (None, "latin-1")
        if text is None:
            problem = MessageRejected(
                102, "MSH-18", "Not written in the character set that it names, or in none we know"
            )
            return _refused(message, problem)
        try:
            read = self.parse(text)
        except MessageRejected as problem:
            return ReceiveResult(AckCode.REJECT, text, encoding, problem)
        except Exception:
            # A defect of ours: sending it again cannot help.
            log.exception("A message could not be read")
            return ReceiveResult(AckCode.REJECT, text, encoding, MessageRejected(207, "MSH", "It could not be read"))
        is_unavailable = False
        try:
            kept = self._keep(read, text)
        except StoreUnavailable as trouble:
            is_unavailable = True
            log.warning("A message could not be kept: the database is %s", trouble.reason)
        except Exception:
            log.exception("A message could not be kept")
        else:
            return ReceiveResult(AckCode.ACCEPT, text, encoding, kept=kept)
        not_kept = MessageRejected(207, "MSH-10", "Not kept: send it again")
        return ReceiveResult(AckCode.ERROR, text, encoding, not_kept, store_is_unavailable=is_unavailable)

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


def _refused(message: SplitMessage, problem: MessageRejected) -> ReceiveResult:
    """A message that is refused before it is decoded."""
    return ReceiveResult(AckCode.REJECT, message.content.decode("latin-1"), "latin-1", problem)
