"""Record details: read what they refer to, and insert them.

Each statement is a round trip to the server, and these are most of the time of recording a line (docs/performance.md).
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    ScalarSelect,
    Select,
    bindparam,
    column,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    values,
)

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.areas import MAPPING as AREA
from adapters.sql.catalogue.categories import MAPPING as CATEGORY
from adapters.sql.catalogue.kits import MAPPING as KIT
from adapters.sql.catalogue.products import MAPPING as PRODUCT
from adapters.sql.catalogue.tables import IS_RECALLED, areas, categories, kits, products, recalls
from adapters.sql.common.idempotency import CLAIM, KEPT, claim_of, kept_answer
from adapters.sql.common.pending_writes import COUNT_UP, NEW_DETAIL
from adapters.sql.engine.driver_execute import execute
from adapters.sql.engine.row_shape import Cell, Computed, RowShape, or_none
from adapters.sql.people.staff import MAPPING as STAFF
from adapters.sql.people.tables import staff
from adapters.sql.sheets.sheets import sheet_of
from adapters.sql.sheets.tables import details, serial_key_of, sheets
from adapters.sql.sheets.usual_quantity import usual_quantity_of
from application.sheets.recording import RecordingContext, RecordingRequest
from application.sheets.stores import References, ReferredIds, SheetSince
from domain.catalogue.recall import RecallNotice
from domain.common.errors import RequestInProgress
from domain.scanning.lot import PackHistory
from domain.sheets.anomalies import RecentDuplicate
from domain.sheets.sheet import Sheet

Answer = TypeVar("Answer")

_KINDS = {"lot_key": recalls.c.lot_key.type, "serial_key": details.c.serial_key.type}
_OF_ONE: Any = ReferredIds._make(bindparam(name, type_=_KINDS.get(name)) for name in ReferredIds._fields)


# No sheet has this id, and no detail is later than this moment.
_NO_SHEET = SheetSince(0, datetime.max.replace(tzinfo=UTC))
_SINCE = bindparam("since", type_=details.c.created_at.type)
# Short names and literal limits: a statement of more than 4,096 characters is parsed again for each execution.
_product, _category, _staff, _area, _kit = (
    products.alias("p"), categories.alias("c"), staff.alias("s"), areas.alias("a"), kits.alias("k"),
)  # fmt: skip
# The last record of the same product shortly before, and its user.
_earlier, _user, _recorder = details.alias("e"), users.alias("u"), staff.alias("r")
_ONE: ColumnElement[int] = literal_column("1")


def _recent_duplicate(product_id: Any) -> ScalarSelect[int]:
    """Select a sheet's last detail of the product since a moment.

    The index is scanned only for the last half hour.
    """
    latest = details.alias("l")
    return (
        select(latest.c.id)
        .where(
            latest.c.sheet_id == bindparam("sheet_id"),
            latest.c.created_at >= _SINCE,
            latest.c.product_id == product_id,
            latest.c.voided_at.is_(None),
        )
        .order_by(latest.c.created_at.desc(), latest.c.id.desc())
        .limit(_ONE)
        .scalar_subquery()
    )


def _recall_of(of: Any) -> Select[Any]:
    """Select the recall of the product's lot."""
    return (
        select(recalls.c.id, recalls.c.reason, recalls.c.opened_at)
        .where(
            recalls.c.product_id == of.product_id,
            IS_RECALLED,
            or_(recalls.c.lot.is_(None), recalls.c.lot_key == of.lot_key),
        )
        .order_by(recalls.c.id)
        .limit(_ONE)
    )


def _recall_of_one() -> list[ScalarSelect[Any]]:
    """Select the columns of the recall of a detail.

    It is not joined: with more than eight tables PostgreSQL does not try all join orders.
    """
    recall = _recall_of(_OF_ONE).cte("recall")
    return [select(of_recall).scalar_subquery() for of_recall in recall.c]


def _recalls_of_all(of: Any) -> list[ScalarSelect[Any]]:
    """Select the columns of the recall of each detail."""
    recall = _recall_of(of)
    return [recall.with_only_columns(of_recall).scalar_subquery() for of_recall in recall.selected_columns]


