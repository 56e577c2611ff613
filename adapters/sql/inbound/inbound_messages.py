"""Inbound messages, room mappings and settings of the receiver."""

import json
from collections.abc import Collection, Hashable
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, literal_column, or_, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.engine.lists import escape_like
from adapters.sql.engine.row_shape import Computed, or_none
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.inbound.tables import IS_HELD, IS_WAITING, inbound_messages, receiver_settings, room_mappings
from application.inbound.ports import MessagePage
from application.inbound.stores import Unblocked
from application.inbound.views import InboundMessageQuery
from domain.common.errors import Code, Reason
from domain.interop.inbound_message import InboundMessage, InboundState


def _params(reason: Reason) -> str:
    """Encode field and parameters of a reason; dates and amounts as text."""
    params = {name: value if isinstance(value, int) else str(value) for name, value in reason.params.items()}
    return json.dumps({"field": reason.field, "params": params}, ensure_ascii=False)


def _to_reason(code: str, params: str) -> Reason:
    """Return the reason for which a message is held or was ignored."""
    kept = json.loads(params)
    return Reason(Code(code), kept["field"], kept["params"])


MAPPING = TableMapping[InboundMessage](
    inbound_messages,
    InboundMessage,
    written={
        "state": lambda message: message.state.value,
        "reason": lambda message: message.reason.code.value if message.reason else None,
        "params": lambda message: _params(message.reason) if message.reason else None,
    },
    read={
        "state": Computed(InboundState, inbound_messages.c.state),
        "reason": or_none(Computed(_to_reason, inbound_messages.c.reason, inbound_messages.c.params)),
    },
)

_MESSAGE = (inbound_messages.c.source, inbound_messages.c.control_id, inbound_messages.c.digest)
_ONE = select(inbound_messages).where(*(column == bindparam(column.name) for column in _MESSAGE))
_CALLED = (
    select(inbound_messages)
    .where(tuple_(*_MESSAGE[:2]).in_(bindparam("values", expanding=True)))
    .order_by(inbound_messages.c.id)
)
_OF_ANY_CLASS = inbound_messages.c.reason != literal_column(f"'{Code.UNSUPPORTED_PATIENT_CLASS}'")
_WAITING = (
    select(inbound_messages)
    .where(
        IS_WAITING,
        or_(
            inbound_messages.c.visit_number.in_(bindparam("visits", expanding=True)),
            _OF_ANY_CLASS & inbound_messages.c.record_number.in_(bindparam("numbers", expanding=True)),
            _OF_ANY_CLASS & inbound_messages.c.prior_number.in_(bindparam("numbers", expanding=True)),
            _OF_ANY_CLASS
            & tuple_(inbound_messages.c.source, inbound_messages.c.location).in_(
                bindparam("locations", expanding=True)
            ),
        ),
    )
    .order_by(inbound_messages.c.event_at, inbound_messages.c.id)
)
_WAITING_REASONS = (
    select(inbound_messages.c.reason, inbound_messages.c.kind)
    .distinct()
    .where(
        IS_WAITING,
        inbound_messages.c.visit_number == bindparam("visit"),
        inbound_messages.c.id != bindparam("besides"),
        inbound_messages.c.reason.is_not(None),
    )
)
_PURGE = (
    inbound_messages.update()
    .where(
        inbound_messages.c.received_at < bindparam("before", type_=inbound_messages.c.received_at.type),
        inbound_messages.c.body.is_not(None),
        inbound_messages.c.state != InboundState.HELD.value,
    )
    .values(body=None, waiting=False)
)
_IS_REFUSED = inbound_messages.c.state == literal_column(f"'{InboundState.REFUSED}'")
_REFUSED = select(func.count()).where(_IS_REFUSED)
_PURGE_REFUSED = inbound_messages.delete().where(
    _IS_REFUSED, inbound_messages.c.received_at < bindparam("before", type_=inbound_messages.c.received_at.type)
)


