"""What recording a detail begins with, on PostgreSQL in one look.

Each look is a way to the server and back, which is most of what recording a line takes (docs/performance.md).
"""

from collections import namedtuple
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, bindparam, exists, func, literal, select, true

from adapters.sql.details import REFERENCE_COLUMNS, SqlDetails, references_beginning_with, references_of, to_references
from adapters.sql.driver_execute import execute
from adapters.sql.idempotency import CLAIM, KEPT, claim_of, kept_answer
from adapters.sql.sheets import to_entity as to_sheet
from adapters.sql.tables import details, sheets
from application.ports.recording import RecordingContext, RecordingRequest
from domain.errors import RequestInProgress

Answer = TypeVar("Answer")

_CLAIM = CLAIM.cte("claim")
_KEPT = KEPT.cte("kept")
# What was answered before, or is being done by somebody else, waits for no sheet.
_LOCKED = (
    select(sheets)
    .where(
        sheets.c.id == bindparam("of_sheet"),
        select(_CLAIM.c.claimed).scalar_subquery(),
        ~exists(select(_KEPT.c.fingerprint)),
    )
    .with_for_update(key_share=True)
    .cte("locked")
)
_SEEN = sheets.alias("seen")
_LOOK = references_beginning_with(_CLAIM.outerjoin(_KEPT, true()).outerjoin(_LOCKED, true())).add_columns(
    _CLAIM.c.claimed,
    _KEPT.c.fingerprint,
    _KEPT.c.answer,
    func.nextval(func.pg_get_serial_sequence(literal(details.name), literal("id"))),
    # As this statement saw it before it waited for the lock.
    select(_SEEN.c.version).where(_SEEN.c.id == bindparam("of_sheet")).scalar_subquery(),
    *_LOCKED.c,
)
_sheet_row = cast("Any", namedtuple)("SheetRow", [column.name for column in sheets.c])


def begin_recording(
    connection: Connection, asked: RecordingRequest[Answer], store: SqlDetails
) -> RecordingContext[Answer]:
    """The claim on the key, the sheet with its lock, what the detail refers to and an id for it."""
    idempotency_key = asked.idempotency_key
    assert idempotency_key is not None
    given = claim_of(asked.user_id, idempotency_key) | references_of(asked.refers_to, asked.since)
    [row] = execute(connection, _LOOK, given | {"of_sheet": asked.sheet_id})
    claimed, fingerprint, answer, detail_id, seen, *locked = row[REFERENCE_COLUMNS:]
    if not claimed:
        raise RequestInProgress
    if fingerprint is not None:
        return RecordingContext(kept_answer(fingerprint, answer, idempotency_key, asked.shape))
    sheet = None if locked[0] is None else to_sheet(_sheet_row(*locked))
    if sheet is not None and sheet.version != seen:
        # Whoever was waited for has changed the sheet: what this look saw beside it is what was there before.
        found = store.references(**asked.refers_to._asdict(), since=asked.since)
        return RecordingContext(None, sheet, found, detail_id)
    return RecordingContext(None, sheet, to_references(row[:REFERENCE_COLUMNS]), detail_id)
