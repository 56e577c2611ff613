"""The transactional outbox of messages to billing.

Messages are written together with the change and delivered in the background. A message that is rejected, or not
delivered for a long time, is a dead letter until an administrator decides.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from application.audit.audit_log import access_entry, entry
from application.billing.message_access import MessageAccess
from application.billing.views import (
    OUTBOUND_MESSAGE_SORTS,
    OutboundMessageQuery,
    OutboundMessageView,
    WholeOutboundMessageView,
)
from application.billing.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import OUTBOUND_MESSAGE, AuditAction
from application.common.use_case import permitted, retried
from application.records.list_reader import ListReader
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.interop.outbound_message import OutboundMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleDraft(Draft):
    """The reason why a message counts as sent."""

    reason: str | None = None


class DeliveryStatus(StrEnum):
    """The status of a delivery attempt."""

    ACCEPTED = "accepted"
    # A retry may succeed.
    FAILED = "failed"
    # The receiver does not accept it as it is.
    REJECTED = "rejected"


class DeliveryResult(NamedTuple):
    """The status of a delivery attempt, with the error if it failed.

    ``problem`` may quote the receiver and so contain patient data. ``cause`` is the part of it that may be logged.
    """

    status: DeliveryStatus
    problem: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class ClaimDueMessage:
    """Claim the oldest message that is due, for sending it.

    A message is not due while an earlier one of the same sheet is unfinished. If the sender crashes, the message is
    claimed again after the lease, with the same number and text. Only the sender uses this, so there is no permission
    check.
    """

    begin: Begin
    clock: Clock

    @retried
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
    """Record the result of a delivery attempt.

    Only the sender uses this, so there is no permission check.
    """

    begin: Begin
    clock: Clock

    @retried
    def __call__(self, message_id: int, result: DeliveryResult) -> OutboundMessage:
        with self.begin() as work:
            message, now = _locked(work, message_id), self.clock()
            before = message.state
            if result.status is DeliveryStatus.ACCEPTED:
                message.mark_delivered(now)
            else:
                message.mark_failed(now, result.problem, is_permanent=result.status is DeliveryStatus.REJECTED)
            work.outbound_messages.save(message)
            if message.state is not before:
                _touch_sheet(work, message)
        return message


@dataclass(frozen=True, slots=True)
class ReadOutboundMessage:
    """Read a message with its text.

    It has a patient's data and prices, so each access is logged.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_MESSAGES, Permission.SEE_PRICES)
    def __call__(self, actor: Actor, message_id: int) -> WholeOutboundMessageView:
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
    """Send a message again, with a new series of retries."""

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int) -> OutboundMessageView:
        now = self.clock()
        with self.begin() as work:
            message = _locked(work, message_id)
            before = replace(message)
            message.retry(now)
            return _decided(work, actor, now, AuditAction.OUTBOUND_MESSAGE_RETRIED, before, message)


@dataclass(frozen=True, slots=True)
class MarkOutboundMessageSent:
    """Decide, with a reason, that a message counts as sent.

    It is for messages that billing got in another way.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.RESOLVE_MESSAGES)
    def __call__(self, actor: Actor, message_id: int, draft: SettleDraft) -> OutboundMessageView:
        checks = Validator(draft.parse_errors)
        reason = checks.required_text("reason", draft.reason, longest=MAX_REASON_LENGTH)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            message = _locked(work, message_id)
            before = replace(message)
            message.mark_sent(actor, now, reason)
            return _decided(work, actor, now, AuditAction.OUTBOUND_MESSAGE_SETTLED, before, message)


def _locked(work: UnitOfWork, message_id: int) -> OutboundMessage:
    """Lock the message after its sheet, in the order that all use cases use."""
    message = work.outbound_messages.get(message_id)
    if message is None:
        raise NotFound
    work.sheets.lock(message.sheet_id)
    locked = work.outbound_messages.lock(message_id)
    assert locked is not None, "messages stay"
    return locked


def _touch_sheet(work: UnitOfWork, message: OutboundMessage) -> None:
    """Bump the version of a closed sheet, so that clients notice the change.

    An open sheet is left alone, so that users who work on it get no version conflict.
    """
    sheet = work.sheets.lock(message.sheet_id)
    if sheet is not None and sheet.closed:
        sheet.touch()
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


class ListOutboundMessages(ListReader[OutboundMessageView, OutboundMessageQuery]):
    """The messages to billing, the newest first."""

    kind = OUTBOUND_MESSAGE
    permission = Permission.READ_MESSAGES
    item_type = OutboundMessageView
    sorts = OUTBOUND_MESSAGE_SORTS
    access = MessageAccess
