"""Receiver of ADT messages: parses, applies and acknowledges them.

Messages and acknowledgements are bytes. A message is acknowledged once it is stored.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from adapters.hl7.acknowledgement import AckCode, acknowledgement
from adapters.hl7.adt_parser import MAX_NAME, AdtParser
from adapters.hl7.charset import decode_message
from adapters.hl7.header import Header
from adapters.hl7.mllp import MAX_MESSAGE_BYTES
from adapters.hl7.rejection import MessageRejected
from adapters.hl7.splitting import MAX_LINES, SplitMessage, split_messages
from application.common.store_errors import StoreUnavailable
from application.inbound.admission_message import AdmissionMessage
from application.inbound.receive_message import ReceiveMessage, ReprocessHeldMessages
from application.inbound.refused_messages import NoteRefusedMessage, RefusedMessage
from domain.common.errors import Code, Reason
from domain.common.policy import Actor
from domain.interop.inbound_message import InboundMessage

log = logging.getLogger("consumo.hl7")

# Names of character sets in the sentence about a wrong declaration.
_ENCODING_NAMES = {"utf-8": "UTF-8", "cp1252": "Windows-1252", "latin-1": "Latin-1"}


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
    note_refused: NoteRefusedMessage
    reprocess: ReprocessHeldMessages
    actor: Actor
    zone: tzinfo
    # Metric callback with the kind and state of each stored message.
    count: Callable[[str, str], None] = lambda _kind, _state: None
    # Metric callback with the reason of each message that was not stored.
    count_refused: Callable[[str], None] = lambda _reason: None

    def answer(self, content: bytes) -> list[bytes]:
        """Process all messages of a frame and return their acknowledgements.

        A message in enhanced mode may ask for none. A frame without a message is rejected.
        """
        results = list(self.process(content)) or [self._process_one(SplitMessage(b""))]
        answers = []
        for result in results:
            now = datetime.now(UTC).astimezone(self.zone)
            ack = acknowledgement(result.text, result.ack_code, now, result.problem)
            if ack is not None:
                answers.append(ack.encode(result.encoding, "replace"))
        return answers

    def process(self, content: bytes) -> Iterator[ReceiveResult]:
        """Process the messages of a frame or a file one after the other."""
        for message in split_messages(content):
            yield self._process_one(message)

    def _process_one(self, message: SplitMessage) -> ReceiveResult:
        """Process a message. Any content gets a result."""
        result = self._take(message)
        if result.problem is not None:
            code = result.problem.reason.code
            log.warning("A message was refused with A%s: %s at %s", result.ack_code, code, result.problem.place)
            self.count_refused(code.value)
            if result.ack_code is AckCode.REJECT:
                self._note(message, result.text, result.problem)
        return result

    def _take(self, message: SplitMessage) -> ReceiveResult:
        if message.is_too_long:
            problem = MessageRejected(
                Code.REFUSED_TOO_LARGE, "MSH", lines=f"{MAX_LINES:,}", bytes=f"{MAX_MESSAGE_BYTES:,}"
            )
            return ReceiveResult(AckCode.REJECT, message.content.decode("latin-1"), "latin-1", problem)
        text, encoding, contradicted = decode_message(message.content)
        doubt = None
        if contradicted is not None:
            doubt = Reason(
                Code.CHARACTER_SET_CONTRADICTED,
                params={"declared": contradicted[:MAX_NAME], "encoding": _ENCODING_NAMES[encoding]},
            )
        try:
            read = self.parse(text)
        except MessageRejected as problem:
            return ReceiveResult(AckCode.REJECT, text, encoding, problem)
        except Exception:
            # A defect of ours: sending the message again cannot help.
            log.exception("A message could not be read")
            return ReceiveResult(AckCode.REJECT, text, encoding, MessageRejected(Code.REFUSED_UNREADABLE, "MSH"))
        is_unavailable = False
        try:
            kept = self._store(read, text, doubt)
        except StoreUnavailable as trouble:
            is_unavailable = True
            log.warning("A message could not be kept: the database is %s", trouble.reason)
        except Exception:
            log.exception("A message could not be kept")
        else:
            return ReceiveResult(AckCode.ACCEPT, text, encoding, kept=kept)
        not_kept = MessageRejected(Code.NOT_STORED, "MSH-10")
        return ReceiveResult(AckCode.ERROR, text, encoding, not_kept, store_is_unavailable=is_unavailable)

    def _store(self, read: AdmissionMessage, text: str, doubt: Reason | None) -> InboundMessage:
        try:
            kept = self.receive(self.actor, read, text, doubt=doubt)
        except StoreUnavailable:
            raise
        except Exception:
            # A defect of ours: store the message as failed, so that the sender does not retry forever.
            log.exception("What a message says could not be done")
            kept = self.receive(self.actor, read, text, doubt=Reason(Code.MESSAGE_FAILED))
        self.reprocess.after_arrival(kept)
        self.count(kept.kind, kept.state)
        return kept

    def _note(self, message: SplitMessage, text: str, problem: MessageRejected) -> None:
        """List a refused message, without its text, for the administrators."""
        header = Header.of(text)
        refused = RefusedMessage(
            source=f"{header.component(3, 1)}|{header.component(4, 1)}"[:MAX_NAME],
            control_id=header.field(10)[:MAX_NAME],
            kind=header.component(9, 2)[:MAX_NAME],
            digest=hashlib.sha256(message.content).hexdigest(),
            reason=problem.reason,
        )
        try:
            self.note_refused(self.actor, refused)
        except Exception:
            # The sender gets its answer in any case.
            log.warning("A refused message could not be listed", exc_info=True)
