"""What another system tells of a thing: of each field the newest word, whatever order the words come in."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

Value = str | None

_DIGITS = re.compile("[0-9]+")
_LONGEST_NUMBER = 20


def order_of(at: datetime, control_id: str) -> str:
    """By what words are ordered: when it happened and, of the same moment, what the sender calls the message."""
    # Control ids of one moment are counted up: 10 comes after 9.
    counted = _DIGITS.sub(lambda digits: digits[0].zfill(_LONGEST_NUMBER), control_id)
    return f"{at.astimezone(UTC).isoformat(timespec='microseconds')}|{counted}"


class How(StrEnum):
    """What is told of where a patient lies."""

    ADMITTED = "admitted"
    MOVED = "moved"
    # There, as somebody sees now: nobody moved the patient.
    CORRECTED = "corrected"
    MOVED_BACK = "moved_back"


@dataclass(frozen=True, slots=True)
class RoomTold:
    """One word about where a patient lies."""

    order: str
    how: How
    room_id: int
    at: datetime
    # Who moved the patient by hand; None for what the other system told.
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """All that was told: by field the newest word with its order, and every word about rooms."""

    fields: Mapping[str, tuple[str, Value]] = field(default_factory=dict)
    rooms: tuple[RoomTold, ...] = ()

    @classmethod
    def of(cls, text: str | None) -> "Told":
        """What ``text`` holds."""
        if text is None:
            return cls()
        kept = json.loads(text)
        rooms = (RoomTold(order, How(how), room_id, datetime.fromisoformat(at)) for order, how, room_id, at in kept[1])
        return cls({name: (order, value) for name, (order, value) in kept[0].items()}, tuple(rooms))

    @property
    def text(self) -> str:
        """As it is kept."""
        rooms = [(one.order, one.how, one.room_id, one.at.isoformat()) for one in self.rooms]
        return json.dumps((self.fields, rooms), ensure_ascii=False, separators=(",", ":"))

    @property
    def latest(self) -> str:
        """The order of the newest word."""
        return max((*(order for order, _ in self.fields.values()), *(one.order for one in self.rooms)), default="")

    def hear(self, order: str, said: Mapping[str, Value]) -> tuple["Told", dict[str, Value]]:
        """All with these words, and the fields of which something else is told now than before.

        Of what says the same as before nothing is new: whoever put it right by hand is not corrected by its being
        said once more.
        """
        newer = {name: value for name, value in said.items() if self._is_newer(name, order)}
        news = {
            name: value for name, value in newer.items() if name not in self.fields or self.fields[name][1] != value
        }
        fields = {**self.fields, **{name: (order, value) for name, value in newer.items()}}
        return replace(self, fields=fields), news

    def hear_room(self, word: RoomTold) -> "Told":
        """All with one more word about rooms. A patient is admitted once: a second admission corrects the first."""
        if word.how is How.ADMITTED and any(one.how is How.ADMITTED for one in self.rooms):
            word = replace(word, how=How.CORRECTED)
        return replace(self, rooms=(*self.rooms, word))

    def _is_newer(self, name: str, order: str) -> bool:
        return name not in self.fields or order > self.fields[name][0]


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A room in which a patient lay since then, by whose word; the first one since admission."""

    room_id: int
    since: datetime | None = None
    by: int | None = None


def whereabouts(first_room_id: int, words: Iterable[RoomTold]) -> list[Whereabouts]:
    """Where a patient lay, one room after the other, as these words tell; in ``first_room_id`` if none tells it."""
    rooms = [Whereabouts(first_room_id)]
    for word in sorted(words, key=lambda word: (word.how is not How.ADMITTED, word.order)):
        match word.how:
            case How.ADMITTED | How.CORRECTED:
                rooms[-1] = replace(rooms[-1], room_id=word.room_id)
            case How.MOVED if word.room_id != rooms[-1].room_id:
                rooms.append(Whereabouts(word.room_id, word.at, word.by))
            case How.MOVED_BACK if len(rooms) > 1 and rooms[-2].room_id == word.room_id:
                rooms.pop()
            case _:
                pass
    return rooms
