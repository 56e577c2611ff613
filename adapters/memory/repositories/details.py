"""Store details, in memory."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from datetime import date

from adapters.memory.data import MemoryData
from adapters.memory.readers.packs import recalled, with_serial
from adapters.memory.readers.usual_products import usual_of
from adapters.memory.repositories.repository import MemoryRepository
from adapters.memory.repositories.sheets import MemorySheets
from application.entities import DETAIL
from application.ports.stores import References, ReferredIds, SheetSince
from application.ports.unit_of_work import DuplicateEntry
from domain.anomalies import RecentDuplicate
from domain.recall import RecallNotice
from domain.scanning.lot import PackHistory
from domain.sheet import Detail, DetailReturn, Sheet


class MemoryDetails(MemoryRepository[Detail]):
    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, DETAIL)
        self._sheets = MemorySheets(data)

    def record(self, detail: Detail, sheet: Sheet) -> None:
        """Store a new detail and its changed sheet."""
        self._must_be_new([detail])
        self.add(detail)
        self._sheets.save(sheet)

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """List the sheet's details, oldest first."""
        return self.all(lambda detail: detail.sheet_id == sheet_id)

    def add_all(self, entities: Sequence[Detail]) -> None:
        """Store new details with reserved ids."""
        self._must_be_new(entities)
        super().add_all(entities)

    def add_return(self, returned: DetailReturn) -> None:
        """Store a return."""
        self._data.detail_returns.append(returned)

    def find_by_entry_digest(self, digests: Sequence[bytes]) -> list[Detail]:
        """List details recorded by requests with these digests, voided ones too."""
        return self.all(lambda detail: detail.entry_digest in digests)

    def first_day(self, sheet_id: int) -> date | None:
        """Return the first day on which something was used on that sheet."""
        return min((detail.day for detail in self.on_sheet(sheet_id) if not detail.voided), default=None)

    def _must_be_new(self, details: Sequence[Detail]) -> None:
        digests = [detail.entry_digest for detail in details if detail.entry_digest]
        if digests and self.find_by_entry_digest(digests):
            raise DuplicateEntry

    def references(
        self,
        *,
        product_id: int,
        staff_id: int | None,
        area_id: int | None,
        kit_id: int | None = None,
        lot_key: str | None = None,
        serial_key: str | None = None,
        but: int = 0,
        since: SheetSince | None = None,
    ) -> References:
        """Return what a detail refers to, and what is known of its pack."""
        product = self._data.products.get(product_id)
        kit = self._data.kits.get(kit_id or 0)
        return References(
            product=copy(product),
            category=copy(self._data.categories[product.category_id]) if product else None,
            staff=copy(self._data.staff.get(staff_id or 0)),
            area=copy(self._data.areas.get(area_id or 0)),
            pack=PackHistory(
                recall=next(
                    (
                        RecallNotice(recall_id=one.id, reason=one.reason, opened_at=one.opened_at)
                        for one in recalled(self._data, product_id, lot_key)
                    ),
                    None,
                ),
                sheet_with_serial=next(
                    (one.sheet_id for one in with_serial(self._data, product_id, serial_key) if one.id != but), None
                ),
            ),
            kit=kit and replace(kit, lines=()),
            earlier=self._recent_duplicate(product_id, since) if since else None,
            usual=usual_of(self._data, product_id),
        )

    def references_of_all(self, asked: Sequence[ReferredIds], since: SheetSince | None = None) -> list[References]:
        """Return the references of several details, in order."""
        return [self.references(**each._asdict(), since=since) for each in asked]

    def _recent_duplicate(self, product_id: int, since: SheetSince) -> RecentDuplicate | None:
        """Return the latest detail of the product on the sheet."""
        found = [
            detail
            for detail in self._items.values()
            if detail.sheet_id == since.sheet_id
            and detail.product_id == product_id
            and detail.created_at >= since.at
            and not detail.voided
        ]
        if not found:
            return None
        latest = max(found, key=lambda detail: (detail.created_at, detail.id))
        user = self._data.users[latest.user_id]
        by = self._data.staff.get(user.staff_id or 0)
        name = f"{by.name} {by.first_surname}" if by else user.email
        return RecentDuplicate(detail_id=latest.id, by=name, quantity=latest.quantity, at=latest.created_at)
