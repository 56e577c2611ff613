"""Stays: the rooms of a patient from admission to discharge.

The transfers are stored, each with the room that the patient left. The current room is stored on the sheet. Stays are
computed from both, so that they neither overlap nor leave a gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from domain.common.day import day_of, start_of
from domain.common.errors import Code, Reason, Refused
from domain.common.validation import Validator
from domain.sheets.sheet import CLOCK_DRIFT, PatientSheet


@dataclass(slots=True, kw_only=True)
class Transfer:
    """A patient left a room for another one.

    ``id`` is 0 until the transfer is stored.
    """

    id: int = 0
    sheet_id: int
    left_room_id: int
    at: datetime
    user_id: int


@dataclass(frozen=True, slots=True)
class Stay:
    """The time of a patient in one room. Without ``until`` it continues."""

    room_id: int
    since: datetime
    until: datetime | None


def build_stays(
    *,
    admission_date: date,
    room_id: int,
    closed_at: datetime | None,
    transfers: Sequence[Transfer],
    zone: tzinfo,
) -> list[Stay]:
    """Return the stays of a sheet. The last one lasts until the closing.

    ``transfers`` are in order of time. If a correction makes a patient move to the same room, that is one stay.
    """
    rooms = [*(transfer.left_room_id for transfer in transfers), room_id]
    begins = [start_of(admission_date, zone), *(transfer.at for transfer in transfers)]
    # A closing reported by another system may be earlier than the last transfer.
    ends = [*begins[1:], closed_at and max(closed_at, begins[-1])]
    stays: list[Stay] = []
    for room, since, until in zip(rooms, begins, ends, strict=True):
        if stays and stays[-1].room_id == room:
            stays[-1] = Stay(room, stays[-1].since, until)
        else:
            stays.append(Stay(room, since, until))
    return stays


def validate_transfer_time(
    checks: Validator, at: datetime | None, now: datetime, sheet: PatientSheet, last: Transfer | None, zone: tzinfo
) -> datetime:
    """Validate the time of a transfer that a user entered.

    It must not be before the present stay began.
    """
    if at is not None and at > now + CLOCK_DRIFT:
        checks.add_error(Code.USED_IN_FUTURE, "at")
        return now
    moment = min(at or now, now)
    if moment < start_of(sheet.admission_date, zone):
        day = day_of(moment, zone)
        checks.add_error(Code.USED_BEFORE_ADMISSION, "at", day=day, admission=sheet.admission_date)
    elif last is not None and moment < last.at:
        # The clocks of two servers may differ slightly.
        if at is None:
            return last.at
        checks.add_error(Code.MOVED_BEFORE_STAY, "at")
    return moment


def transfer(sheet: PatientSheet, room_id: int, at: datetime, *, by: int) -> Transfer:
    """Move the patient to another room, and return the transfer."""
    sheet.ensure_open()
    if sheet.room_id == room_id:
        raise Refused(Reason(Code.ROOM_SAME, "room_id"))
    left = Transfer(sheet_id=sheet.id, left_room_id=sheet.room_id, at=at, user_id=by)
    sheet.room_id = room_id
    sheet.version += 1
    return left


def undo_transfer(sheet: PatientSheet, last: Transfer | None) -> Transfer:
    """Revert the last transfer, and return it for deletion."""
    sheet.ensure_open()
    if last is None:
        raise Refused(Reason(Code.NOT_TRANSFERRED))
    sheet.room_id = last.left_room_id
    sheet.version += 1
    return last
