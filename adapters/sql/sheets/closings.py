"""Closings."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, exists, func, or_, select

from adapters.sql.sheets.frozen import freeze, frozen_digest, to_document
from adapters.sql.sheets.tables import closings, sheets
from application.sheets.ports import ClosingRecord, ClosingSummary, FrozenClosing
from application.sheets.stores import Closing
from application.sheets.summary_views import SheetDocument

_INSERT = closings.insert()
_OF_SHEET = closings.c.sheet_id == bindparam("sheet_id")
_TURNS = select(func.coalesce(func.max(closings.c.turn), 0).label("turns")).where(_OF_SHEET)
_TURNS_OF_MANY = (
    select(closings.c.sheet_id, func.max(closings.c.turn).label("turns"))
    .where(closings.c.sheet_id.in_(bindparam("sheet_ids", expanding=True)))
    .group_by(closings.c.sheet_id)
)
_LIST = (
    select(closings.c.turn, closings.c.closed_at, closings.c.user_id, closings.c.total, closings.c.lines)
    .where(_OF_SHEET)
    .order_by(closings.c.turn)
)
_FROZEN = (closings.c.turn, closings.c.closed_at, closings.c.salt, closings.c.digest, closings.c.document)
_OF_TURN = select(*_FROZEN).where(_OF_SHEET, closings.c.turn == bindparam("turn"))
# The closing in force. A closing with another time belongs to a sheet that was reopened since.
_IS_IN_FORCE = and_(closings.c.sheet_id == sheets.c.id, closings.c.closed_at == sheets.c.closed_at)
_IN_FORCE = (
    select(*_FROZEN)
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
_WITHOUT_DIGEST = (
    select(closings.c.sheet_id, closings.c.turn)
    .where(
        closings.c.digest.is_(None),
        or_(
            closings.c.sheet_id > bindparam("sheet_id"),
            and_(closings.c.sheet_id == bindparam("sheet_id"), closings.c.turn > bindparam("turn")),
        ),
    )
    .order_by(closings.c.sheet_id, closings.c.turn)
    .limit(bindparam("most"))
)
_ADD_DIGEST = (
    closings.update()
    .where(
        closings.c.sheet_id == bindparam("of_sheet"),
        closings.c.turn == bindparam("of_turn"),
        closings.c.digest.is_(None),
    )
    .values(salt=bindparam("new_salt"), digest=bindparam("new_digest"))
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


class SqlClosings:
    """Closings within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, closing: Closing) -> Closing:
        """Insert a closing. Return it with its digest."""
        kept, digest = freeze(closing.document, closing.salt or "")
        added = closing._replace(digest=digest)
        self._connection.execute(_INSERT, {**added._asdict(), "document": kept})
        return added

    def without_digest(self, *, after: tuple[int, int], most: int) -> list[tuple[int, int]]:
        """Return positions of closings without a digest, after a position."""
        sheet_id, turn = after
        params = {"sheet_id": sheet_id, "turn": turn, "most": most}
        return [(row.sheet_id, row.turn) for row in self._connection.execute(_WITHOUT_DIGEST, params)]

    def add_digest(self, sheet_id: int, turn: int, salt: str) -> None:
        """Update a closing with the digest of its document, once."""
        row = self._connection.execute(_OF_TURN, {"sheet_id": sheet_id, "turn": turn}).one_or_none()
        if row is not None:
            digest = frozen_digest(row.document, salt)
            params = {"of_sheet": sheet_id, "of_turn": turn, "new_salt": salt, "new_digest": digest}
            self._connection.execute(_ADD_DIGEST, params)

    def closing_count(self, sheet_id: int) -> int:
        """Return the number of the last closing; 0 if there is none."""
        [(turns,)] = self._connection.execute(_TURNS, {"sheet_id": sheet_id})
        return int(turns)

    def closing_counts(self, sheet_ids: Collection[int]) -> dict[int, int]:
        """Return the number of the last closing of those that have one."""
        found = self._connection.execute(_TURNS_OF_MANY, {"sheet_ids": list(sheet_ids)})
        return {row.sheet_id: row.turns for row in found}

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
        row = self._row(sheet_id, turn)
        return None if row is None else to_document(row.document)

    def frozen(self, sheet_id: int, turn: int | None) -> FrozenClosing | None:
        """Return a closing with its digest; without ``turn`` the one in force."""
        row = self._row(sheet_id, turn)
        if row is None:
            return None
        found = frozen_digest(row.document, row.salt) if row.salt else None
        return FrozenClosing(row.turn, row.closed_at, row.digest, found, to_document(row.document))

    def _row(self, sheet_id: int, turn: int | None) -> Row[Any, Any, Any, Any, Any] | None:
        if turn is None:
            return self._connection.execute(_IN_FORCE, {"sheet_id": sheet_id}).one_or_none()
        return self._connection.execute(_OF_TURN, {"sheet_id": sheet_id, "turn": turn}).one_or_none()

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
