"""Restock lists: what an area used since its last list, and puts back on its shelves.

No stock is kept. What is needed of a product is the quantity of all details that count, minus what the closed lists
took. So a detail that changes after a list was closed changes the next list, possibly to a negative amount.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from domain.common.errors import Code, Reason, Refused
from domain.common.money import ZERO_QUANTITY
from domain.common.text import fold_product, natural_key

MAX_SHELF_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfSetting:
    """Where an area keeps a product, and how much of it is put back at once.

    With a ``fixed_amount``, this amount is put back however much was used, for instance a full box.
    """

    area_id: int
    product_id: int
    shelf: str | None = None
    fixed_amount: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """A line of the open list that a user ticked.

    ``quantity`` is what was needed when the user saw the list. What is used later is on the next list.
    """

    area_id: int
    product_id: int
    quantity: Decimal
    user_id: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLine:
    """A product on the open list of an area.

    ``needed`` is negative if closed lists took more than what counts now.
    """

    product_id: int
    code: str | None
    name: str
    unit: str | None
    needed: Decimal
    shelf: str | None = None
    fixed_amount: Decimal | None = None
    put_back: PutBack | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedLine:
    """A line of a closed list, as it was then.

    The list took ``quantity``. ``put_back`` is the amount on the shelf, 0 if the line was only settled.
    """

    product_id: int
    code: str | None
    name: str
    unit: str | None
    shelf: str | None
    quantity: Decimal
    put_back: Decimal
    put_back_by: str | None = None
    put_back_at: datetime | None = None


@dataclass(slots=True, kw_only=True)
class RestockList:
    """A closed list of an area, numbered from 1.

    ``left_over`` is how many needed products stayed for the next list.
    """

    id: int = 0
    area_id: int
    area_name: str
    number: int
    closed_at: datetime
    closed_by: int
    left_over: int


def sort_by_shelf(lines: Iterable[OpenLine]) -> list[OpenLine]:
    """Return the lines in shelf order; those without a shelf come last."""
    return sorted(
        lines,
        key=lambda line: (
            line.shelf is None,
            natural_key(line.shelf or ""),
            fold_product(line.name),
            line.product_id,
        ),
    )


def close_lines(lines: Iterable[OpenLine], names: dict[int, str], *, settle_rest: bool) -> tuple[list[ClosedLine], int]:
    """Return what a list takes when it is closed, and how many lines stay.

    It takes what was put back. With ``settle_rest`` it also takes everything else that is needed, so the next list
    begins empty. ``names`` are those of the users who put something back. Raises ``Refused`` if it takes nothing.
    """
    closed, left_over = [], 0
    for line in lines:
        ticked = line.put_back
        quantity = ticked.quantity if ticked else ZERO_QUANTITY
        if settle_rest:
            quantity = max(quantity, line.needed)
        if line.needed > quantity:
            left_over += 1
        if quantity <= 0:
            continue
        closed.append(
            ClosedLine(
                product_id=line.product_id,
                code=line.code,
                name=line.name,
                unit=line.unit,
                shelf=line.shelf,
                quantity=quantity,
                put_back=(line.fixed_amount or ticked.quantity) if ticked else ZERO_QUANTITY,
                put_back_by=names.get(ticked.user_id) if ticked else None,
                put_back_at=ticked.at if ticked else None,
            )
        )
    if not closed:
        raise Refused(Reason(Code.RESTOCK_EMPTY))
    return closed, left_over
