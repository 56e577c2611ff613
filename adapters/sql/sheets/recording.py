"""Record a detail: read what it refers to, and insert it.

Each statement is a round trip to the server, and these are most of the time of recording a line (docs/performance.md).
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

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
    or_,
    select,
    true,
    values,
)

from adapters.sql.accounts.tables import users
from adapters.sql.catalogue.tables import IS_RECALLED, areas, categories, kits, products, recalls
from adapters.sql.common.idempotency import CLAIM, KEPT, claim_of, kept_answer
from adapters.sql.common.pending_writes import COUNT_UP
from adapters.sql.engine.driver_execute import execute
from adapters.sql.people.tables import staff
from adapters.sql.sheets.sheets import to_sheet
from adapters.sql.sheets.tables import NOT_VOIDED, SERIAL_KEY, details, sheets
from adapters.sql.sheets.usual_quantity import usual_quantity_of
from application.sheets.recording import RecordingContext, RecordingRequest
from application.sheets.stores import References, ReferredIds, SheetSince
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.product import Category, Product
from domain.catalogue.recall import RecallNotice
from domain.common.errors import RequestInProgress
from domain.people.staff import Staff
from domain.scanning.lot import PackHistory
from domain.sheets.anomalies import RecentDuplicate

Answer = TypeVar("Answer")

_KINDS = {"lot_key": recalls.c.lot_key.type, "serial_key": details.c.serial_key.type}
_OF_ONE: Any = ReferredIds._make(bindparam(name, type_=_KINDS.get(name)) for name in ReferredIds._fields)


# The last record of the same product shortly before, and its user.
_EARLIER = details.alias("earlier")
_RECORDER = staff.alias("recorder")
_SINCE = bindparam("since", type_=details.c.created_at.type)
# No sheet has this id, and no detail is later than this moment.
_NO_SHEET = SheetSince(0, datetime.max.replace(tzinfo=UTC))


def _recent_duplicate(product_id: Any) -> ScalarSelect[int]:
    """Select a sheet's last detail of the product since a moment.

    The index is scanned only for the last half hour.
    """
    latest = details.alias("latest")
    return (
        select(latest.c.id)
        .where(
            latest.c.sheet_id == bindparam("sheet_id"),
            latest.c.created_at >= _SINCE,
            latest.c.product_id == product_id,
            latest.c.voided_at.is_(None),
        )
        .order_by(latest.c.created_at.desc(), latest.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )


def _recall_of(of: Any, of_recall: ColumnElement[Any]) -> ScalarSelect[Any]:
    """Select a column of the recall of the product's lot.

    It is not joined: with more than eight tables PostgreSQL does not try all join orders.
    """
    return (
        select(of_recall)
        .where(
            recalls.c.product_id == of.product_id,
            IS_RECALLED,
            or_(recalls.c.lot.is_(None), recalls.c.lot_key == of.lot_key),
        )
        .order_by(recalls.c.id)
        .limit(1)
        .scalar_subquery()
    )


def _serial_used_on(of: Any) -> ScalarSelect[int]:
    """Select the sheet on which the product's serial number was used."""
    return (
        select(details.c.sheet_id)
        .where(
            details.c.serial.is_not(None),
            of.serial_key == SERIAL_KEY,
            details.c.product_id == of.product_id,
            details.c.id != bindparam("but"),
            NOT_VOIDED,
        )
        .order_by(details.c.id)
        .limit(1)
        .scalar_subquery()
    )


def _references(beginning: FromClause, of: Any) -> Select[Any]:
    """Select referenced entities, one row per row of ``beginning``.

    Missing entities are nulls.
    """
    return select(
        products.c.id, products.c.name, products.c.price, products.c.code, products.c.gtin, products.c.unit,
        products.c.active, products.c.decimals, products.c.asks_lot, products.c.asks_serial,
        products.c.also_called, products.c.implant, categories.c.id, categories.c.code, categories.c.name,
        staff.c.id, staff.c.name, staff.c.first_surname, staff.c.second_surname, staff.c.telephone_number,
        staff.c.job_title, staff.c.date_of_birth,
        areas.c.id, areas.c.name,
        kits.c.id, kits.c.name, kits.c.area_id, kits.c.user_id, kits.c.active, kits.c.version,
        _EARLIER.c.id, _EARLIER.c.quantity, _EARLIER.c.created_at, users.c.email, _RECORDER.c.name,
        _RECORDER.c.first_surname,
        *(_recall_of(of, of_recall) for of_recall in (recalls.c.id, recalls.c.reason, recalls.c.opened_at)),
        _serial_used_on(of), usual_quantity_of(of.product_id, beginning),
    ).select_from(
        beginning
        .outerjoin(products, products.c.id == of.product_id)
        .outerjoin(categories, categories.c.id == products.c.category_id)
        .outerjoin(staff, staff.c.id == of.staff_id)
        .outerjoin(areas, areas.c.id == of.area_id)
        .outerjoin(kits, kits.c.id == of.kit_id)
        .outerjoin(_EARLIER, _EARLIER.c.id == _recent_duplicate(of.product_id))
        .outerjoin(users, users.c.id == _EARLIER.c.user_id)
        .outerjoin(_RECORDER, _RECORDER.c.id == users.c.staff_id)
    )  # fmt: skip


def _references_beginning_with(beginning: FromClause) -> Select[Any]:
    """Select the references of one detail, after the row of ``beginning``."""
    return _references(beginning, _OF_ONE)


def _params_of(ids: ReferredIds, since: SheetSince | None, but: int = 0) -> dict[str, Any]:
    """Return the parameters of ``_references_beginning_with``."""
    sheet_id, at = since or _NO_SHEET
    return {**ids._asdict(), "but": but, "sheet_id": sheet_id, "since": at}


