"""Anomaly detection: thresholds for unusual sheets and quantities.

Unusual records are not refused, because each may be right: some stays are long, and sometimes forty gauzes are used at
once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from domain.common.policy import Actor, Permission

# A sheet that is open for longer was perhaps never closed.
MAX_USUAL_STAY_DAYS = 30
# An open sheet without entries for this many days perhaps belongs to a patient who has gone home.
INACTIVE_AFTER_DAYS = 3
# From this hour on, an open sheet without a line today is worth a look.
NOON = 12
# A quantity this many times the product's usual one perhaps has a digit too many.
OUTLIER_FACTOR = 10
# For a product without a usual quantity, a quantity above this one perhaps has a digit too many as well.
FAR_OUT_WITHOUT_USUAL = 20
# The usual quantity of a product is the median of this many of its latest details ...
SAMPLE_SIZE = 21
# ... which is the value at this rank, counted from the smallest. With fewer details there is no usual quantity.
MEDIAN_RANK = 11


# The same product on the same sheet within this time is a possible duplicate.
REPEAT_MINUTES = 30


class Oddity(StrEnum):
    """The kinds of anomalies of lines, sheets and devices."""

    SHEET_QUIET = "sheet_quiet"
    SHEET_OPEN_LONG = "sheet_open_long"
    SHEET_WITHOUT_LINE_TODAY = "sheet_without_line_today"
    QUANTITY_ZERO = "quantity_zero"
    QUANTITY_FAR_OUT = "quantity_far_out"
    LINES_UNSENT = "lines_unsent"


SHEET_ODDITIES = frozenset({Oddity.SHEET_QUIET, Oddity.SHEET_OPEN_LONG, Oddity.SHEET_WITHOUT_LINE_TODAY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A user's decision that an unusual line, sheet or device is right.

    ``entity_id`` is the detail, the sheet or the report of the device. ``version`` is the judged one of a detail or
    report, None for sheets.
    """

    kind: Oddity
    entity_id: int
    version: int | None
    user_id: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentDuplicate:
    """A possible duplicate: the same product on the same sheet shortly before."""

    detail_id: int
    by: str
    quantity: Decimal
    at: datetime


def duplicate_window_start(now: datetime) -> datetime:
    """Return the time since which the same product is a possible duplicate."""
    return now - timedelta(minutes=REPEAT_MINUTES)


def days_since(day: date, today: date) -> int:
    """Return the number of days since ``day``, 0 if it is in the future."""
    return max(0, (today - day).days)


def sheet_anomaly(
    *,
    admitted: date,
    last_recorded: date | None,
    today: date,
    judged: Mapping[Oddity, date] | None = None,
    is_afternoon: bool = False,
) -> Oddity | None:
    """Return the anomaly of an open sheet, or None.

    A sheet has one anomaly at most, because the advice would be the same. ``judged`` are the days on which an anomaly
    was judged right: it returns after the time that made it unusual has passed again. A sheet without a line on
    the current day is only unusual in the afternoon.
    """
    judged = judged or {}
    idle = days_since(last_recorded or admitted, today)
    if idle >= INACTIVE_AFTER_DAYS:
        return _unless_judged(Oddity.SHEET_QUIET, judged, today, INACTIVE_AFTER_DAYS)
    if days_since(admitted, today) > MAX_USUAL_STAY_DAYS:
        anomaly = _unless_judged(Oddity.SHEET_OPEN_LONG, judged, today, MAX_USUAL_STAY_DAYS)
        if anomaly:
            return anomaly
    if is_afternoon and idle and admitted < today:
        return _unless_judged(Oddity.SHEET_WITHOUT_LINE_TODAY, judged, today, 1)
    return None


def _unless_judged(anomaly: Oddity, judged: Mapping[Oddity, date], today: date, rest_days: int) -> Oddity | None:
    judged_on = judged.get(anomaly)
    return None if judged_on is not None and days_since(judged_on, today) < rest_days else anomaly


def typical_quantity(latest: Sequence[Decimal]) -> Decimal | None:
    """Return the median quantity of a product, or None with too few details.

    ``latest`` holds the quantities of its latest details, the newest first.
    """
    known = sorted(latest[:SAMPLE_SIZE])
    return known[MEDIAN_RANK - 1] if len(known) >= MEDIAN_RANK else None


def outlier_threshold(usual: Decimal | None) -> Decimal:
    """Return the largest quantity that is not far out.

    A usual quantity of zero counts as none.
    """
    return OUTLIER_FACTOR * usual if usual else Decimal(FAR_OUT_WITHOUT_USUAL)


def highest_total_unasked(actor: Actor, ask_above_total: Decimal | None) -> Decimal | None:
    """Return the total above which this actor is asked for confirmation.

    None means that totals are not asked about: the actor may not see prices, or no limit is set.
    """
    return ask_above_total if actor.can(Permission.SEE_PRICES) else None


def far_out(
    quantity: Decimal, total: Decimal, usual: Decimal | None, ask_above_total: Decimal | None
) -> dict[str, Decimal] | None:
    """Return the parameters of a question about a far-out line, or None.

    Without a usual quantity, a ``total`` above ``ask_above_total`` is far out too. That limit is None for actors who
    may not see prices, so that no question to them depends on a price.
    """
    if quantity > outlier_threshold(usual):
        return {"quantity": quantity, "usual_quantity": usual} if usual else {"quantity": quantity}
    if not usual and ask_above_total is not None and total > ask_above_total:
        return {"quantity": quantity, "total": total}
    return None
