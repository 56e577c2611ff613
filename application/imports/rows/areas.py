"""Import areas."""

from collections.abc import Sequence

from application.catalogue.areas import AreaDraft, CreateArea
from application.imports.reading.rows import Row
from application.imports.rows.row_importer import ImportContext, Outcome, RowImporter
from domain.text import unique_key


class AreaImporter(RowImporter):
    """Imports areas, which are identified by name."""

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._areas = context.staged.areas
        self._create = CreateArea(context.begin, context.clock, context.zone)

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the areas by name."""
        self._areas.look_up("name", [unique_key(row.text("name")) for row in rows])

    def import_row(self, row: Row) -> Outcome:
        """Create the area unless it exists."""
        if row.text("name") and self._areas.find("name", unique_key(row.text("name"))):
            return Outcome.UNCHANGED
        self._create(self._actor, AreaDraft(name=row.text("name"), parse_errors=row.faults))
        return Outcome.CREATED
