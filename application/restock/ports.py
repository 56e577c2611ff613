"""Restock lists: the store, and the reader."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple, Protocol

from domain.restock.restock_list import ClosedLine, OpenLine, PutBack, RestockList, ShelfSetting


class RestockStore(Protocol):
    """Restock lists, ticked lines of the open ones, and shelves."""

    def lock(self, area_id: int) -> int:
        """Lock the open list of an area; return its number.

        Other changes of this list wait until the unit of work ends.
        """

    def put_back(self, ticked: PutBack) -> None:
        """Tick a product of the open list, instead of an earlier tick."""

    def undo_put_back(self, area_id: int, product_id: int) -> None:
        """Remove the tick of a product."""

    def ticked(self, area_id: int, product_id: int) -> PutBack | None:
        """Return the tick of a product on the open list."""

    def needed(self, area_id: int, product_id: int) -> Decimal:
        """Return how much of a product the open list needs."""

    def close(self, closed: RestockList, lines: Sequence[ClosedLine]) -> None:
        """Store a closed list and set its ``id``; remove the ticks of its area."""

    def setting(self, area_id: int, product_id: int) -> ShelfSetting | None:
        """Return shelf and fixed amount; None if neither is set."""

    def save_setting(self, setting: ShelfSetting) -> None:
        """Store shelf and fixed amount, or remove the row if both are None."""


class NamedSetting(NamedTuple):
    """Shelf and fixed amount, with the product's code, name and unit."""

    setting: ShelfSetting
    code: str | None
    name: str
    unit: str | None


class ClosedSummary(NamedTuple):
    """A closed list, with the number of its lines."""

    closed: RestockList
    lines: int


class RestockReader(Protocol):
    """Reads open and closed restock lists. None of it has a price."""

    def open_lines(self, area_id: int) -> list[OpenLine]:
        """Return the products of the open list, in no order.

        It has every product of which something is needed, taken too much, or ticked.
        """

    def last(self, area_id: int) -> RestockList | None:
        """Return the last closed list of an area."""

    def closed(self, area_id: int, *, before: int | None, most: int) -> list[ClosedSummary]:
        """Return closed lists of an area, the latest first.

        ``before`` limits them to smaller numbers.
        """

    def one(self, list_id: int) -> RestockList | None:
        """Return a closed list."""

    def lines(self, list_id: int) -> list[ClosedLine]:
        """Return the lines of a closed list, in shelf order."""

    def settings(self, area_id: int) -> list[NamedSetting]:
        """Return the shelves and fixed amounts of an area, in no order."""
