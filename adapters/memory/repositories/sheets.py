"""Store sheets, closings and transfers, in memory."""

from copy import copy, deepcopy

from adapters.memory.data import MemoryData
from adapters.memory.readers.closings import digest_of
from adapters.memory.repositories.repository import MemoryRepository
from application.entities import SHEET
from application.ports.stores import Closing
from domain.sheet import Sheet
from domain.stay import Transfer


class MemorySheets(MemoryRepository[Sheet]):
    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, SHEET)
        self._details = data.details
        self._waiting = (data.late_entries, data.unlisted_items)

    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """Return the sheet of that detail."""
        detail = self._details.get(detail_id)
        return None if detail is None else self.get(detail.sheet_id)

    def remove(self, sheet: Sheet) -> None:
        """Delete a sheet permanently, with all that belongs to it.

        These are its details, transfers, late entries and unlisted items.
        """
        for kept in (self._details, self._data.transfers, *self._waiting):
            for one in [one for one in kept.values() if one.sheet_id == sheet.id]:
                del kept[one.id]
        for notice in [one for one in self._data.notices.values() if one.sheet_id == sheet.id]:
            del self._data.notices[notice.id]
        for key in [key for key in self._data.closings if key[0] == sheet.id]:
            del self._data.closings[key]
        for answer in [key for key in self._data.missed_charge_answers if key[0] == sheet.id]:
            del self._data.missed_charge_answers[answer]
        super().remove(sheet)


class MemoryClosings:
    """Closings, with the documents that they froze."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add(self, closing: Closing) -> Closing:
        """Store a closing. Return it with its digest."""
        added = closing._replace(digest=digest_of(closing.document, closing.salt or ""))
        self._data.closings[closing.sheet_id, closing.turn] = added._replace(document=deepcopy(closing.document))
        return added

    def without_digest(self, *, after: tuple[int, int], most: int) -> list[tuple[int, int]]:
        """List positions of closings without a digest, after a position."""
        found = (place for place, one in self._data.closings.items() if place > after and one.digest is None)
        return sorted(found)[:most]

    def add_digest(self, sheet_id: int, turn: int, salt: str) -> None:
        """Store the digest of a closing, unless it has one."""
        one = self._data.closings.get((sheet_id, turn))
        if one and one.digest is None:
            digest = digest_of(one.document, salt)
            self._data.closings[sheet_id, turn] = one._replace(salt=salt, digest=digest)

    def closing_count(self, sheet_id: int) -> int:
        """Return the turn of the last closing."""
        return max((one.turn for one in self._data.closings.values() if one.sheet_id == sheet_id), default=0)

    def missing(self, *, after: int, most: int) -> list[int]:
        """List closed sheets after that id without a stored closing."""
        known = {(one.sheet_id, one.closed_at) for one in self._data.closings.values()}
        closed = (one for one in self._data.sheets.values() if one.closed and one.id > after)
        return sorted(one.id for one in closed if (one.id, one.closed_at) not in known)[:most]


class MemoryTransfers:
    """Transfers of patients."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add(self, transfer: Transfer) -> None:
        """Store a new transfer and set its id."""
        transfer.id = self._data.last_ids["transfers"] = self._data.last_ids.get("transfers", 0) + 1
        self._data.transfers[transfer.id] = copy(transfer)

    def first(self, sheet_id: int) -> Transfer | None:
        """Return the sheet's first transfer."""
        return next(iter(self.of_sheet(sheet_id)), None)

    def last(self, sheet_id: int) -> Transfer | None:
        """Return the sheet's last transfer."""
        return next(reversed(self.of_sheet(sheet_id)), None)

    def remove(self, transfer: Transfer) -> None:
        del self._data.transfers[transfer.id]

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """List the sheet's transfers, oldest first."""
        return [copy(one) for one in self._data.transfers.values() if one.sheet_id == sheet_id]