_REFERENCES = _references_beginning_with(select(literal(1).label("one")).subquery("always"))
_REFERENCE_COLUMNS = len(_REFERENCES.selected_columns)


def _references_of_all(asked: Sequence[ReferredIds]) -> Select[Any]:
    """Select the references of several details, passed as a table of values."""
    names = ("place", *ReferredIds._fields)
    several = values(*(column(name, _KINDS.get(name, BigInteger())) for name in names), name="several")
    # Values that match nothing replace None: a column of nulls would have no type.
    nothing = ["" if name in _KINDS else 0 for name in ReferredIds._fields]
    data = [(place, *(one or none for one, none in zip(ids, nothing, strict=True))) for place, ids in enumerate(asked)]
    rows = several.data(data).cte()
    return _references(rows, rows.c).order_by(rows.c.place)


def read_references(connection: Connection, ids: ReferredIds, since: SheetSince | None, but: int = 0) -> References:
    """Read everything that a detail refers to, by one statement."""
    [row] = execute(connection, _REFERENCES, _params_of(ids, since, but))
    return _to_references(row)


def read_references_of_all(
    connection: Connection, asked: Sequence[ReferredIds], since: SheetSince | None
) -> list[References]:
    """Read the references of several details, by one statement, in order."""
    sheet_id, at = since or _NO_SHEET
    rows = connection.execute(_references_of_all(asked), {"but": 0, "sheet_id": sheet_id, "since": at})
    return [_to_references(row) for row in rows]


def _to_references(row: Sequence[Any]) -> References:
    """Build references from the columns in order."""
    (
        found_id, name, price, code, gtin, unit,
        active, decimals, asks_lot, asks_serial,
        also_called, implant, category_id, category_code, category_name,
        person_id, first_name, first_surname, second_surname, telephone_number,
        job_title, date_of_birth,
        place_id, place,
        kit_id, kit_name, kit_area_id, kit_user_id, kit_active, kit_version,
        earlier_id, earlier_quantity, earlier_at, email, recorder, recorder_surname,
        recall_id, recall_reason, recalled_at, sheet_with_serial, usual,
    ) = row  # fmt: skip
    product = category = person = area = kit = earlier = None
    if found_id is not None:
        product = Product(
            id=found_id,
            name=name,
            price=price,
            category_id=category_id,
            code=code,
            gtin=gtin,
            unit=unit,
            active=active,
            decimals=decimals,
            asks_lot=asks_lot,
            asks_serial=asks_serial,
            implant=implant,
            also_called=also_called,
        )
        category = Category(id=category_id, code=category_code, name=category_name)
    if person_id is not None:
        person = Staff(
            id=person_id,
            name=first_name,
            first_surname=first_surname,
            second_surname=second_surname,
            telephone_number=telephone_number,
            job_title=job_title,
            date_of_birth=date_of_birth,
        )
    if place_id is not None:
        area = Area(id=place_id, name=place)
    if kit_id is not None:
        kit = Kit(
            id=kit_id,
            name=kit_name,
            area_id=kit_area_id,
            user_id=kit_user_id,
            active=kit_active,
            version=kit_version,
        )
    if earlier_id is not None:
        by = email if recorder is None else f"{recorder} {recorder_surname}"
        earlier = RecentDuplicate(detail_id=earlier_id, by=by, quantity=earlier_quantity, at=earlier_at)
    recall = None
    if recall_id is not None:
        recall = RecallNotice(recall_id=recall_id, reason=recall_reason, opened_at=recalled_at)
    pack = PackHistory(recall=recall, sheet_with_serial=sheet_with_serial)
    return References(product, category, person, area, kit, earlier, pack, usual)


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
_LOOK = _references_beginning_with(_CLAIM.outerjoin(_KEPT, true()).outerjoin(_LOCKED, true())).add_columns(
    _CLAIM.c.claimed,
    _KEPT.c.fingerprint,
    _KEPT.c.answer,
    func.nextval(func.pg_get_serial_sequence(literal(details.name), literal("id"))),
    # The version that this statement saw before it waited for the lock.
    select(_SEEN.c.version).where(_SEEN.c.id == bindparam("of_sheet")).scalar_subquery(),
    *_LOCKED.c,
)
_sheet_row = cast("Any", namedtuple)("SheetRow", [column.name for column in sheets.c])


def begin_recording(connection: Connection, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
    """Claim the key, lock the sheet, read the references and reserve an id."""
    idempotency_key = asked.idempotency_key
    assert idempotency_key is not None
    params = claim_of(asked.user_id, idempotency_key) | _params_of(asked.refers_to, asked.since)
    [row] = execute(connection, _LOOK, params | {"of_sheet": asked.sheet_id})
    claimed, fingerprint, answer, detail_id, seen, *locked = row[_REFERENCE_COLUMNS:]
    if not claimed:
        raise RequestInProgress
    if fingerprint is not None:
        return RecordingContext(kept_answer(fingerprint, answer, idempotency_key, asked.shape))
    sheet = None if locked[0] is None else to_sheet(_sheet_row(*locked))
    if sheet is not None and sheet.version != seen:
        # While this waited for the lock, another transaction changed the sheet: the other data are from before the
        # change.
        found = read_references(connection, asked.refers_to, asked.since)
        return RecordingContext(None, sheet, found, detail_id)
    return RecordingContext(None, sheet, _to_references(row[:_REFERENCE_COLUMNS]), detail_id)


_INSERT = details.insert().returning(details.c.id)
_INSERTED = (
    details.insert()
    .values({column.name: bindparam(f"new_{column.name}") for column in details.c if column is not details.c.id})
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
    return {f"new_{name}": value for name, value in row.items()}