def _serial_used_on(of: Any) -> ScalarSelect[int]:
    """Select the sheet on which the product's serial number was used."""
    used = details.alias("d")
    return (
        select(used.c.sheet_id)
        .where(
            used.c.serial.is_not(None),
            of.serial_key == serial_key_of(used),
            used.c.product_id == of.product_id,
            used.c.id != bindparam("but"),
            used.c.voided_at.is_(None),
        )
        .order_by(used.c.id)
        .limit(_ONE)
        .scalar_subquery()
    )


def _shape_of(beginning: FromClause, of: Any, recall: Sequence[ColumnElement[Any]]) -> RowShape[References]:
    """Return the shape of the references; missing entities are null."""
    recall_id, reason, opened_at = recall
    by = Computed(
        lambda email, name, surname: email if name is None else f"{name} {surname}",
        *(_user.c.email, _recorder.c.name, _recorder.c.first_surname),
    )
    earlier: dict[str, Cell] = {
        "detail_id": _earlier.c.id,
        "by": by,
        "quantity": _earlier.c.quantity,
        "at": _earlier.c.created_at,
    }
    notice = {"recall_id": recall_id, "reason": reason, "opened_at": opened_at}
    pack: dict[str, Cell] = {
        "recall": or_none(RowShape[RecallNotice](RecallNotice, names=notice)),
        "sheet_with_serial": _serial_used_on(of),
    }
    return RowShape[References](
        References,
        names={
            "product": or_none(PRODUCT.shape.of(_product)),
            "category": or_none(CATEGORY.shape.of(_category)),
            "staff": or_none(STAFF.shape.of(_staff)),
            "area": or_none(AREA.shape.of(_area)),
            "kit": or_none(KIT.shape.of(_kit)),
            "earlier": or_none(RowShape[RecentDuplicate](RecentDuplicate, names=earlier)),
            "pack": RowShape[PackHistory](PackHistory, names=pack),
            "usual": usual_quantity_of(of.product_id, beginning),
        },
    )


def _joined_to(beginning: FromClause, of: Any) -> FromClause:
    """Join what a detail refers to, for each row of ``beginning``."""
    return (
        beginning.outerjoin(_product, _product.c.id == of.product_id)
        .outerjoin(_category, _category.c.id == _product.c.category_id)
        .outerjoin(_staff, _staff.c.id == of.staff_id)
        .outerjoin(_area, _area.c.id == of.area_id)
        .outerjoin(_kit, _kit.c.id == of.kit_id)
        .outerjoin(_earlier, _earlier.c.id == _recent_duplicate(of.product_id))
        .outerjoin(_user, _user.c.id == _earlier.c.user_id)
        .outerjoin(_recorder, _recorder.c.id == _user.c.staff_id)
    )


def _params_of(ids: ReferredIds, since: SheetSince | None, but: int = 0) -> dict[str, Any]:
    """Return the parameters of the references of one detail."""
    sheet_id, at = since or _NO_SHEET
    return {**ids._asdict(), "but": but, "sheet_id": sheet_id, "since": at}


_ALWAYS = select(literal(1).label("one")).subquery("always")
_FOUND = _shape_of(_ALWAYS, _OF_ONE, _recall_of_one())
_REFERENCES = select(*_FOUND.columns).select_from(_joined_to(_ALWAYS, _OF_ONE))


def _references_of_all(asked: Sequence[ReferredIds]) -> Select[Any]:
    """Select the references of several details, passed as a table of values."""
    names = ("place", *ReferredIds._fields)
    several = values(*(column(name, _KINDS.get(name, BigInteger())) for name in names), name="several")
    # Values that match nothing replace None: a column of nulls would have no type.
    nothing = ["" if name in _KINDS else 0 for name in ReferredIds._fields]
    data = [(place, *(one or none for one, none in zip(ids, nothing, strict=True))) for place, ids in enumerate(asked)]
    rows = several.data(data).cte()
    # In the order of the columns of ``_FOUND``.
    found = _shape_of(rows, rows.c, _recalls_of_all(rows.c))
    return select(*found.columns).select_from(_joined_to(rows, rows.c)).order_by(rows.c.place)


