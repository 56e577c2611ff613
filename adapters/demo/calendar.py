"""Times of events in the demonstration hospital, relative to today."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from domain.common.day import day_of, start_of

# All of today's demonstration events take place before this hour.
_EVENTS_END = timedelta(hours=14)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Converts "3 07:40" to 7:40 hospital time three days ago."""

    now: datetime
    zone: tzinfo

    def day(self, moment: datetime) -> date:
        """Return the hospital's day of that moment."""
        return day_of(moment, self.zone)

    def birthday(self, years: int, days: int) -> date:
        """Return the date of birth of a person of that age."""
        return self.day(self.now) - timedelta(days=years * 365 + years // 4 + days)

    def moment(self, text: str, minutes: int = 0) -> datetime:
        """Return that time plus the minutes.

        Today's events are compressed into the elapsed part of the day: there is the same amount of data at any hour,
        and none in the future.
        """
        days_ago, hour = text.split()
        day = self.day(self.now) - timedelta(days=int(days_ago))
        local = datetime.combine(day, time.fromisoformat(hour), self.zone) + timedelta(minutes=minutes)
        if int(days_ago):
            return local.astimezone(UTC)
        midnight = start_of(day, self.zone)
        elapsed = min((self.now - midnight) / _EVENTS_END, 1.0)
        return midnight + (local.astimezone(UTC) - midnight) * elapsed
