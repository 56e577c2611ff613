"""Where a patient lay, from admission to discharge.

What is kept are the transfers, each with the room that was left; the room in which the patient lies now is the sheet's.
Stays are told by them, so that they neither overlap nor leave a gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from domain.day import day_of, start_of
from domain.errors import Code, Reason, Refused
from domain.sheet import CLOCK_DRIFT, Sheet
from domain.validation import Validator


@dataclass(slots=True, kw_only=True)
class Transfer:
    """A patient left a room for another one; ``id`` is 0 until it is stored."""

    id: int = 0
    sheet_id: int
    left_room_id: int
    at: datetime
    user_id: int


@dataclass(frozen=True, slots=True)
class Stay:
    """A patient lay in a room ``since`` then ``until`` then; without ``until`` still does."""

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
    """The stays of a sheet, whose transfers come the oldest first. The last one lasts until the closing.

    A room that was left for itself, because somebody corrected where the patient lies, is one stay.
    """
    rooms = [*(transfer.left_room_id for transfer in transfers), room_id]
    begins = [start_of(admission_date, zone), *(transfer.at for transfer in transfers)]
    # Another system may tell a closing of before.
    ends = [*begins[1:], closed_at and max(closed_at, begins[-1])]
    stays: list[Stay] = []
    for room, since, until in zip(rooms, begins, ends, strict=True):
        if stays and stays[-1].room_id == room:
            stays[-1] = Stay(room, stays[-1].since, until)
        else:
            stays.append(Stay(room, since, until))
    return stays


def validate_transfer_time(
    checks: Validator, at: datetime | None, now: datetime, sheet: Sheet, last: Transfer | None, zone: tzinfo
) -> datetime:
    """When the patient was moved, as somebody says who tells it now: not before the present stay began."""
    if at is not None and at > now + CLOCK_DRIFT:
        checks.add_error(Code.USED_IN_FUTURE, "at")
        return now
    moment = min(at or now, now)
    if moment < start_of(sheet.admission_date, zone):
        day = day_of(moment, zone)
        checks.add_error(Code.USED_BEFORE_ADMISSION, "at", day=day, admission=sheet.admission_date)
    elif last is not None and moment < last.at:
        # The clocks of two servers are not quite the same.
        if at is None:
            return last.at
        checks.add_error(Code.MOVED_BEFORE_STAY, "at")
    return moment


def transfer(sheet: Sheet, room_id: int, at: datetime, *, by: int) -> Transfer:
    """The patient lies in another room from then on."""
    sheet.ensure_open()
    if sheet.room_id == room_id:
        raise Refused(Reason(Code.ROOM_SAME, "room_id"))
    left = Transfer(sheet_id=sheet.id, left_room_id=sheet.room_id, at=at, user_id=by)
    sheet.room_id = room_id
    sheet.version += 1
    return left


def undo_transfer(sheet: Sheet, last: Transfer | None) -> Transfer:
    """The last transfer did not take place: the patient lies where it began."""
    sheet.ensure_open()
    if last is None:
        raise Refused(Reason(Code.NOT_TRANSFERRED))
    sheet.room_id = last.left_room_id
    sheet.version += 1
    return last
