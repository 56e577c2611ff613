"""Restock lists, in memory."""

from collections.abc import Sequence
from copy import copy
from decimal import Decimal

from adapters.memory.data import MemoryData
from adapters.memory.readers.restock import MemoryRestockReader
from domain.money import ZERO_QUANTITY
from domain.restock import ClosedLine, PutBack, RestockList, ShelfSetting


class MemoryRestock:
    """Restock lists, ticked lines of the open ones, and shelves."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def lock(self, area_id: int) -> int:
        """Return the number of the open list; units of work run one at a time."""
        numbers = (one.number for one in self._data.restock_lists.values() if one.area_id == area_id)
        return max(numbers, default=0) + 1

    def put_back(self, ticked: PutBack) -> None:
        """Tick a product of the open list, instead of an earlier tick."""
        self._data.restock_ticks[ticked.area_id, ticked.product_id] = ticked

    def undo_put_back(self, area_id: int, product_id: int) -> None:
        """Remove the tick of a product."""
        self._data.restock_ticks.pop((area_id, product_id), None)

    def ticked(self, area_id: int, product_id: int) -> PutBack | None:
        """Return the tick of a product."""
        return self._data.restock_ticks.get((area_id, product_id))

    def needed(self, area_id: int, product_id: int) -> Decimal:
        """Return how much of a product is needed."""
        lines = MemoryRestockReader(self._data).open_lines(area_id)
        return next((line.needed for line in lines if line.product_id == product_id), ZERO_QUANTITY)

    def close(self, closed: RestockList, lines: Sequence[ClosedLine]) -> None:
        """Store a closed list and set its ``id``; remove the ticks of its area."""
        closed.id = max(self._data.restock_lists, default=0) + 1
        self._data.restock_lists[closed.id] = copy(closed)
        self._data.restock_lines[closed.id] = tuple(lines)
        for area_id, product_id in list(self._data.restock_ticks):
            if area_id == closed.area_id:
                del self._data.restock_ticks[area_id, product_id]

    def setting(self, area_id: int, product_id: int) -> ShelfSetting | None:
        """Return shelf and fixed amount; None if neither is set."""
        return self._data.restock_settings.get((area_id, product_id))

    def save_setting(self, setting: ShelfSetting) -> None:
        """Store shelf and fixed amount, or remove them if both are None."""
        key = setting.area_id, setting.product_id
        if setting.shelf is None and setting.fixed_amount is None:
            self._data.restock_settings.pop(key, None)
        else:
            self._data.restock_settings[key] = setting