class SqlInboundMessages(TableStore[InboundMessage]):
    """Inbound messages within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def find(self, key: str, value: Hashable) -> InboundMessage | None:
        """Return the message with this source, control id and digest."""
        del key  # there is only one key
        names = (column.name for column in _MESSAGE)
        return self._one(_ONE, dict(zip(names, cast("tuple[str, str, str]", value), strict=True)))

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[InboundMessage]:
        """Return messages by key, in order of id."""
        if key != "called":
            return super().find_many(key, values, locked=locked)
        return [MAPPING.to_entity(row) for row in self._connection.execute(_CALLED, {"values": list(values)})]

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """Return held messages that these data may unblock, by time of the event."""
        params = {
            "visits": list(came.visit_numbers),
            "numbers": list(came.record_numbers),
            "locations": list(came.locations),
        }
        return [MAPPING.to_entity(row) for row in self._connection.execute(_WAITING, params)]

    def waiting_reasons(self, visit_number: str, *, besides: int) -> set[tuple[Code, str]]:
        """Return why messages of a visit wait, with their kinds, except one."""
        rows = self._connection.execute(_WAITING_REASONS, {"visit": visit_number, "besides": besides})
        return {(Code(row.reason), row.kind) for row in rows}

    def refused(self) -> int:
        """Return the number of refused messages."""
        return int(self._connection.execute(_REFUSED).scalar_one())

    def purge(self, before: datetime) -> None:
        """Delete old bodies and old refused messages.

        Those received before that moment are old. Held messages stay.
        """
        self._connection.execute(_PURGE, {"before": before})
        self._connection.execute(_PURGE_REFUSED, {"before": before})


_SEARCHED = (
    inbound_messages.c.visit_number,
    inbound_messages.c.record_number,
    inbound_messages.c.control_id,
    inbound_messages.c.source,
    inbound_messages.c.location,
)
_HELD = select(func.count()).where(IS_HELD)
_HELD_BY_REASON = (
    select(inbound_messages.c.reason, func.count().label("messages")).where(IS_HELD).group_by(inbound_messages.c.reason)
)
_BEFORE = inbound_messages.c.received_at < bindparam("before", type_=inbound_messages.c.received_at.type)


def _ordered(statement: Select[Any], number: ColumnElement[int], query: InboundMessageQuery) -> Select[Any]:
    return statement.order_by(number if query.oldest_first else number.desc())


def _matching(there: Select[Any], query: InboundMessageQuery, max_searched: int) -> Select[Any]:
    """Select the ids among the first ``max_searched`` that match the query."""
    columns = (inbound_messages.c.kind, inbound_messages.c.reason, *_SEARCHED)
    first = there.add_columns(*columns).limit(max_searched).subquery()
    matching = _ordered(select(first.c.id), first.c.id, query)
    if query.kind:
        matching = matching.where(first.c.kind == query.kind)
    if query.reason:
        matching = matching.where(first.c.reason == query.reason)
    if query.prefix:
        beginning = func.lower(f"{escape_like(query.prefix)}%")
        matching = matching.where(
            or_(*(func.lower(first.c[one.name]).like(beginning, escape="\\") for one in _SEARCHED))
        )
    return matching


class SqlMessagesView:
    """Read model of messages."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def page(self, query: InboundMessageQuery, *, limit: int, max_searched: int) -> MessagePage:
        """Return messages, newest first; held ones oldest first."""
        number = inbound_messages.c.id
        there = _ordered(select(number), number, query)
        if query.state is not None:
            there = there.where(inbound_messages.c.state == query.state.value)
        if query.after is not None:
            there = there.where(number > query.after if query.oldest_first else number < query.after)
        selected = _matching(there, query, max_searched) if query.searches else there
        page = _ordered(select(inbound_messages), number, query).where(number.in_(selected.limit(limit + 1)))
        found = [MAPPING.to_entity(row) for row in self._connection.execute(page)]
        if len(found) > limit:
            return MessagePage(found[:limit], found[limit - 1].id)
        if not query.searches:
            return MessagePage(found, None)
        last, *beyond = [*self._connection.execute(there.offset(max_searched - 1).limit(2)).scalars(), None]
        return MessagePage(found, last if beyond else None)

    def held_by_reason(self) -> dict[str, int]:
        """Return the numbers of held messages by the code of the reason."""
        return {row.reason: row.messages for row in self._connection.execute(_HELD_BY_REASON) if row.reason}

    def held(self, received_before: datetime | None = None) -> int:
        """Return the number of held messages, optionally received before a moment."""
        if received_before is None:
            return int(self._connection.execute(_HELD).scalar_one())
        return int(self._connection.execute(_HELD.where(_BEFORE), {"before": received_before}).scalar_one())

    def one(self, id: int) -> InboundMessage | None:
        """Return the message with this id."""
        row = self._connection.execute(MAPPING.one, {"id": id}).one_or_none()
        return None if row is None else MAPPING.to_entity(row)


_ROOM = select(room_mappings.c.room_id).where(
    room_mappings.c.system == bindparam("of_system"), room_mappings.c.code == bindparam("of_code")
)
_SET_ROOM = (
    room_mappings.update()
    .where(room_mappings.c.system == bindparam("of_system"), room_mappings.c.code == bindparam("of_code"))
    .values(room_id=bindparam("to_room"))
)


class SqlRoomMappings:
    """Rooms by codes of other systems, within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def room(self, system: str, code: str) -> int | None:
        """Return the id of a code's room."""
        row = self._connection.execute(_ROOM, {"of_system": system, "of_code": code}).one_or_none()
        return None if row is None else row.room_id

    def set_room(self, system: str, code: str, room_id: int) -> None:
        """Set the room of a code."""
        if self.room(system, code) is None:
            row = {"system": system, "code": code, "room_id": room_id}
            self._connection.execute(room_mappings.insert(), row)
        else:
            self._connection.execute(_SET_ROOM, {"of_system": system, "of_code": code, "to_room": room_id})


_DIGEST = select(receiver_settings.c.digest)
# There is one row.
_ADT = "adt"


def _set_digest(insert: Any) -> Any:
    new = insert(receiver_settings)
    return new.on_conflict_do_update(index_elements=["name"], set_={"digest": new.excluded.digest})


_SET_DIGEST = {"postgresql": _set_digest(postgresql.insert), "sqlite": _set_digest(sqlite.insert)}


class SqlReceiverSettings:
    """Digest of the receiver's settings, within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def digest(self) -> str | None:
        """Return the digest; None if the receiver never ran."""
        row = self._connection.execute(_DIGEST).one_or_none()
        return None if row is None else row.digest

    def set_digest(self, digest: str) -> None:
        """Set the digest."""
        self._connection.execute(_SET_DIGEST[self._connection.dialect.name], {"name": _ADT, "digest": digest})