def read_references(
    connection: Connection, asked: Sequence[ReferredIds], since: SheetSince | None, but: int = 0
) -> list[References]:
    """Read everything that details refer to, by one statement, in order."""
    if not asked:
        return []
    if len(asked) == 1:
        rows = execute(connection, _REFERENCES, _params_of(asked[0], since, but))
    else:
        sheet_id, at = since or _NO_SHEET
        rows = connection.execute(_references_of_all(asked), {"but": but, "sheet_id": sheet_id, "since": at}).all()
    return [_FOUND.read(row) for row in rows]


_CLAIM = CLAIM.cte("claim")
_KEPT = KEPT.cte("kept")
# The sheet is not locked if the answer is stored, or if the same request is in progress.
_sheet = sheets.alias("s")
_LOCKED = (
    select(*(one for one in _sheet.c if one.key != "search_folded"))
    .where(
        _sheet.c.id == bindparam("of_sheet"),
        select(_CLAIM.c.claimed).scalar_subquery(),
        ~exists(select(_KEPT.c.fingerprint)),
    )
    .with_for_update(key_share=True)
    .cte("locked")
)


class _Look(NamedTuple):
    """What is read before a detail is recorded.

    ``seen`` is the version that the statement saw before it waited for the lock of the sheet.
    """

    claimed: bool
    fingerprint: str | None
    answer: str | None
    sheet: Sheet | None
    seen: int | None
    detail_id: int
    found: References


def _look() -> tuple[RowShape[_Look], Select[Any]]:
    beginning = _CLAIM.outerjoin(_KEPT, true()).outerjoin(_LOCKED, true())
    seen = sheets.alias("seen")
    shape = RowShape[_Look](
        _Look,
        names={
            "claimed": _CLAIM.c.claimed,
            "fingerprint": _KEPT.c.fingerprint,
            "answer": _KEPT.c.answer,
            "sheet": sheet_of(_LOCKED),
            "seen": select(seen.c.version).where(seen.c.id == bindparam("of_sheet")).scalar_subquery(),
            "detail_id": func.nextval(func.pg_get_serial_sequence(literal(details.name), literal("id"))),
            "found": _shape_of(beginning, _OF_ONE, _recall_of_one()),
        },
    )
    return shape, select(*shape.columns).select_from(_joined_to(beginning, _OF_ONE))


_LOOKED, _LOOK = _look()


def begin_recording(connection: Connection, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
    """Claim the key, lock the sheet, read the references, reserve an id."""
    idempotency_key, [refers_to] = asked.idempotency_key, asked.refers_to
    assert idempotency_key is not None
    params = claim_of(asked.user_id, idempotency_key) | _params_of(refers_to, asked.since)
    [row] = execute(connection, _LOOK, params | {"of_sheet": asked.sheet_id})
    claimed, fingerprint, answer, sheet, seen, detail_id, found = _LOOKED.read(row)
    if not claimed:
        raise RequestInProgress
    if fingerprint is not None:
        assert answer is not None
        return RecordingContext(kept_answer(fingerprint, answer, idempotency_key, asked.shape))
    if sheet is not None and sheet.version != seen:
        # While this waited for the lock, another transaction changed the sheet: the other data are from before the
        # change.
        [found] = read_references(connection, asked.refers_to, asked.since)
    return RecordingContext(None, sheet, [found], detail_id)


_INSERT = details.insert().returning(details.c.id)
_INSERTED = (
    details.insert()
    .values({name: value for name, value in NEW_DETAIL.items() if name != "id"})
    .returning(details.c.id)
    .cte("recorded")
)
_RECORD = COUNT_UP.returning(select(_INSERTED.c.id).scalar_subquery().label("id"))


def insert_detail(connection: Connection, row: Mapping[str, Any], counted: Mapping[str, Any]) -> int:
    """Insert a detail, update its sheet and return the new id.

    On PostgreSQL this is one statement.
    """
    if connection.dialect.name == "postgresql":
        [(detail_id,)] = execute(connection, _RECORD, {**prefixed(row), **counted})
    else:
        [(detail_id,)] = execute(connection, _INSERT, row)
        execute(connection, COUNT_UP, counted)
    return int(detail_id)


def prefixed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row as parameters of a statement that also updates the sheet."""
    return {f"new_{name}": value for name, value in row.items() if name in NEW_DETAIL}
