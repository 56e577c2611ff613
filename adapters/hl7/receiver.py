"""Receiver of ADT messages: parses, applies and acknowledges them.

Messages and acknowledgements are bytes. A message is acknowledged once it is stored.
"""

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
from domain.interop.inbound_message import InboundMessage
from domain.policy import Actor

log = logging.getLogger("consumo.hl7")


class ReceiveResult(NamedTuple):
    """The acknowledgement code, the reason of a rejection, the stored message."""

    ack_code: AckCode
    text: str
    encoding: str = "utf-8"
    problem: MessageRejected | None = None
    kept: InboundMessage | None = None
    # The store is unavailable for every message.
    store_is_unavailable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Receives messages, sequentially or concurrently."""

    parse: AdtParser
    receive: ReceiveMessage
    reprocess: ReprocessHeldMessages
    actor: Actor
    zone: tzinfo
    # Metric callback with the kind and state of each stored message.
    count: Callable[[str, str], None] = lambda _kind, _state: None

    def answer(self, message: bytes) -> bytes:
        """Process a message and return its acknowledgement."""
        taken = self.handle(message)
        now = datetime.now(UTC).astimezone(self.zone)
        ack = acknowledgement(taken.text, taken.ack_code, now, taken.problem)
        return ack.encode(taken.encoding, "replace")

    def handle(self, frame: bytes) -> ReceiveResult:
        """Process the message in a frame."""
        messages = split_messages(frame)
        first = next(messages, SplitMessage(b""))
        if not first.is_too_long and next(messages, None) is not None:
            problem = MessageRejected(100, "MSH", "Several messages in one frame: send each in its own")
            return _reject(first, problem)
        return self.take_split(first)

    def take_split(self, message: SplitMessage) -> ReceiveResult:
        """Process a single message. Any content gets an answer."""
        if message.is_too_long:
            problem = MessageRejected(102, "MSH", f"More than {MAX_LINES:,} lines or {MAX_MESSAGE_BYTES:,} bytes")
            return _reject(message, problem)
        text, encoding = decode_message(message.content) or (None, "latin-1")
        if text is None:
            problem = MessageRejected(
                102, "MSH-18", "Not written in the character set that it names, or in none we know"
            )
            return _reject(message, problem)
        try:
            read = self.parse(text)
        except MessageRejected as problem:
            return ReceiveResult(AckCode.REJECT, text, encoding, problem)
        except Exception:
            # A defect of ours: sending the message again cannot help.
            log.exception("A message could not be read")
            return ReceiveResult(AckCode.REJECT, text, encoding, MessageRejected(207, "MSH", "It could not be read"))
        is_unavailable = False
        try:
            kept = self._store(read, text)
        except StoreUnavailable as trouble:
            is_unavailable = True
            log.warning("A message could not be kept: the database is %s", trouble.reason)
        except Exception:
            log.exception("A message could not be kept")
        else:
            return ReceiveResult(AckCode.ACCEPT, text, encoding, kept=kept)
        not_kept = MessageRejected(207, "MSH-10", "Not kept: send it again")
        return ReceiveResult(AckCode.ERROR, text, encoding, not_kept, store_is_unavailable=is_unavailable)

    def _store(self, read: AdmissionMessage, text: str) -> InboundMessage:
        try:
            kept = self.receive(self.actor, read, text)
        except StoreUnavailable:
            raise
        except Exception:
            # A defect of ours: store the message as failed, so that the sender does not retry forever.
            log.exception("What a message says could not be done")
            kept = self.receive(self.actor, read, text, failed=True)
        self.reprocess(kept)
        self.count(kept.kind, kept.state)
        return kept


def _reject(message: SplitMessage, problem: MessageRejected) -> ReceiveResult:
    """Reject a message before it is decoded."""
    return ReceiveResult(AckCode.REJECT, message.content.decode("latin-1"), "latin-1", problem)
