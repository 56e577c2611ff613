"""Late entries."""

from sqlalchemy import Connection, bindparam, func, select

from adapters.sql.engine.row_shape import Computed, RowShape, or_none
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.sheets.sheet_names import SHEET_NAME
from adapters.sql.sheets.tables import IS_UNDECIDED, late_entries, sheets
from application.sheets.views import LateSheetView
from domain.sheets.late_entry import Decision, LateEntry

MAPPING = TableMapping[LateEntry](
    late_entries,
    LateEntry,
    keys={"digest": late_entries.c.entry_digest, "sheet_id": late_entries.c.sheet_id},
    written={"entry_digest": lambda late: late.digest},
    read={
        "digest": Computed(bytes, late_entries.c.entry_digest),
        "decision": or_none(Computed(Decision, late_entries.c.decision)),
    },
)

# Column with a sheet's number of undecided entries.
UNDECIDED_OF_SHEET = (
    select(func.count())
    .where(late_entries.c.sheet_id == sheets.c.id, IS_UNDECIDED)
    .correlate(sheets)
    .scalar_subquery()
    .label("late_entries")
)

_UNDECIDED = (
    select(
        late_entries.c.sheet_id,
        func.count().label("entries"),
        func.min(late_entries.c.arrived_at).label("since"),
    )
    .where(IS_UNDECIDED)
    .group_by(late_entries.c.sheet_id)
    .subquery("undecided")
)
_SHEET = RowShape[LateSheetView](
    LateSheetView,
    _UNDECIDED,
    names={
        "consumption_sheet_id": _UNDECIDED.c.sheet_id,
        **SHEET_NAME.cells,
    },
)
LATE_SHEETS = (
    select(
        *_SHEET.columns,
    )
    .select_from(SHEET_NAME.join_to(_UNDECIDED, _UNDECIDED.c.sheet_id))
    .order_by(_UNDECIDED.c.since, _UNDECIDED.c.sheet_id)
    .limit(bindparam("most"))
)


def read_late_sheets(connection: Connection, *, most: int) -> list[LateSheetView]:
    """Return sheets with undecided late entries, longest waiting first."""
    return [_SHEET.read(row) for row in connection.execute(LATE_SHEETS, {"most": most})]
