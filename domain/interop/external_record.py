"""Last-writer-wins record of the data that the hospital's system sent.

Each field keeps its newest value, regardless of the order of arrival.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

Value = str | None

_SEQUENCE_DIGITS = 20


def event_sort_key(
    at: datetime, *, recorded_at: datetime | None = None, sent_at: datetime | None = None, sequence: int = 0
) -> str:
    """Return the sort key of a field or event.

    It orders by the time of the event, of its recording and of its sending, then by ``sequence``, the order of arrival.
    """
    moments = (
        moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else ""
        for moment in (at, recorded_at, sent_at)
    )
    return "|".join([*moments, str(sequence).zfill(_SEQUENCE_DIGITS)])


class RoomEventKind(StrEnum):
    """The kinds of events about a patient's room."""

    ADMITTED = "admitted"
    MOVED = "moved"
    # The room was wrong before. The patient did not move.
    CORRECTED = "corrected"
    MOVED_BACK = "moved_back"
    # A message other than the admission opened the sheet, so that the first known room is that of the earliest event.
    OPENED = "opened"


@dataclass(frozen=True, slots=True)
class RoomEvent:
    """One event about a patient's room."""

    order: str
    kind: RoomEventKind
    room_id: int
    at: datetime
    # The user who moved the patient by hand; None for an event of the other system.
    by: int | None = None


@dataclass(frozen=True, slots=True)
class ExternalRecord:
    """The newest value of each field with its order, and every room event."""

    fields: Mapping[str, tuple[str, Value]] = field(default_factory=dict)
    rooms: tuple[RoomEvent, ...] = ()

    @classmethod
    def from_json(cls, text: str | None) -> "ExternalRecord":
        """Parse the stored JSON text."""
        if text is None:
            return cls()
        kept = json.loads(text)
        rooms = (
            RoomEvent(order, RoomEventKind(kind), room_id, datetime.fromisoformat(at))
            for order, kind, room_id, at in kept[1]
        )
        return cls({name: (order, value) for name, (order, value) in kept[0].items()}, tuple(rooms))

    @property
    def to_json(self) -> str:
        """The record as JSON text for storage."""
        rooms = [(one.order, one.kind, one.room_id, one.at.isoformat()) for one in self.rooms]
        return json.dumps((self.fields, rooms), ensure_ascii=False, separators=(",", ":"))

    @property
    def last_sort_key(self) -> str:
        """The order of the newest field or event."""
        return max((*(order for order, _ in self.fields.values()), *(one.order for one in self.rooms)), default="")

    def value(self, name: str) -> Value:
        """Return the newest value of a field; None if it is unknown or empty."""
        return self.fields[name][1] if name in self.fields else None

    def without(self, names: Iterable[str]) -> "ExternalRecord":
        """Return the record without these fields."""
        gone = frozenset(names)
        return replace(self, fields={name: kept for name, kept in self.fields.items() if name not in gone})

    def merge(self, order: str, said: Mapping[str, Value]) -> tuple["ExternalRecord", dict[str, Value]]:
        """Return the record with these fields, and the values that changed.

        A field with the same value as in the previous message is not a change. Otherwise a repeated message would
        overwrite a correction that a user made by hand.
        """
        newer = {name: value for name, value in said.items() if self._is_newer(name, order)}
        news = {
            name: value for name, value in newer.items() if name not in self.fields or self.fields[name][1] != value
        }
        fields = {**self.fields, **{name: (order, value) for name, value in newer.items()}}
        return replace(self, fields=fields), news

    def add_room_event(self, event: RoomEvent) -> "ExternalRecord":
        """Return the record with one more room event.

        A patient is admitted once: a second admission corrects the room of the first.
        """
        if event.kind is RoomEventKind.ADMITTED and any(one.kind is RoomEventKind.ADMITTED for one in self.rooms):
            event = replace(event, kind=RoomEventKind.CORRECTED)
        return replace(self, rooms=(*self.rooms, event))

    def _is_newer(self, name: str, order: str) -> bool:
        return name not in self.fields or order > self.fields[name][0]


@dataclass(frozen=True, slots=True)
class RoomPeriod:
    """A room in which a patient was ``since`` a moment.

    ``since`` is None for the first room, which counts from admission. ``by`` is the user who moved the patient, or
    None.
    """

    room_id: int
    since: datetime | None = None
    by: int | None = None


def room_periods(first_room_id: int, events: Iterable[RoomEvent]) -> list[RoomPeriod]:
    """Return the patient's rooms in order, replayed from the events.

    Without an event about it, the first room is ``first_room_id``.
    """
    in_order = sorted(events, key=lambda event: (event.kind is not RoomEventKind.ADMITTED, event.order))
    if any(event.kind is RoomEventKind.OPENED for event in in_order):
        first_room_id = next(event.room_id for event in in_order if event.kind is not RoomEventKind.OPENED)
    rooms = [RoomPeriod(first_room_id)]
    for event in in_order:
        match event.kind:
            case RoomEventKind.ADMITTED | RoomEventKind.CORRECTED:
                rooms[-1] = replace(rooms[-1], room_id=event.room_id)
            case RoomEventKind.MOVED if event.room_id != rooms[-1].room_id:
                rooms.append(RoomPeriod(event.room_id, event.at, event.by))
            case RoomEventKind.MOVED_BACK if len(rooms) > 1 and rooms[-2].room_id == event.room_id:
                rooms.pop()
            case _:
                pass
    return rooms
