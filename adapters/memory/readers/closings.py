"""Read closings, in memory."""

from collections.abc import Collection
from copy import deepcopy

from adapters.memory.data import MemoryData
from application.ports.readers.sheets import ClosingRecord, ClosingSummary
from application.views.summaries import SheetDocument


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
        of_sheet = [one for (of, _), one in self._data.closings.items() if of == sheet_id]
        if turn is None:
            closed_at = self._data.sheets[sheet_id].closed_at if sheet_id in self._data.sheets else None
            of_sheet = [one for one in of_sheet if one.closed_at == closed_at]
        else:
            of_sheet = [one for one in of_sheet if one.turn == turn]
        return deepcopy(of_sheet[-1].document) if of_sheet else None

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
