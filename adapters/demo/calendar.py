"""When things happened in the demonstration hospital: always some days before today."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from domain.day import day_of, start_of

# All that is told of today happens before this hour.
_TOLD_OF_TODAY = timedelta(hours=14)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Turns "3 07:40" into the moment that was 7:40 in the hospital three days ago."""

    now: datetime
    zone: tzinfo

    def day(self, moment: datetime) -> date:
        """The hospital's day of that moment."""
        return day_of(moment, self.zone)

    def birthday(self, years: int, days: int) -> date:
        """The date of birth of someone who is so old today."""
        return self.day(self.now) - timedelta(days=years * 365 + years // 4 + days)

    def moment(self, told: str, minutes: int = 0) -> datetime:
        """That moment, or so many minutes later.

        Whoever looks early in the day finds today's story squeezed into the hours gone by: the data is as much at any
        hour, and never lies in the future.
        """
        days_ago, hour = told.split()
        day = self.day(self.now) - timedelta(days=int(days_ago))
        local = datetime.combine(day, time.fromisoformat(hour), self.zone) + timedelta(minutes=minutes)
        if int(days_ago):
            return local.astimezone(UTC)
        midnight = start_of(day, self.zone)
        elapsed = min((self.now - midnight) / _TOLD_OF_TODAY, 1.0)
        return midnight + (local.astimezone(UTC) - midnight) * elapsed
