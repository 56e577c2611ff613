"""Outliers: what is out of the ordinary on a ward and worth a second look. The rules and their figures, in one place.

Nothing of this is refused, because each may be right: some stays are long, and sometimes forty gauzes are used at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from domain.policy import Actor, Permission

# A sheet that is open for longer was perhaps never closed.
MAX_USUAL_STAY_DAYS = 30
# An admitted patient for whom nobody records for so long has perhaps gone home.
INACTIVE_AFTER_DAYS = 3
# A quantity this many times the product's usual one has perhaps a digit too many.
OUTLIER_FACTOR = 10
# So has more than this of a product without a usual quantity.
FAR_OUT_WITHOUT_USUAL = 20
# What is usual is told by so many of the product's latest details ...
SAMPLE_SIZE = 21
# ... of which this many are as small or smaller: the middle one. Fewer details do not tell what is usual.
MEDIAN_RANK = 11


# What was recorded of a product so shortly before on the same sheet was perhaps the same.
REPEAT_MINUTES = 30


class Oddity(StrEnum):
    """The kinds of things that are worth a second look."""

    SHEET_QUIET = "sheet_quiet"
    SHEET_OPEN_LONG = "sheet_open_long"
    QUANTITY_ZERO = "quantity_zero"
    QUANTITY_FAR_OUT = "quantity_far_out"
    PRODUCT_WITHOUT_PRICE = "product_without_price"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentDuplicate:
    """A possible duplicate: the same product on the same sheet a little while before, by whom, and when."""

    detail_id: int
    by: str
    quantity: Decimal
    at: datetime


def duplicate_window_start(now: datetime) -> datetime:
    """From when on what was recorded is worth telling whoever records the same again."""
    return now - timedelta(minutes=REPEAT_MINUTES)


def days_since(day: date, today: date) -> int:
    """How many days ago that was; 0 for days to come."""
    return max(0, (today - day).days)


def sheet_anomaly(*, admitted: date, last_recorded: date | None, today: date) -> Oddity | None:
    """What is odd about an open sheet. One that is quiet is not called long open as well: it is the same advice."""
    if days_since(last_recorded or admitted, today) >= INACTIVE_AFTER_DAYS:
        return Oddity.SHEET_QUIET
    if days_since(admitted, today) > MAX_USUAL_STAY_DAYS:
        return Oddity.SHEET_OPEN_LONG
    return None


def usual_quantity(latest: Sequence[Decimal]) -> Decimal | None:
    """The product's usual quantity, by its latest details; None while there are too few to tell."""
    known = sorted(latest[:SAMPLE_SIZE])
    return known[MEDIAN_RANK - 1] if len(known) >= MEDIAN_RANK else None


def far_out_above(usual: Decimal | None) -> Decimal:
    """Return the largest quantity that is not far out. A usual quantity of zero counts as none."""
    return OUTLIER_FACTOR * usual if usual else Decimal(FAR_OUT_WITHOUT_USUAL)


def highest_total_unasked(actor: Actor, ask_above_total: Decimal | None) -> Decimal | None:
    """Return the limit above which this person is asked about a total, or None if they may not see prices."""
    return ask_above_total if actor.can(Permission.SEE_PRICES) else None


def far_out(
    quantity: Decimal, total: Decimal, usual: Decimal | None, ask_above_total: Decimal | None
) -> dict[str, Decimal] | None:
    """Return what a question about a line that is far out quotes, or None if the line is not far out.

    Without a usual quantity, a ``total`` above ``ask_above_total`` is far out too. That limit is None for people who
    may not see prices: nothing that they are asked depends on one.
    """
    if quantity > far_out_above(usual):
        return {"quantity": quantity, "usual_quantity": usual} if usual else {"quantity": quantity}
    if not usual and ask_above_total is not None and total > ask_above_total:
        return {"quantity": quantity, "total": total}
    return None
