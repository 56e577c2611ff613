"""Closings. Documents are gzipped JSON: 4 kB for a sheet of 100 lines."""

import gzip
from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, bindparam, exists, func, or_, select

from adapters.sql.tables import closings, sheets
from application.ports.readers.sheets import ClosingRecord, ClosingSummary
from application.ports.stores import Closing
from application.views.summaries import SheetDocument

_EXACT_JSON = msgspec.json.Encoder(decimal_format="string")
_DOCUMENT = msgspec.json.Decoder(SheetDocument)

_INSERT = closings.insert()
_OF_SHEET = closings.c.sheet_id == bindparam("sheet_id")
_TURNS = select(func.coalesce(func.max(closings.c.turn), 0).label("turns")).where(_OF_SHEET)
_LIST = (
    select(closings.c.turn, closings.c.closed_at, closings.c.user_id, closings.c.total, closings.c.lines)
    .where(_OF_SHEET)
    .order_by(closings.c.turn)
)
_OF_TURN = select(closings.c.document).where(_OF_SHEET, closings.c.turn == bindparam("turn"))
# The closing in force. A closing with another time belongs to a sheet that was reopened since.
_IS_IN_FORCE = and_(closings.c.sheet_id == sheets.c.id, closings.c.closed_at == sheets.c.closed_at)
_IN_FORCE = (
    select(closings.c.document)
    .join_from(closings, sheets, _IS_IN_FORCE)
    .where(_OF_SHEET)
    .order_by(closings.c.turn.desc())
    .limit(1)
)
_CLOSED_BY = (
    select(closings.c.user_id)
    .join_from(closings, sheets, _IS_IN_FORCE)
    .where(_OF_SHEET)
    .order_by(closings.c.turn.desc())
    .limit(1)
)
_NEXT = closings.alias("next")
_BEHIND = (
    select(
        closings.c.sheet_id,
        sheets.c.patient_id,
        closings.c.turn,
        closings.c.closed_at,
        select(_NEXT.c.closed_at)
        .where(_NEXT.c.sheet_id == closings.c.sheet_id, _NEXT.c.turn == closings.c.turn + 1)
        .scalar_subquery()
        .label("replaced_at"),
        sheets.c.closed_at.label("in_force_at"),
        closings.c.document,
    )
    .join_from(closings, sheets, sheets.c.id == closings.c.sheet_id)
    .where(
        or_(
            closings.c.sheet_id > bindparam("sheet_id"),
            and_(closings.c.sheet_id == bindparam("sheet_id"), closings.c.turn > bindparam("turn")),
        )
    )
    .order_by(closings.c.sheet_id, closings.c.turn)
    .limit(bindparam("most"))
)
_OF_PATIENT = sheets.c.patient_id == bindparam("patient_id")
_OF_SHEETS = closings.c.sheet_id.in_(bindparam("sheet_ids", expanding=True))
_MISSING = (
    select(sheets.c.id)
    .where(
        sheets.c.id > bindparam("after"),
        sheets.c.closed_at.is_not(None),
        ~exists(select(closings.c.id).where(_IS_IN_FORCE)),
    )
    .order_by(sheets.c.id)
    .limit(bindparam("most"))
)


def to_bytes(document: SheetDocument) -> bytes:
    """Encode a document, deterministically."""
    return gzip.compress(_EXACT_JSON.encode(document), mtime=0)


def to_document(kept: bytes) -> SheetDocument:
    """Decode a document of any version, ignoring unknown fields."""
    return _DOCUMENT.decode(gzip.decompress(kept))


class SqlClosings:
    """Closings within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, closing: Closing) -> None:
        """Insert a closing."""
        row = {**closing._asdict(), "document": to_bytes(closing.document)}
        self._connection.execute(_INSERT, row)

    def closing_count(self, sheet_id: int) -> int:
        """Return the number of the last closing; 0 if there is none."""
        [(turns,)] = self._connection.execute(_TURNS, {"sheet_id": sheet_id})
        return int(turns)

    def missing(self, *, after: int, most: int) -> list[int]:
        """Return ids of closed sheets without a stored closing, after an id."""
        return [row.id for row in self._connection.execute(_MISSING, {"after": after, "most": most})]


class SqlClosingsView:
    """Read model of closings."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_sheet(self, sheet_id: int) -> list[ClosingSummary]:
        """Return the closings of a sheet in order."""
        return [ClosingSummary(*row) for row in self._connection.execute(_LIST, {"sheet_id": sheet_id})]

    def closed_by(self, sheet_id: int) -> int | None:
        """Return the user of the closing in force; None if that is unknown."""
        return self._connection.execute(_CLOSED_BY, {"sheet_id": sheet_id}).scalar()

    def document(self, sheet_id: int, turn: int | None) -> SheetDocument | None:
        """Return the document of a closing; without ``turn`` the one in force."""
        if turn is None:
            row = self._connection.execute(_IN_FORCE, {"sheet_id": sheet_id}).one_or_none()
        else:
            row = self._connection.execute(_OF_TURN, {"sheet_id": sheet_id, "turn": turn}).one_or_none()
        return None if row is None else to_document(row.document)

    def after(
        self,
        sheet_id: int,
        turn: int,
        *,
        most: int,
        patient_id: int | None = None,
        sheet_ids: Collection[int] | None = None,
    ) -> list[ClosingRecord]:
        """Return closings after a position, of all sheets, some or one patient's.

        They are in order of sheet and number.
        """
        statement = _BEHIND
        params: dict[str, Any] = {"sheet_id": sheet_id, "turn": turn, "most": most}
        if patient_id is not None:
            statement, params = statement.where(_OF_PATIENT), params | {"patient_id": patient_id}
        if sheet_ids is not None:
            statement, params = statement.where(_OF_SHEETS), params | {"sheet_ids": sorted(sheet_ids)}
        rows = self._connection.execute(statement, params)
        return [
            ClosingRecord(
                sheet_id=row.sheet_id,
                patient_id=row.patient_id,
                turn=row.turn,
                closed_at=row.closed_at,
                replaced_at=row.replaced_at,
                reopened=row.in_force_at is None,
                document=to_document(row.document),
            )
            for row in rows
        ]
