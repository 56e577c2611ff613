"""Consistency checks of totals, returns, closings and charges."""

from collections.abc import Iterator

from sqlalchemy import Connection, and_, bindparam, case, func, literal, not_, or_, select, union_all

from adapters.sql.billing.tables import charges
from adapters.sql.people.tables import patients
from adapters.sql.sheets.frozen import to_document
from adapters.sql.sheets.tables import (
    IS_AREA_SHEET,
    IS_FOR_PATIENT,
    IS_PATIENT_SHEET,
    LOT_KEY,
    NOT_VOIDED,
    SERIAL_KEY,
    closings,
    detail_returns,
    details,
    sheets,
)
from application.reports.ports import DoubtfulPack, Inconsistency, InconsistencyKind
from application.sheets.closings import document_total
from domain.billing.charges import ChargeKind
from domain.common.money import ZERO, ZERO_QUANTITY
from domain.hospital.use_reason import WASTE

_SUM = func.coalesce(func.sum(details.c.total), 0).cast(sheets.c.total.type)
_OTHER_TOTAL = (
    select(sheets.c.id, _SUM.label("expected"), sheets.c.total.label("found"))
    .outerjoin_from(sheets, details, and_(details.c.sheet_id == sheets.c.id, NOT_VOIDED))
    .group_by(sheets.c.id, sheets.c.total)
    .having(func.coalesce(func.sum(details.c.total), 0) != sheets.c.total)
    .order_by(sheets.c.id)
)
_UNBILLED_TOTAL = (
    select(details.c.sheet_id, details.c.id, details.c.total)
    .where(details.c.unbilled.is_not(None), details.c.total != ZERO)
    .order_by(details.c.id)
)
_AREA_LINES = (
    select(details.c.sheet_id, details.c.id)
    .join_from(details, sheets, sheets.c.id == details.c.sheet_id)
    .where(
        or_(
            and_(
                IS_AREA_SHEET,
                or_(
                    IS_FOR_PATIENT,
                    details.c.area_id.is_distinct_from(sheets.c.area_id),
                    details.c.room_id.is_not(None),
                    details.c.use_reason.is_(None),
                ),
            ),
            and_(IS_PATIENT_SHEET, or_(not_(IS_FOR_PATIENT), details.c.use_reason.not_in([str(one) for one in WASTE]))),
        )
    )
    .order_by(details.c.id)
)
_AFTER_CLOSING = (
    select(details.c.sheet_id, details.c.id)
    .join_from(details, sheets, sheets.c.id == details.c.sheet_id)
    .where(sheets.c.closed_at.is_not(None), details.c.created_at > sheets.c.closed_at)
    .order_by(details.c.id)
)
_CAME_BACK = (
    select(detail_returns.c.detail_id, func.sum(detail_returns.c.quantity).cast(details.c.returned.type).label("sum"))
    .group_by(detail_returns.c.detail_id)
    .subquery("came_back")
)
_OTHER_RETURNED = (
    select(details.c.sheet_id, details.c.id, _CAME_BACK.c.sum, details.c.returned)
    .outerjoin_from(details, _CAME_BACK, _CAME_BACK.c.detail_id == details.c.id)
    .where(details.c.returned != func.coalesce(_CAME_BACK.c.sum, 0))
    .order_by(details.c.id)
)
_BALANCE = func.sum(case((charges.c.kind == ChargeKind.CREDIT, -charges.c.total), else_=charges.c.total))
_CHARGED = (
    select(
        charges.c.sheet_id,
        func.max(charges.c.turn).label("turn"),
        _BALANCE.cast(closings.c.total.type).label("balance"),
    )
    .group_by(charges.c.sheet_id)
    .subquery("charged")
)
_CHARGED_FOR = func.coalesce(closings.c.total, literal(ZERO, closings.c.total.type))
_OTHER_CHARGED = (
    select(_CHARGED.c.sheet_id, _CHARGED_FOR.label("expected"), _CHARGED.c.balance)
    .outerjoin_from(
        _CHARGED, closings, and_(closings.c.sheet_id == _CHARGED.c.sheet_id, closings.c.turn == _CHARGED.c.turn)
    )
    .where(_CHARGED.c.balance != _CHARGED_FOR)
    .order_by(_CHARGED.c.sheet_id)
)

_CLOSINGS = (
    select(closings.c.id, closings.c.sheet_id, closings.c.total, closings.c.document, sheets.c.total)
    .join_from(closings, sheets, sheets.c.id == closings.c.sheet_id)
    .add_columns(closings.c.closed_at == sheets.c.closed_at)
    .where(closings.c.id > bindparam("after"))
    .order_by(closings.c.id)
    .limit(500)
)

# The prefixes of lot and serial number in GS1 symbols. Record numbers with these prefixes were misread as such.
_READ_AS = union_all(
    *(
        select(details.c.sheet_id, details.c.id.label("detail_id"), literal(name).label("field"))
        .join_from(details, patients, patients.c.record_key == literal(digits).concat(key))
        .where(details.c[name].is_not(None), NOT_VOIDED)
        for digits, name, key in (("10", "lot", LOT_KEY), ("21", "serial", SERIAL_KEY))
    )
).order_by("detail_id", "field")


def doubtful_packs(connection: Connection) -> Iterator[DoubtfulPack]:
    """Yield lines whose lot or serial number may be a record number.

    These are record numbers without their first two digits.
    """
    for row in connection.execute(_READ_AS):
        yield DoubtfulPack(*row)


def inconsistencies(connection: Connection) -> Iterator[Inconsistency]:
    """Yield all inconsistencies."""
    for sheet_id, expected, found in connection.execute(_OTHER_TOTAL):
        yield Inconsistency(InconsistencyKind.TOTAL, sheet_id, None, expected or ZERO, found)
    for sheet_id, detail_id in connection.execute(_AFTER_CLOSING):
        yield Inconsistency(InconsistencyKind.AFTER_CLOSING, sheet_id, detail_id, None, None)
    for sheet_id, detail_id, found in connection.execute(_UNBILLED_TOTAL):
        yield Inconsistency(InconsistencyKind.UNBILLED, sheet_id, detail_id, ZERO, found)
    for sheet_id, detail_id in connection.execute(_AREA_LINES):
        yield Inconsistency(InconsistencyKind.AREA_LINE, sheet_id, detail_id, None, None)
    for sheet_id, detail_id, expected, found in connection.execute(_OTHER_RETURNED):
        yield Inconsistency(InconsistencyKind.RETURNED, sheet_id, detail_id, expected or ZERO_QUANTITY, found)
    after = 0
    while some := connection.execute(_CLOSINGS, {"after": after}).all():
        for after, sheet_id, frozen, document, total, in_force in some:  # noqa: B007
            expected = document_total(to_document(document))
            if expected != frozen or (in_force and frozen != total):
                yield Inconsistency(
                    InconsistencyKind.CLOSING, sheet_id, None, expected, total if expected == frozen else frozen
                )
    for sheet_id, expected, found in connection.execute(_OTHER_CHARGED):
        yield Inconsistency(InconsistencyKind.CHARGED, sheet_id, None, expected, found)
