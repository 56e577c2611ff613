"""Unlisted items."""

from sqlalchemy import Connection, bindparam, func, select

from adapters.sql.engine.row_shape import Computed, RowShape, or_none
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.sheets.sheet_names import SHEET_NAME
from adapters.sql.sheets.tables import IS_OPEN_UNLISTED, sheets, unlisted_items
from application.sheets.views import UnlistedSheetView
from domain.hospital.use_reason import UseReason
from domain.sheets.unlisted_item import UnlistedItem, UnlistedState

MAPPING = TableMapping[UnlistedItem](
    unlisted_items,
    UnlistedItem,
    keys={"digest": unlisted_items.c.entry_digest, "sheet_id": unlisted_items.c.sheet_id},
    written={"entry_digest": lambda item: item.digest},
    read={
        "digest": or_none(Computed(bytes, unlisted_items.c.entry_digest)),
        "state": Computed(UnlistedState, unlisted_items.c.state),
        "use_reason": or_none(Computed(UseReason, unlisted_items.c.use_reason)),
    },
)

# Column with a sheet's number of open items.
OPEN_OF_SHEET = (
    select(func.count())
    .where(unlisted_items.c.sheet_id == sheets.c.id, IS_OPEN_UNLISTED)
    .correlate(sheets)
    .scalar_subquery()
    .label("unlisted_items")
)

_OPEN_ON_SHEET = (
    select(unlisted_items)
    .where(unlisted_items.c.sheet_id == bindparam("sheet_id"), IS_OPEN_UNLISTED)
    .order_by(unlisted_items.c.occurred_at, unlisted_items.c.id)
)
_OPEN = (
    select(
        unlisted_items.c.sheet_id,
        func.count().label("open_items"),
        func.min(unlisted_items.c.created_at).label("since"),
    )
    .where(IS_OPEN_UNLISTED)
    .group_by(unlisted_items.c.sheet_id)
    .subquery("open")
)
_SHEET = RowShape[UnlistedSheetView](
    UnlistedSheetView,
    _OPEN,
    names={
        "consumption_sheet_id": _OPEN.c.sheet_id,
        **SHEET_NAME.cells,
        "items": _OPEN.c.open_items,
    },
)
UNLISTED_SHEETS = (
    select(
        *_SHEET.columns,
    )
    .select_from(SHEET_NAME.join_to(_OPEN, _OPEN.c.sheet_id))
    .order_by(_OPEN.c.since, _OPEN.c.sheet_id)
    .limit(bindparam("most"))
)


def read_open_unlisted_items(connection: Connection, sheet_id: int) -> list[UnlistedItem]:
    """Return the open unlisted items of a sheet, in the order of their use."""
    return [MAPPING.to_entity(row) for row in connection.execute(_OPEN_ON_SHEET, {"sheet_id": sheet_id})]


def read_unlisted_sheets(connection: Connection, *, most: int) -> list[UnlistedSheetView]:
    """Return sheets with open unlisted items, longest waiting first."""
    return [_SHEET.read(row) for row in connection.execute(UNLISTED_SHEETS, {"most": most})]
