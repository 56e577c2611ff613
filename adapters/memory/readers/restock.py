"""Open and closed restock lists, in memory."""

from copy import copy
from decimal import Decimal

from adapters.memory.data import MemoryData
from application.ports.restock import ClosedSummary, NamedSetting
from domain.money import ZERO_QUANTITY
from domain.restock import ClosedLine, OpenLine, RestockList


class MemoryRestockReader:
    """Open and closed restock lists."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def open_lines(self, area_id: int) -> list[OpenLine]:
        """Return the products of the open list, in no order."""
        needed: dict[int, Decimal] = {
            product_id: ZERO_QUANTITY for area, product_id in self._data.restock_ticks if area == area_id
        }
        for detail in self._data.counted:
            if detail.area_id == area_id:
                needed[detail.product_id] = needed.get(detail.product_id, ZERO_QUANTITY) + detail.quantity
        for closed in self._of_area(area_id):
            for line in self._data.restock_lines[closed.id]:
                needed[line.product_id] = needed.get(line.product_id, ZERO_QUANTITY) - line.quantity
        found = []
        for product_id, quantity in needed.items():
            product = self._data.products.get(product_id)
            ticked = self._data.restock_ticks.get((area_id, product_id))
            if product is None or (not quantity and ticked is None):
                continue
            setting = self._data.restock_settings.get((area_id, product_id))
            found.append(
                OpenLine(
                    product_id=product_id,
                    code=product.code,
                    name=product.name,
                    unit=product.unit,
                    needed=quantity,
                    shelf=setting.shelf if setting else None,
                    fixed_amount=setting.fixed_amount if setting else None,
                    put_back=ticked,
                )
            )
        return found

    def last(self, area_id: int) -> RestockList | None:
        """Return the last closed list of an area."""
        return copy(max(self._of_area(area_id), key=lambda one: one.number, default=None))

    def closed(self, area_id: int, *, before: int | None, most: int) -> list[ClosedSummary]:
        """Return closed lists of an area, the latest first."""
        found = sorted(self._of_area(area_id), key=lambda one: -one.number)
        earlier = [one for one in found if before is None or one.number < before]
        return [ClosedSummary(copy(one), len(self._data.restock_lines[one.id])) for one in earlier[:most]]

    def one(self, list_id: int) -> RestockList | None:
        """Return a closed list."""
        return copy(self._data.restock_lists.get(list_id))

    def lines(self, list_id: int) -> list[ClosedLine]:
        """Return the lines of a closed list, in shelf order."""
        return list(self._data.restock_lines[list_id])

    def settings(self, area_id: int) -> list[NamedSetting]:
        """Return the shelves and fixed amounts of an area, in no order."""
        found = []
        for setting in self._data.restock_settings.values():
            product = self._data.products.get(setting.product_id)
            if setting.area_id == area_id and product:
                found.append(NamedSetting(setting, product.code, product.name, product.unit))
        return found

    def _of_area(self, area_id: int) -> list[RestockList]:
        return [one for one in self._data.restock_lists.values() if one.area_id == area_id]
