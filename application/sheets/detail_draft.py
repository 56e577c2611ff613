"""What is filled in for a consumption detail, when it is added and when it is edited."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from application.ports.scanning import ReadScan
from application.ports.unit_of_work import UnitOfWork
from application.views import AreaView, CategoryView, DetailProductView, DetailView, PersonView
from domain.area import Area
from domain.checks import Checks
from domain.lot import NO_PACK, Pack, judge_pack, lot_key, pack_filled_in
from domain.policy import Actor, Permission
from domain.product import ONE, Category, Product
from domain.refusal import Code, Reason
from domain.sheet import Detail, Sheet
from domain.staff import Staff


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailDraft:
    """What is filled in for a detail; 0 as ``staff_id`` or ``area_id`` means none.

    ``total`` is for edits alone, ``occurred_at`` for recording: when it was used, where that is not now.
    ``acknowledged`` are the codes of what was asked and is gone past. ``scan`` is the raw text of a symbol, for what of
    ``gtin``, ``lot``, ``expiry`` and ``serial`` is not filled in.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    quantity: Decimal | None = None
    staff_id: int | None = None
    area_id: int | None = None
    total: Decimal | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None
    scan: str | None = None
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    unreadable: tuple[Reason, ...] = ()
    # The names of the fields that came; None where all of them count.
    sent: frozenset[str] | None = None


class Consumption(NamedTuple):
    """A detail's particulars, checked, with all they refer to."""

    product: Product
    category: Category
    staff: Staff | None
    area: Area | None
    quantity: Decimal
    pack: Pack

    @property
    def staff_id(self) -> int | None:
        return self.staff.id if self.staff else None

    @property
    def area_id(self) -> int | None:
        return self.area.id if self.area else None


def pack_of(draft: DetailDraft, current: Detail | None, read_scan: ReadScan) -> Pack:
    """What is filled in of the pack, or read off it. What was not sent with a correction stays as it is.

    Where a separator was lost, the lot and what follows it are for a person to confirm: the scan's are not taken.
    """
    read = read_scan(draft.scan) if draft.scan else None
    scanned = Pack()
    if read and read.separator_lost:
        scanned = Pack(gtin=read.gtin)
    elif read:
        scanned = Pack(gtin=read.gtin, lot=read.lot, expiry=read.expiry, serial=read.serial)
    before = current.pack if current and draft.sent is not None else Pack()

    def told(name: str) -> Any:
        if draft.sent is not None and name not in draft.sent:
            return getattr(scanned, name) or getattr(before, name)
        return getattr(draft, name) or getattr(scanned, name)

    return Pack(gtin=told("gtin"), lot=told("lot"), expiry=told("expiry"), serial=told("serial"))


def consumption(
    work: UnitOfWork,
    checks: Checks,
    actor: Actor,
    draft: DetailDraft,
    *,
    sheet: Sheet | None,
    current: Detail | None,
    pack: Pack = NO_PACK,
    is_judged: bool = True,
    today: date,
) -> Consumption:
    """The particulars as filled in, or ``Refused`` with all that is wrong with them, the sheet's being closed included.

    Ward staff record as their own profile, whatever was sent. An inactive product is refused,
    unless it is the ``current`` detail's already. What another system recorded is not judged by its pack.
    """
    product_id = checks.reference("product_id", draft.product_id)
    quantity = checks.quantity("quantity", draft.quantity)
    staff_id = (draft.staff_id or None) if actor.may(Permission.RECORD_FOR_ANY_STAFF) else actor.staff_id
    area_id = draft.area_id or None
    pack = pack_filled_in(checks, pack, today)
    found = work.details.references(
        product_id=product_id,
        staff_id=staff_id,
        area_id=area_id,
        lot_key=lot_key(pack.lot) if pack.lot else None,
        serial=pack.serial,
        but=current.id if current else 0,
    )
    if product_id and found.product is None:
        checks.refuse(Code.REFERENCE_UNKNOWN, "product_id")
    if found.product and not found.product.active and (current is None or current.product_id != product_id):
        checks.refuse(Code.PRODUCT_INACTIVE, "product_id")
    if staff_id and found.staff is None:
        checks.refuse(Code.REFERENCE_UNKNOWN, "staff_id")
    if area_id and found.area is None:
        checks.refuse(Code.REFERENCE_UNKNOWN, "area_id")
    if sheet is not None and sheet.closed:
        checks.refuse(Code.SHEET_CLOSED)
    # What is corrected otherwise is not judged again.
    is_another = current is None or current.product_id != product_id
    if found.product and (is_another or (current and current.quantity != quantity)):
        checks.countable("quantity", quantity, found.product.decimals)
    if found.product and is_judged and (is_another or (current and current.pack != pack)):
        judge_pack(checks, pack, found.product, quantity, found.pack, today)
    elif pack.serial and quantity != ONE:
        checks.refuse(Code.SERIAL_QUANTITY, "quantity")
    checks.done()
    assert found.product is not None, "a missing product was refused"
    assert found.category is not None, "every product has a category"
    return Consumption(found.product, found.category, found.staff, found.area, quantity, pack)


def detail_view(
    detail: Detail, product: Product, category: Category, staff: Staff | None, area: Area | None
) -> DetailView:
    """A detail as it is answered, from what was loaded to check it: no further look is needed."""
    return DetailView(
        id=detail.id,
        consumption_sheet_id=detail.sheet_id,
        product_id=product.id,
        product=DetailProductView(
            id=product.id,
            code=product.code,
            name=product.name,
            price=product.price,
            category=CategoryView(id=category.id, code=category.code, name=category.name),
        ),
        staff_id=detail.staff_id,
        staff=_person(staff) if staff else None,
        user_id=detail.user_id,
        area_id=detail.area_id,
        area=AreaView(id=area.id, name=area.name) if area else None,
        quantity=detail.quantity,
        unit_price=detail.unit_price,
        total=detail.total,
        created_at=detail.created_at,
        occurred_at=detail.occurred_at,
        day=detail.day,
        room_id=detail.room_id,
        acknowledged=[*detail.acknowledged],
        gtin=detail.gtin,
        lot=detail.lot,
        expiry=detail.expiry,
        serial=detail.serial,
        version=detail.version,
    )


def _person(staff: Staff) -> PersonView:
    return PersonView(
        id=staff.id, name=staff.name, first_surname=staff.first_surname, second_surname=staff.second_surname
    )
