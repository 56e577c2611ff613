"""Receive ADT messages: each once, in any order, without loss."""

import hashlib
import logging
from dataclasses import dataclass, field
from datetime import tzinfo

from application.accounts.sessions.service_accounts import receiver_actor
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.store_errors import StoreUnavailable
from application.common.use_case import permitted, retried
from application.inbound.admission_message import AdmissionMessage
from application.inbound.apply_message import apply_message, settled_by_retrying
from application.inbound.message_context import leaves_sheet_unopened
from application.inbound.ports import ParseMessage
from application.inbound.stores import Unblocked
from application.inbound.work import Begin, UnitOfWork
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.interop.inbound_message import InboundMessage, InboundState

log = logging.getLogger("consumo.hl7")


@dataclass(frozen=True, slots=True)
class ReceiveMessage:
    """Store a message and apply it, or hold it if that fails.

    A repeated message has no effect. All of it is one unit of work. With a ``doubt``, the message is held without being
    applied.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.OPEN_SHEETS)
    def __call__(
        self, actor: Actor, message: AdmissionMessage, body: str, *, doubt: Reason | None = None
    ) -> InboundMessage:
        digest = hashlib.sha256(body.encode()).hexdigest()
        try:
            with self.begin() as work:
                kept = _find_stored(work, message, digest)
                if kept is not None:
                    return kept
                kept = self._build_message(actor, message, body, digest)
                if doubt is not None:
                    raise Refused(doubt)
                work.inbound_messages.add(kept)
                apply_message(work, actor, kept, message, self.clock(), self.zone)
                return kept
        except Refused as refused:
            return self._hold(self._build_message(actor, message, body, digest), message, refused.reasons[0])

    def _hold(self, kept: InboundMessage, message: AdmissionMessage, reason: Reason) -> InboundMessage:
        with self.begin() as work:
            # Another receiver may have stored it at the same moment.
            there = _find_stored(work, message, kept.digest)
            if there is not None:
                return there
            kept.hold(reason)
            work.inbound_messages.add(kept)
        return kept

    def _build_message(self, actor: Actor, message: AdmissionMessage, body: str, digest: str) -> InboundMessage:
        received_at = self.clock()
        return InboundMessage(
            source=message.source,
            control_id=message.control_id,
            digest=digest,
            kind=message.kind,
            event_at=min(message.event_at, received_at),
            received_at=received_at,
            user_id=actor.user_id,
            body=body,
            visit_number=message.visit_number,
            record_number=message.record_number,
            prior_number=message.prior_number,
            location=message.location,
        )


def _find_stored(work: UnitOfWork, message: AdmissionMessage, digest: str) -> InboundMessage | None:
    return work.inbound_messages.find("control_id", (message.source, message.control_id, digest))


@dataclass(slots=True)
class _Arrivals:
    """Data that has arrived, for which held messages may wait."""

    visit_numbers: set[str] = field(default_factory=set)
    record_numbers: set[str] = field(default_factory=set)
    locations: set[tuple[str, str]] = field(default_factory=set)

    def add(self, kept: InboundMessage) -> None:
        self.visit_numbers.update(filter(None, [kept.visit_number]))
        self.record_numbers.update(filter(None, [kept.record_number, kept.prior_number]))

    @property
    def all(self) -> Unblocked:
        return Unblocked(frozenset(self.visit_numbers), frozenset(self.record_numbers), frozenset(self.locations))


@dataclass(frozen=True, slots=True)
class ReprocessHeldMessages:
    """Retry the held messages that may have waited for a message.

    They are tried oldest first, each in a unit of work of its own. It is safe to repeat this. A receiver acknowledges a
    message only after this step. If the sender gets no acknowledgement, it sends the message again, and this step is
    repeated.
    """

    begin: Begin
    begin_read_only: Begin
    clock: Clock
    zone: tzinfo
    parse_message: ParseMessage

    @retried
    def __call__(self, after: InboundMessage, location: tuple[str, str] | None = None) -> int:
        """Return how many messages no longer wait after a user's answer.

        ``location`` is one to which the user assigned a room.
        """
        reprocessed = int(after.waiting and self.reprocess(after.id))
        came = _Arrivals(locations={location} if location else set())
        came.add(after)
        return reprocessed + self._retry_waiting(came, {after.id})

    @retried
    def after_arrival(self, kept: InboundMessage) -> int:
        """Return how many messages no longer wait after a message arrived.

        A message without effect unblocks none, so it costs the same however many wait. The exception is the first of a
        visit whose sheet another message may open.
        """
        # Another message may have been applied while this one was being held.
        reprocessed = int(kept.waiting and self.reprocess(kept.id))
        if not reprocessed and kept.state is not InboundState.APPLIED and not self._is_first_unopened(kept):
            return 0
        came = _Arrivals()
        came.add(kept)
        return reprocessed + self._retry_waiting(came, {kept.id})

    def _is_first_unopened(self, kept: InboundMessage) -> bool:
        if kept.visit_number is None or kept.reason is None or not leaves_sheet_unopened(kept.reason.code, kept.kind):
            return False
        with self.begin_read_only() as work:
            others = work.inbound_messages.waiting_reasons(kept.visit_number, besides=kept.id)
        return not any(code is kept.reason.code and leaves_sheet_unopened(code, kind) for code, kind in others)

    def _retry_waiting(self, came: _Arrivals, tried: set[int]) -> int:
        reprocessed = 0
        while True:
            with self.begin_read_only() as work:
                waiting = [one for one in work.inbound_messages.waiting(came.all) if one.id not in tried]
            if not waiting:
                return reprocessed
            for one in waiting:
                tried.add(one.id)
                if self.reprocess(one.id):
                    reprocessed += 1
                    came.add(one)
                    # Other messages may have waited for its effects, so try all others again.
                    tried = {one.id}
                    break

    @retried
    def reprocess(self, message_id: int, *, retried_by: Actor | None = None) -> bool:
        """Retry one message. Return whether it is no longer waiting.

        ``retried_by`` is the administrator whose retry answers the question.
        """
        try:
            with self.begin() as work:
                kept = work.inbound_messages.lock(message_id)
                if kept is None or not kept.waiting or kept.body is None:
                    return False
                self._note(work, kept, retried_by)
                apply_message(
                    work, receiver_actor(kept.user_id), kept, self.parse_message(kept.body), self.clock(), self.zone,
                    settled=settled_by_retrying(kept.reason) if retried_by else frozenset(),
                )  # fmt: skip
                return not kept.waiting
        except StoreUnavailable:
            raise
        except Exception as error:
            reason = error.reasons[0] if isinstance(error, Refused) else Reason(Code.MESSAGE_FAILED)
            if not isinstance(error, Refused):
                # It is a bug, or a message that was stored before there were limits. Other messages must not be blocked
                # by it.
                log.exception("A message that is held could not be tried again")
            with self.begin() as work:
                kept = work.inbound_messages.lock(message_id)
                if kept is not None and kept.state is InboundState.HELD:
                    kept.reason = reason
                    kept.tries += 1
                    work.inbound_messages.save(kept)
                    self._note(work, kept, retried_by)
            return False

    def _note(self, work: UnitOfWork, kept: InboundMessage, retried_by: Actor | None) -> None:
        if retried_by is not None:
            audit_entry = entry(retried_by, self.clock(), AuditAction.INBOUND_MESSAGE_RETRIED, before=kept, after=kept)
            work.audit_log.append(audit_entry)
