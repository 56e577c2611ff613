"""Import staff."""

from collections.abc import Sequence

from application.imports.reading.row import Row
from application.imports.rows.people import CALLED, names_told, parts_of, single_match, sorted_name, sorted_name_told
from application.imports.rows.row_importer import FirstSeen, ImportContext, Outcome, RowImporter, filled_in, upsert
from application.people.staff import CreateStaff, StaffDraft, UpdateStaff
from domain.people.staff import Staff


class StaffImporter(RowImporter):
    """Imports staff members, identified by names.

    If the file has a date of birth, it has to match too.
    """

    def __init__(self, context: ImportContext) -> None:
        super().__init__(context)
        self._staff = context.staged.staff
        self._by_birthday = "date_of_birth" in context.given
        self._create = CreateStaff(context.begin, context.clock, context.zone)
        self._update = UpdateStaff(context.begin, context.clock, context.zone)
        self._lines = FirstSeen()

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read the staff by names."""
        self._staff.look_up("full_name", [name for row in rows if (name := sorted_name_told(row))])

    def import_row(self, row: Row) -> Outcome:
        """Create the staff member, or update the existing one."""
        names = parts_of(row)
        born = row.day("date_of_birth") if self._by_birthday else None
        alike: list[Staff] = self._staff.find_many("full_name", sorted_name(names))
        if born is not None:
            # A staff member without a stored date of birth may be the same person.
            alike = [one for one in alike if one.date_of_birth == born] or [
                one for one in alike if one.date_of_birth is None
            ]
        known = single_match(alike, "name", " ".join(filter(None, names.values())))
        values = filled_in(known, row, StaffDraft, "name", "first_surname")
        values |= names_told(self._context, row, names, known)
        outcome = upsert(self._create, self._update, self._actor, known, StaffDraft(**values, parse_errors=row.faults))
        return self._lines.check_repeat((sorted_name(names), born), row, outcome, *CALLED)
