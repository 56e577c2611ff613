"""The transactional outbox: messages to billing, written with what they tell of and delivered in the background.

One that is not delivered for long, or rejected, is a dead letter, until somebody decides what becomes of it.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from application.audit_log import access_entry, entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from application.views import OutboundMessageView, WholeOutboundMessageView
from domain.errors import NotFound, Reason
from domain.outbound_message import OutboundMessage
from domain.policy import Actor, Permission
from domain.validation import MAX_REASON_LENGTH, Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleDraft:
    """Why a message counts as sent."""

    reason: str | None = None
    unreadable: tuple[Reason, ...] = ()


class DeliveryStatus(StrEnum):
    """What became of a delivery."""

    ACCEPTED = "accepted"
    # It may be taken another time.
    FAILED = "failed"
    # It is not taken as it is.
    REJECTED = "rejected"


class DeliveryResult(NamedTuple):
    """What became of a delivery, and what was said where it came to nothing."""

    status: DeliveryStatus
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ClaimDueMessage:
    """Claim the oldest message that is due, to send it. None is while one before it of its sheet is not finished.

    Whoever dies with it has it claimed once more when the lease is over, with the same number and text. For the sender
    alone.
    """

    begin: Begin
    clock: Clock

    def __call__(self) -> OutboundMessage | None:
        now = self.clock()
        with self.begin() as work:
            message = work.outbound_messages.claim_due(now)
            if message is not None:
                message.start_attempt(now)
                work.outbound_messages.save(message)
        return message


@dataclass(frozen=True, slots=True)
class RecordDelivery:
    """Record what became of the delivery of a message. For the sender alone."""

    begin: Begin
    clock: Clock

    def __call__(self, message_id: int, result: DeliveryResult) -> OutboundMessage:
        with self.begin() as work:
            message, now = _locked(work, message_id), self.clock()
            before = message.state
            if result.status is DeliveryStatus.ACCEPTED:
                message.accept(now)
            else:
                message.fail(now, result.problem, for_good=result.status is DeliveryStatus.REJECTED)
            work.outbound_messages.save(message)
            if message.state is not before:
                _touch_sheet(work, message)
        return message


@dataclass(frozen=True, slots=True)
class ReadOutboundMessage:
    """A message with what it says: a patient's data and prices. Each look is noted."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, message_id: int) -> WholeOutboundMessageView:
        actor.must(Permission.READ_MESSAGES)
        actor.must(Permission.SEE_PRICES)
        with self.begin() as work:
            message = work.outbound_messages.get(message_id)
            view = work.views.outbound_messages.one(message_id)
            if message is None or view is None:
                raise NotFound
            seen = access_entry(actor, self.clock(), AuditAction.OUTBOUND_MESSAGE_READ, message_id)
            work.audit_log.append(replace(seen, sheet_id=message.sheet_id))
        return WholeOutboundMessageView(**view, body=message.body)


@dataclass(frozen=True, slots=True)
class RetryOutboundMessage:
    """Send a message again, from now on, with as much patience as the first time."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, message_id: int) -> OutboundMessageView:
        actor.must(Permission.RESOLVE_MESSAGES)
        now = self.clock()
        with self.begin() as work:
            message = _locked(work, message_id)
            before = replace(message)
            message.retry(now)
            return _decided(work, actor, now, AuditAction.OUTBOUND_MESSAGE_RETRIED, before, message)


@dataclass(frozen=True, slots=True)
class MarkOutboundMessageSent:
    """Decide, with a reason, that a message counts as sent: whoever bills knows of it otherwise."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, message_id: int, draft: SettleDraft) -> OutboundMessageView:
        actor.must(Permission.RESOLVE_MESSAGES)
        checks = Validator(draft.unreadable)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            message = _locked(work, message_id)
            before = replace(message)
            message.settle(actor, now, reason)
            return _decided(work, actor, now, AuditAction.OUTBOUND_MESSAGE_SETTLED, before, message)


def _locked(work: UnitOfWork, message_id: int) -> OutboundMessage:
    """The message, its sheet locked before it as everybody does who locks both."""
    message = work.outbound_messages.get(message_id)
    if message is None:
        raise NotFound
    work.sheets.lock(message.sheet_id)
    locked = work.outbound_messages.lock(message_id)
    assert locked is not None, "messages stay"
    return locked


def _touch_sheet(work: UnitOfWork, message: OutboundMessage) -> None:
    """Whoever looks at the closed sheet is told; who works on one that is open again is not held up."""
    sheet = work.sheets.lock(message.sheet_id)
    if sheet is not None and sheet.closed:
        sheet.tell()
        work.sheets.save(sheet)


def _decided(
    work: UnitOfWork, actor: Actor, at: datetime, action: AuditAction, before: OutboundMessage, after: OutboundMessage
) -> OutboundMessageView:
    work.outbound_messages.save(after)
    _touch_sheet(work, after)
    work.audit_log.append(entry(actor, at, action, before=before, after=after))
    view = work.views.outbound_messages.one(after.id)
    assert view is not None, "it was locked just now"
    return view
