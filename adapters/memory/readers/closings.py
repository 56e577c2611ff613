"""Read closings, in memory."""

from collections.abc import Collection
from copy import deepcopy

import msgspec

from adapters.document_digest import document_digest
from adapters.memory.data import MemoryData
from application.ports.readers.sheets import ClosingRecord, ClosingSummary, FrozenClosing
from application.ports.stores import Closing
from application.views.summaries import SheetDocument

_EXACT_JSON = msgspec.json.Encoder(decimal_format="string")


def digest_of(document: SheetDocument, salt: str) -> str:
    """Return the digest of a document and its salt."""
    return document_digest(_EXACT_JSON.encode(document), salt)


class MemoryClosingsView:
    """Reads closings."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def of_sheet(self, sheet_id: int) -> list[ClosingSummary]:
        """List the sheet's closings, oldest first."""
        found = sorted(one for (of, _), one in self._data.closings.items() if of == sheet_id)
        return [ClosingSummary(one.turn, one.closed_at, one.user_id, one.total, one.lines) for one in found]

    def closed_by(self, sheet_id: int) -> int | None:
        """Return the user of the closing in force; None if that is unknown."""
        closed_at = self._data.sheets[sheet_id].closed_at
        found = sorted(one for (of, _), one in self._data.closings.items() if of == sheet_id)
        in_force = [one.user_id for one in found if one.closed_at == closed_at]
        return in_force[-1] if in_force else None

    def document(self, sheet_id: int, turn: int | None) -> SheetDocument | None:
        """Return the document of that closing; by default the one in force."""
        found = self._one(sheet_id, turn)
        return deepcopy(found.document) if found else None

    def frozen(self, sheet_id: int, turn: int | None) -> FrozenClosing | None:
        """Return that closing with its digest; by default the one in force."""
        one = self._one(sheet_id, turn)
        if one is None:
            return None
        found = digest_of(one.document, one.salt) if one.salt else None
        return FrozenClosing(one.turn, one.closed_at, one.digest, found, deepcopy(one.document))

    def _one(self, sheet_id: int, turn: int | None) -> Closing | None:
        of_sheet = [one for (of, _), one in self._data.closings.items() if of == sheet_id]
        if turn is None:
            closed_at = self._data.sheets[sheet_id].closed_at if sheet_id in self._data.sheets else None
            of_sheet = [one for one in of_sheet if one.closed_at == closed_at]
        else:
            of_sheet = [one for one in of_sheet if one.turn == turn]
        return of_sheet[-1] if of_sheet else None

    def after(
        self,
        sheet_id: int,
        turn: int,
        *,
        most: int,
        patient_id: int | None = None,
        sheet_ids: Collection[int] | None = None,
    ) -> list[ClosingRecord]:
        """List closings after that one by sheet and turn, for one or all patients."""
        found = sorted(place for place in self._data.closings if place > (sheet_id, turn))
        sheets = self._data.sheets
        places = [
            place
            for place in found
            if patient_id in (None, sheets[place[0]].patient_id) and (sheet_ids is None or place[0] in sheet_ids)
        ]
        following = {place: self._data.closings.get((place[0], place[1] + 1)) for place in places}
        return [
            ClosingRecord(
                sheet_id=place[0],
                patient_id=sheets[place[0]].patient_id,
                turn=place[1],
                closed_at=self._data.closings[place].closed_at,
                replaced_at=(later := following[place]) and later.closed_at,
                reopened=sheets[place[0]].closed_at is None,
                document=deepcopy(self._data.closings[place].document),
            )
            for place in places[:most]
        ]
