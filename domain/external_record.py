"""Last-writer-wins record of what the hospital's system said: of each field the newest, in whatever order it came."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

Value = str | None

_SEQUENCE_DIGITS = 20


def order_of(
    at: datetime, *, recorded_at: datetime | None = None, sent_at: datetime | None = None, sequence: int = 0
) -> str:
    """By what fields and events are ordered: when it happened, was recorded and was sent, then the order of arrival."""
    moments = (
        moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else ""
        for moment in (at, recorded_at, sent_at)
    )
    return "|".join([*moments, str(sequence).zfill(_SEQUENCE_DIGITS)])


class RoomEventKind(StrEnum):
    """What an event says of where a patient lies."""

    ADMITTED = "admitted"
    MOVED = "moved"
    # There, as somebody sees now: nobody moved the patient.
    CORRECTED = "corrected"
    MOVED_BACK = "moved_back"


@dataclass(frozen=True, slots=True)
class RoomEvent:
    """One thing that was said of where a patient lies."""

    order: str
    kind: RoomEventKind
    room_id: int
    at: datetime
    # Who moved the patient by hand; None for what the other system said.
    by: int | None = None


@dataclass(frozen=True, slots=True)
class ExternalRecord:
    """All that was said: of each field the newest value with its order, and every event about rooms."""

    fields: Mapping[str, tuple[str, Value]] = field(default_factory=dict)
    rooms: tuple[RoomEvent, ...] = ()

    @classmethod
    def of(cls, text: str | None) -> "ExternalRecord":
        """What ``text`` holds."""
        if text is None:
            return cls()
        kept = json.loads(text)
        rooms = (
            RoomEvent(order, RoomEventKind(kind), room_id, datetime.fromisoformat(at))
            for order, kind, room_id, at in kept[1]
        )
        return cls({name: (order, value) for name, (order, value) in kept[0].items()}, tuple(rooms))

    @property
    def text(self) -> str:
        """As it is kept."""
        rooms = [(one.order, one.kind, one.room_id, one.at.isoformat()) for one in self.rooms]
        return json.dumps((self.fields, rooms), ensure_ascii=False, separators=(",", ":"))

    @property
    def latest(self) -> str:
        """The order of the newest field or event."""
        return max((*(order for order, _ in self.fields.values()), *(one.order for one in self.rooms)), default="")

    def merge(self, order: str, said: Mapping[str, Value]) -> tuple["ExternalRecord", dict[str, Value]]:
        """All with these fields, and those of them of which something else is said now than before.

        Of what says the same as before nothing is new: whoever put it right by hand is not corrected by its being
        said once more.
        """
        newer = {name: value for name, value in said.items() if self._is_newer(name, order)}
        news = {
            name: value for name, value in newer.items() if name not in self.fields or self.fields[name][1] != value
        }
        fields = {**self.fields, **{name: (order, value) for name, value in newer.items()}}
        return replace(self, fields=fields), news

    def add_room_event(self, event: RoomEvent) -> "ExternalRecord":
        """All with one more event about rooms. A patient is admitted once: a second admission corrects the first."""
        if event.kind is RoomEventKind.ADMITTED and any(one.kind is RoomEventKind.ADMITTED for one in self.rooms):
            event = replace(event, kind=RoomEventKind.CORRECTED)
        return replace(self, rooms=(*self.rooms, event))

    def _is_newer(self, name: str, order: str) -> bool:
        return name not in self.fields or order > self.fields[name][0]


@dataclass(frozen=True, slots=True)
class RoomPeriod:
    """A room in which a patient lay since then, and who said so; the first one since admission."""

    room_id: int
    since: datetime | None = None
    by: int | None = None


def room_periods(first_room_id: int, events: Iterable[RoomEvent]) -> list[RoomPeriod]:
    """Where a patient lay, one room after the other, as these events tell; in ``first_room_id`` if none tells it."""
    rooms = [RoomPeriod(first_room_id)]
    for event in sorted(events, key=lambda event: (event.kind is not RoomEventKind.ADMITTED, event.order)):
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
