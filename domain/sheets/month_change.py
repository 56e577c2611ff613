"""Changes of lines in a later month than that of their use."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from domain.common.money import ZERO_QUANTITY, line_total
from domain.common.policy import Actor
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, Unbilled
from domain.sheets.figures import NO_FIGURES, Figures


class MonthChangeKind(StrEnum):
    """What was done to a line."""

    RECORDED = "recorded"
    EDITED = "edited"
    VOIDED = "voided"
    RETURNED = "returned"
    CORRECTED = "corrected"
    MOVED = "moved"
    WASTED = "wasted"
    IMPORTED = "imported"
    DELETED = "deleted"


class LineChange(NamedTuple):
    """A line before and after a change; None if it was not there."""

    before: Detail | None
    after: Detail | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthChange:
    """By how much a change made the figures of an earlier month differ.

    * ``day`` is the day of use, ``made_on`` the hospital's day of the change, which is in a later month.
    * The figures are signed. ``value`` is price times quantity, also of a line that is not charged.
    """

    id: int = 0
    day: date
    at: datetime
    made_on: date
    kind: MonthChangeKind
    user_id: int
    sheet_id: int
    detail_id: int
    area_id: int | None
    product_id: int
    unbilled: Unbilled | None
    use_reason: UseReason | None
    lines: int
    quantity: Decimal
    returned: Decimal
    total: Decimal
    value: Decimal


class _Key(NamedTuple):
    """What figures of a month are added up by."""

    day: date
    area_id: int | None
    product_id: int
    unbilled: Unbilled | None
    use_reason: UseReason | None


def month_changes_of(
    changes: Iterable[LineChange], kind: MonthChangeKind, *, by: Actor, at: datetime, today: date
) -> Iterator[MonthChange]:
    """Yield the changes that concern an earlier month than today's.

    A line that gets another product or area yields two: one less, one more.
    """
    for before, after in changes:
        line = after or before
        assert line is not None, "a change has a line"
        if _month(line.day) >= _month(today):
            continue
        old, new = _counted(before), _counted(after)
        for key in dict.fromkeys((*old, *new)):
            figures = new.get(key, NO_FIGURES).minus(old.get(key, NO_FIGURES))
            if figures != NO_FIGURES:
                yield MonthChange(
                    at=at,
                    made_on=today,
                    kind=kind,
                    user_id=by.user_id,
                    sheet_id=line.sheet_id,
                    detail_id=line.id,
                    **key._asdict(),
                    **figures._asdict(),
                )


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _counted(line: Detail | None) -> dict[_Key, Figures]:
    """Return what a line counts for; a voided one counts for nothing."""
    if line is None or line.voided:
        return {}
    key = _Key(line.day, line.area_id, line.product_id, line.unbilled, line.use_reason)
    value = line_total(line.unit_price, line.quantity)
    return {key: Figures(1, line.quantity, line.returned or ZERO_QUANTITY, line.total, value)}
