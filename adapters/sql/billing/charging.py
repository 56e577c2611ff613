"""Charges, and messages to billing."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, literal_column, not_, select

from adapters.sql.accounts.tables import users
from adapters.sql.billing.tables import IS_UNFINISHED, charges, outbound_messages
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from application.common.paging import id_of_key
from domain.billing.charges import BillingAccount, Charge, ChargedLine, ChargeKind, CreditReason
from domain.interop.outbound_message import OutboundMessage, OutboundState

# --- charges

_OF_LINE = tuple(field.name for field in fields(ChargedLine))
_INSERT = charges.insert()
_OF_SHEET = select(charges).where(charges.c.sheet_id == bindparam("sheet_id")).order_by(charges.c.id)


class SqlCharges:
    """Charges and credits of sheets, within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_all(self, new: Sequence[Charge]) -> None:
        """Insert charges."""
        if new:
            self._connection.execute(_INSERT, [_charge_to_row(charge) for charge in new])

    def of_sheet(self, sheet_id: int) -> list[Charge]:
        """Return the charges of a sheet in order."""
        return [_to_charge(row) for row in self._connection.execute(_OF_SHEET, {"sheet_id": sheet_id})]


def _charge_to_row(charge: Charge) -> dict[str, Any]:
    return {
        "sheet_id": charge.sheet_id,
        "turn": charge.turn,
        "transaction_id": charge.transaction_id,
        "kind": charge.kind,
        "reverses": charge.reverses,
        "reason": charge.reason,
        "note": charge.note,
        "patient_id": charge.account.patient_id,
        "visit_number": charge.account.visit_number,
        "message_id": charge.message_id,
        **{name: getattr(charge.line, name) for name in _OF_LINE},
    }


def _to_charge(row: Any) -> Charge:
    return Charge(
        id=row.id,
        transaction_id=row.transaction_id,
        sheet_id=row.sheet_id,
        turn=row.turn,
        kind=ChargeKind(row.kind),
        reverses=row.reverses,
        reason=CreditReason(row.reason) if row.reason else None,
        note=row.note,
        account=BillingAccount(patient_id=row.patient_id, visit_number=row.visit_number),
        line=ChargedLine(**{name: getattr(row, name) for name in _OF_LINE}),
        message_id=row.message_id,
    )


# --- messages


MAPPING = TableMapping[OutboundMessage](
    outbound_messages,
    OutboundMessage,
    keys={"sheet_id": outbound_messages.c.sheet_id},
    read={"state": Computed(OutboundState, outbound_messages.c.state)},
)

_BEFORE = outbound_messages.alias("before")
_DUE = (
    select(outbound_messages)
    .where(
        outbound_messages.c.state == literal_column(f"'{OutboundState.WAITING}'"),
        outbound_messages.c.next_try_at <= bindparam("at", type_=outbound_messages.c.next_try_at.type),
        not_(
            select(_BEFORE.c.id)
            .where(
                _BEFORE.c.sheet_id == outbound_messages.c.sheet_id,
                _BEFORE.c.id < outbound_messages.c.id,
                _BEFORE.c.state != literal_column(f"'{OutboundState.SENT}'"),
            )
            .exists()
        ),
    )
    .order_by(outbound_messages.c.id)
    .limit(1)
    # Concurrent senders take different messages. SQLite has one writer at a time.
    .with_for_update(skip_locked=True)
)
_UNFINISHED = (
    select(outbound_messages.c.state, func.count().label("count"), func.min(outbound_messages.c.created_at))
    .where(IS_UNFINISHED)
    .group_by(outbound_messages.c.state)
)


class SqlOutboundMessages(TableStore[OutboundMessage]):
    """Outbound messages within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """Return and lock the oldest due message.

        Messages that follow an unfinished one of the same sheet are not due.
        """
        row = self._connection.execute(_DUE, {"at": at}).one_or_none()
        return None if row is None else MAPPING.to_entity(row)


def unfinished_messages(connection: Connection) -> dict[OutboundState, tuple[int, datetime]]:
    """Return number and time of the oldest of waiting and dead messages."""
    return {OutboundState(state): (count, oldest) for state, count, oldest in connection.execute(_UNFINISHED)}


_MESSAGE = RowShape[OutboundMessageView](
    OutboundMessageView,
    outbound_messages,
    names={
        "consumption_sheet_id": outbound_messages.c.sheet_id,
        "state": Computed(OutboundState, outbound_messages.c.state),
        "next_try_at": Computed(
            lambda state, at: at if state == OutboundState.WAITING else None,
            *(outbound_messages.c.state, outbound_messages.c.next_try_at),
        ),
        "decided_by": users.c.email,
    },
)

OUTBOUND_MESSAGES = ListSpec[OutboundMessageView, OutboundMessageQuery](
    source=select(*_MESSAGE.columns).outerjoin_from(
        outbound_messages, users, users.c.id == outbound_messages.c.decided_by
    ),
    id=outbound_messages.c.id,
    order=(outbound_messages.c.id.desc(),),
    sorts={},
    searched=(outbound_messages.c.control_id,),
    to_item=_MESSAGE.read,
    filters={
        "state": outbound_messages.c.state == bindparam("state"),
        "consumption_sheet_id": outbound_messages.c.sheet_id == bindparam("consumption_sheet_id"),
    },
    filters_of=lambda query: {"state": query.state, "consumption_sheet_id": query.consumption_sheet_id},
    bounded=False,
    cursor_key=outbound_messages.c.id,
    key_of=lambda view: (str(view["id"]), view["id"]),
    read_key=id_of_key,
)
