"""Patient-days: how many patients a ward had, day by day."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, timedelta, tzinfo

from domain.common.day import day_of
from domain.sheets.stay import Stay

_DAY = timedelta(days=1)


def count_patient_days(
    sheets: Iterable[Sequence[Stay]], since: date, until: date, zone: tzinfo, *, rooms: Collection[int] | None = None
) -> int:
    """Return the patient-days of a period, by the stays of each sheet.

    A day counts for the room in which the patient is at its end. The day of the closing does not count, unless it is
    that of the admission too. With ``rooms`` only days in these count.
    """
    days = 0
    for stays in sheets:
        admitted = day_of(stays[0].since, zone)
        for number, stay in enumerate(stays, 1):
            first = day_of(stay.since, zone)
            last = until if stay.until is None else day_of(stay.until, zone) - _DAY
            if number == len(stays) and last < admitted:
                last = admitted
            if rooms is None or stay.room_id in rooms:
                days += max(0, (min(last, until) - max(first, since)).days + 1)
    return days
