"""Read inbound messages and their state."""

from dataclasses import dataclass, replace

from application.audit.access_log import AccessLog
from application.audit.audit_log import access_entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.entity_view import EntityView
from application.common.use_case import permitted
from application.inbound.ports import DescribeMessage
from application.inbound.views import (
    HeldReasonView,
    InboundMessageQuery,
    InboundMessagesView,
    InboundMessageView,
    MessageFieldView,
)
from application.inbound.work import Begin, Read, Views
from application.records.list_reader import validate_texts
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.interop.inbound_message import InboundMessage

BATCH_SIZE = 50
# Reading this many rows takes a few hundredths of a second: a hospital's messages of ten days, or all that are held.
MAX_SEARCHED = 20_000


@dataclass(frozen=True, slots=True)
class ListInboundMessages:
    """List the latest messages, or the messages in one state.

    Held messages are listed oldest first. The list has no patient names; a search that finds those of one patient is
    logged as a look at the patient.
    """

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_MESSAGES)
    def __call__(self, actor: Actor, query: InboundMessageQuery) -> InboundMessagesView:
        validate_texts(query)
        with self.read() as views:
            found = views.inbound_messages.page(query, limit=BATCH_SIZE, max_searched=MAX_SEARCHED)
            items = _views(views, found.items)
            held = views.inbound_messages.held_by_reason()
        patient_ids = {item["patient_id"] for item in items}
        if (query.q or query.kind or query.reason) and len(patient_ids) == 1:
            self.access_log.note_patient_read(actor, *filter(None, patient_ids))
        reasons = [
            HeldReasonView(code=code, messages=messages)
            for code, messages in sorted(held.items(), key=lambda one: (-one[1], one[0]))
        ]
        return InboundMessagesView(items=items, next=found.next, held=sum(held.values()), reasons=reasons)


@dataclass(frozen=True, slots=True)
class ReadInboundMessage:
    """Read a message with its fields.

    It has a patient's data, so each access is logged.
    """

    begin: Begin
    read: Read
    clock: Clock
    describe_message: DescribeMessage

    @permitted(Permission.READ_MESSAGES)
    def __call__(self, actor: Actor, message_id: int) -> InboundMessageView:
        with self.read() as views:
            kept = views.inbound_messages.one(message_id)
            if kept is None:
                raise NotFound
            view = _views(views, [kept])[0]
        view["fields"] = [
            MessageFieldView(place=place, value=value) for place, value in self.describe_message(kept.body or "")
        ]
        access = access_entry(actor, self.clock(), AuditAction.INBOUND_MESSAGE_READ, message_id)
        with self.begin() as work:
            work.audit_log.append(replace(access, patient_id=kept.patient_id))
        return view


_MESSAGE = EntityView[InboundMessageView](
    InboundMessageView,
    InboundMessage,
    *("code", "field", "params", "consumption_sheet_id", "decided_by"),
    # Only of a message that is read alone, or as the adapter words it.
    omitted={"why", "fields"},
)


def _views(views: Views, found: list[InboundMessage]) -> list[InboundMessageView]:
    people = {one.decided_by for one in found if one.decided_by}
    named, emails = views.names("user_id", people), views.names("account_id", people)
    return [
        _MESSAGE.of(
            one,
            code=one.reason.code.value if one.reason else None,
            field=one.reason.field if one.reason else None,
            params={
                name: value if isinstance(value, int) else str(value)
                for name, value in (one.reason.params if one.reason else {}).items()
            },
            consumption_sheet_id=one.sheet_id,
            decided_by=(named.get(one.decided_by) or emails.get(one.decided_by)) if one.decided_by else None,
        )
        for one in found
    ]
