"""Time of the last line of a sheet, with the index of its latest lines."""

from sqlalchemy import select

from adapters.sql.sheets.tables import NOT_VOIDED, details, sheets

LAST_RECORDED_AT = (
    select(details.c.created_at)
    .where(details.c.sheet_id == sheets.c.id, NOT_VOIDED)
    .order_by(details.c.created_at.desc())
    .limit(1)
    .correlate(sheets)
    .scalar_subquery()
    .label("last_recorded_at")
)
