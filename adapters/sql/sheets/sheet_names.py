"""Names of sheets: the patient and the room, or the area."""

from typing import Any

from sqlalchemy import FromClause

from adapters.sql.catalogue.areas import AREA_NAME
from adapters.sql.catalogue.tables import areas, rooms
from adapters.sql.engine.row_shape import Cell, PresentIf, RowShape, is_set, or_none
from adapters.sql.people.patients import PATIENT_NAME
from adapters.sql.people.tables import patients
from adapters.sql.sheets.tables import sheets


class SheetName:
    """The tables with the name of a sheet, and the cells that show it.

    With a ``prefix`` they are aliases, for a second sheet in a statement. ``patient`` is the shape of the patient.
    """

    def __init__(self, prefix: str = "", patient: RowShape[Any] = PATIENT_NAME) -> None:
        self.sheets, self._patients, self._rooms, self._areas = (
            table.alias(f"{prefix}{table.name}") if prefix else table for table in (sheets, patients, rooms, areas)
        )
        self.cells: dict[str, Cell] = {
            "closed": is_set(self.sheets.c.closed_at),
            "patient": or_none(patient.of(self._patients) if prefix else patient),
            "room": self._rooms.c.name,
            "area": PresentIf(self._areas.c.id, AREA_NAME.of(self._areas)),
        }

    def join_to(self, beginning: FromClause, sheet_id: Any, *, isouter: bool = False) -> FromClause:
        """Join the sheet with this id, and its name."""
        return (
            beginning.join(self.sheets, self.sheets.c.id == sheet_id, isouter=isouter)
            .outerjoin(self._patients, self._patients.c.id == self.sheets.c.patient_id)
            .outerjoin(self._rooms, self._rooms.c.id == self.sheets.c.room_id)
            .outerjoin(self._areas, self._areas.c.id == self.sheets.c.area_id)
        )


SHEET_NAME = SheetName()
