"""Usual products and quantities, in memory."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from adapters.memory.data import MemoryData
from adapters.memory.readers.products import product_view
from application.ports.readers.sheets import LATEST_OF_AREA, LATEST_OF_PERSON, LATEST_OF_ROOM, LATEST_OF_SHEET
from application.views.catalogue import ProductView
from domain.anomalies import typical_quantity
from domain.sheet import Detail
from domain.usual_products import UsualNumbers


def quantities_of(data: MemoryData, product_id: int) -> list[Decimal]:
    """Return the quantities of a product's details, latest first."""
    of_product = [detail for detail in data.counted if detail.product_id == product_id]
    return [detail.quantity for detail in sorted(of_product, key=lambda detail: detail.id, reverse=True)]


def usual_of(data: MemoryData, product_id: int) -> Decimal | None:
    return typical_quantity(quantities_of(data, product_id))


class MemoryUsualProducts:
    """Usual products and quantities."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def area_of(self, sheet_id: int) -> int | None:
        """Return the area of the sheet's room; None if there is no such sheet."""
        sheet = self._data.sheets.get(sheet_id)
        return self._data.rooms[sheet.room_id].area_id if sheet else None

    def pinned(self, user_id: int, *, most: int) -> list[ProductView]:
        """List the active products that this user pinned, first pinned first."""
        pins = sorted((at, product) for (user, product), at in self._data.favourites.items() if user == user_id)
        return self._active((product_id for _, product_id in pins), most)

    def of_person(self, user_id: int, *, most: int) -> list[ProductView]:
        """List the active products that this user recorded last, latest first."""
        own = [detail for detail in self._data.counted if detail.user_id == user_id]
        latest = sorted(own, key=lambda detail: detail.id, reverse=True)[:LATEST_OF_PERSON]
        return self._active(dict.fromkeys(detail.product_id for detail in latest), most)

    def of_area(self, area_id: int, *, most: int) -> list[ProductView]:
        """List the active products most frequent in the area's latest details."""
        of_room: dict[int, list[int]] = defaultdict(list)
        for sheet in self._data.sheets.values():
            if self._data.rooms[sheet.room_id].area_id == area_id:
                of_room[sheet.room_id].append(sheet.id)
        newest = sorted(sheet_id for ids in of_room.values() for sheet_id in sorted(ids)[-LATEST_OF_ROOM:])[
            -LATEST_OF_AREA:
        ]
        lines = [detail for sheet_id in newest for detail in self._latest_of_sheet(sheet_id)]
        times: dict[int, tuple[int, int]] = {}
        for line in lines:
            count, last = times.get(line.product_id, (0, 0))
            times[line.product_id] = (count + 1, max(last, line.id))
        return self._active(sorted(times, key=lambda product_id: times[product_id], reverse=True), most)

    def active(self, ids: Iterable[int]) -> list[ProductView]:
        """Return the active products among these."""
        return self._active([one for one in dict.fromkeys(ids) if one in self._data.products], len(self._data.products))

    def numbers(self, user_id: int, area_id: int) -> UsualNumbers | None:
        return self._data.usual_numbers.get((user_id, area_id))

    def quantities(self, product_id: int, *, most: int) -> list[Decimal]:
        """Return the quantities of the product's latest details, latest first."""
        return quantities_of(self._data, product_id)[:most]

    def _latest_of_sheet(self, sheet_id: int) -> list[Detail]:
        lines = [detail for detail in self._data.counted if detail.sheet_id == sheet_id]
        moments = sorted(detail.created_at for detail in lines)[-LATEST_OF_SHEET:]
        return [detail for detail in lines if detail.created_at >= moments[0]]

    def _active(self, product_ids: Iterable[int], most: int) -> list[ProductView]:
        found = [product_view(self._data, product_id) for product_id in product_ids]
        return [product for product in found if product["active"]][:most]
