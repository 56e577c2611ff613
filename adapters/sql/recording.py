"""Begin recording a detail, on PostgreSQL with one statement.

Each statement is a round trip to the server, and these are most of the time of recording a line (docs/performance.md).
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
# The sheet is not locked if the answer is stored, or if the same request is in progress.
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
    # The version that this statement saw before it waited for the lock.
    select(_SEEN.c.version).where(_SEEN.c.id == bindparam("of_sheet")).scalar_subquery(),
    *_LOCKED.c,
)
_sheet_row = cast("Any", namedtuple)("SheetRow", [column.name for column in sheets.c])


def begin_recording(
    connection: Connection, asked: RecordingRequest[Answer], store: SqlDetails
) -> RecordingContext[Answer]:
    """Claim the key, lock the sheet, read the references and reserve an id."""
    idempotency_key = asked.idempotency_key
    assert idempotency_key is not None
    params = claim_of(asked.user_id, idempotency_key) | references_of(asked.refers_to, asked.since)
    [row] = execute(connection, _LOOK, params | {"of_sheet": asked.sheet_id})
    claimed, fingerprint, answer, detail_id, seen, *locked = row[REFERENCE_COLUMNS:]
    if not claimed:
        raise RequestInProgress
    if fingerprint is not None:
        return RecordingContext(kept_answer(fingerprint, answer, idempotency_key, asked.shape))
    sheet = None if locked[0] is None else to_sheet(_sheet_row(*locked))
    if sheet is not None and sheet.version != seen:
        # While this waited for the lock, another transaction changed the sheet: the other data are from before the
        # change.
        found = store.references(**asked.refers_to._asdict(), since=asked.since)
        return RecordingContext(None, sheet, found, detail_id)
    return RecordingContext(None, sheet, to_references(row[:REFERENCE_COLUMNS]), detail_id)
