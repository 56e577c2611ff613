"""Import rooms and their areas."""

from collections.abc import Sequence
from dataclasses import replace

from application.catalogue.areas import AreaDraft, CreateArea
from application.catalogue.rooms import CreateRoom, RoomDraft, UpdateRoom
from application.imports.reading.row import Row
from application.imports.rows.people import single_match
from application.imports.rows.row_importer import (
    FirstSeen,
    ImportContext,
    Outcome,
    RowImporter,
    filled_in,
    renamed,
    upsert,
)
from domain.catalogue.area import Area
from domain.catalogue.room import RoomStatus
from domain.common.errors import Refused
from domain.common.text import fold, unique_key


class RoomImporter(RowImporter):
    """Imports rooms, which are identified by name within their area.

    Missing areas are created.
    """

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._create = CreateRoom(context.begin, context.clock, context.zone)
        self._update = UpdateRoom(context.begin, context.clock, context.zone)
        self._create_area = CreateArea(context.begin, context.clock, context.zone)
        self._lines = FirstSeen()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the rooms by name and by code, and the areas by name."""
        self._staged.rooms.look_up("name", [fold(row.text("name")) for row in rows])
        self._staged.rooms.look_up("code", [code for row in rows if (code := row.text("code"))])
        self._staged.areas.look_up("name", [unique_key(row.text("area")) for row in rows])

    def import_row(self, row: Row) -> Outcome:
        """Create the room, or update the existing one."""
        name, area = row.text("name"), row.text("area")
        area_id = self.area_of(area).id if area else None
        alike = [room for room in self._staged.rooms.find_many("name", fold(name)) if room.area_id == area_id]
        known = single_match(alike, "name", name) if name else None
        values = filled_in(known, row, RoomDraft, "area_id")
        if known is None:
            values.setdefault("status", RoomStatus.AVAILABLE)
            # The form for rooms does the same.
            values.setdefault("type", values["status"])
        wrong = tuple(replace(one, field="area_id") if one.field == "area" else one for one in row.faults)
        draft = RoomDraft(**values, area_id=area_id, sent_fields=frozenset({*values, "area_id"}), parse_errors=wrong)
        try:
            outcome = upsert(self._create, self._update, self._actor, known, draft)
        except Refused as refused:
            raise renamed(refused, {"area_id": "area"}) from None
        return self._lines.check_repeat((fold(name), area_id), row, outcome, "name", "area")

    def area_of(self, name: str) -> Area:
        """Return the area of that name, creating it if needed."""
        found = self._staged.areas.find("name", unique_key(name))
        if found is None:
            try:
                found = self._create_area(self._actor, AreaDraft(name=name))
            except Refused as refused:
                raise renamed(refused, {"name": "area"}) from None
        return found
