"""Import areas."""

from collections.abc import Sequence

from application.catalogue.areas import AreaDraft, CreateArea, UpdateArea
from application.imports.reading.row import Row
from application.imports.rows.row_importer import FirstSeen, ImportContext, Outcome, RowImporter, filled_in, upsert
from domain.common.text import unique_key


class AreaImporter(RowImporter):
    """Imports areas, which are identified by name.

    The name of an existing area stays: it may differ in case and blanks.
    """

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._areas = context.staged.areas
        self._create = CreateArea(context.begin, context.clock, context.zone)
        self._update = UpdateArea(context.begin, context.clock, context.zone)
        self._lines = FirstSeen()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the areas by name and by code."""
        self._areas.look_up("name", [unique_key(row.text("name")) for row in rows])
        self._areas.look_up("code", [code for row in rows if (code := row.text("code"))])

    def import_row(self, row: Row) -> Outcome:
        """Create the area, or set the code of the existing one."""
        key = unique_key(row.text("name"))
        known = self._areas.find("name", key) if row.text("name") else None
        name = known.name if known else row.text("name")
        draft = AreaDraft(name=name, **filled_in(known, row, AreaDraft, "name"), parse_errors=row.faults)
        outcome = upsert(self._create, self._update, self._actor, known, draft)
        return self._lines.check_repeat(key, row, outcome, "name")
