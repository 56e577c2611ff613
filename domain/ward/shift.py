"""Shifts: the parts of the hospital's day in which the same staff works.

A moment belongs to a shift by the reading of the hospital's clock. If a clock change repeats an hour, both belong to
the same shift.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

MIN_SHIFTS, MAX_SHIFTS = 2, 4
USUAL_STARTS = (time(6), time(14), time(22))

# A shift that ended this short a time ago is still being handed over.
HANDOVER = timedelta(hours=2)

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Shift:
    """One of the shifts of every day; ``index`` is its position.

    It ends when the next one begins, which may be on the next day.
    """

    index: int
    begins: time
    ends: time
    zone: tzinfo

    @property
    def name(self) -> str:
        """Return its hours, such as ``06:00–14:00``."""
        return f"{self.begins:%H:%M}–{self.ends:%H:%M}"

    def includes(self, moment: datetime) -> bool:
        """Return whether the moment is in this shift, on any day."""
        at = moment.astimezone(self.zone).time()
        if self.begins < self.ends:
            return self.begins <= at < self.ends
        return at >= self.begins or at < self.ends


@dataclass(frozen=True, slots=True)
class WorkedShift:
    """A shift of one day, from its first moment to that of the next one."""

    shift: Shift
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Shifts:
    """The shifts of a hospital, by their starts in order of time."""

    starts: tuple[time, ...]
    zone: tzinfo

    def __iter__(self) -> Iterator[Shift]:
        for index, begins in enumerate(self.starts):
            yield Shift(index, begins, self.starts[(index + 1) % len(self.starts)], self.zone)

    def at(self, moment: datetime) -> WorkedShift:
        """Return the shift of a moment."""
        clock = moment.astimezone(self.zone)
        shift = next(one for one in self if one.includes(moment))
        day = clock.date() if clock.time() >= shift.begins else clock.date() - timedelta(days=1)
        next_day = day if shift.begins < shift.ends else day + timedelta(days=1)
        return WorkedShift(shift, self._begin(day, shift.begins), self._begin(next_day, shift.ends))

    def before(self, worked: WorkedShift) -> WorkedShift:
        """Return the shift before another one."""
        return self.at(worked.since - _MINUTE)

    def to_hand_over(self, now: datetime) -> WorkedShift:
        """Return the present shift, or the one that ended within ``HANDOVER``."""
        present = self.at(now)
        return self.before(present) if now - present.since < HANDOVER else present

    def _begin(self, day: date, start: time) -> datetime:
        """Return the first moment of a day when the clock has reached a start."""
        begin = datetime.combine(day, start, self.zone).astimezone(UTC)
        # The clock may skip the start: then the shift begins with the clock change.
        while self._shown(begin - _MINUTE) >= datetime.combine(day, start):
            begin -= _MINUTE
        return begin

    def _shown(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone).replace(tzinfo=None)
