"""Products that sheets have together, and the learned pairs, in memory."""

from collections.abc import Collection
from datetime import datetime

from adapters.memory.data import MemoryData
from application.ports.readers.sheets import NamedPair, SheetProducts
from application.views.catalogue import KitProductView
from domain.sheet import Sheet


class MemoryMissedChargesReader:
    """Products of sheets, learned pairs, and answers."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def on_sheet(self, sheet_id: int) -> SheetProducts | None:
        """Return the products on a sheet; None if it does not exist."""
        sheet = self._data.sheets.get(sheet_id)
        return self._products_of(sheet) if sheet else None

    def pairs(self, because_ids: Collection[int]) -> list[NamedPair]:
        """Return the pairs of these first products; inactive ones are left out."""
        found = []
        for pair in self._data.product_pairs.values():
            product, because = (self._data.products.get(each) for each in (pair.product_id, pair.because_id))
            if pair.because_id in because_ids and because and product and product.active:
                view = KitProductView(
                    id=product.id, code=product.code, name=product.name, unit=product.unit, active=product.active
                )
                found.append(NamedPair(pair, view, because.name))
        return found

    def answers(self, sheet_id: int) -> dict[int, bool]:
        """Return by missing product whether it was used, as users answered."""
        answers = self._data.missed_charge_answers.values()
        return {answer.product_id: answer.used for answer in answers if answer.sheet_id == sheet_id}

    def closed_sheets(self, since: datetime, before: SheetProducts | None, *, most: int) -> list[SheetProducts]:
        """Return sheets that were closed since a moment, the latest first."""
        closed = [
            (sheet.closed_at, sheet.id)
            for sheet in self._data.sheets.values()
            if sheet.closed_at is not None
            and sheet.closed_at >= since
            and (before is None or (sheet.closed_at, sheet.id) < (before.closed_at, before.sheet_id))
        ]
        return [self._products_of(self._data.sheets[each]) for _, each in sorted(closed, reverse=True)[:most]]

    def _products_of(self, sheet: Sheet) -> SheetProducts:
        counted = {
            detail.product_id
            for detail in self._data.counted
            if detail.sheet_id == sheet.id and (detail.quantity or not detail.returned)
        }
        return SheetProducts(sheet.id, sheet.closed_at, tuple(counted))
