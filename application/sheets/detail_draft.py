"""What is filled in for a consumption detail, when it is added and when it is edited."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from application.ports.unit_of_work import UnitOfWork
from application.views import AreaView, CategoryView, DetailProductView, DetailView, PersonView
from domain.area import Area
from domain.checks import Checks
from domain.policy import Actor, Permission
from domain.product import Category, Product
from domain.refusal import Code, Reason
from domain.sheet import Detail, Sheet
from domain.staff import Staff


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailDraft:
    """What is filled in for a detail; 0 as ``staff_id`` or ``area_id`` means none.

    ``total`` is for edits alone, ``occurred_at`` for recording: when it was used, where that is not now.
    ``acknowledged`` are the codes of what was asked and is gone past.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    quantity: Decimal | None = None
    staff_id: int | None = None
    area_id: int | None = None
    total: Decimal | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None
    unreadable: tuple[Reason, ...] = ()


class Consumption(NamedTuple):
    """A detail's particulars, checked, with all they refer to."""

    product: Product
    category: Category
    staff: Staff | None
    area: Area | None
    quantity: Decimal

    @property
    def staff_id(self) -> int | None:
        return self.staff.id if self.staff else None

    @property
    def area_id(self) -> int | None:
        return self.area.id if self.area else None


def consumption(
    work: UnitOfWork, checks: Checks, actor: Actor, draft: DetailDraft, *, sheet: Sheet | None, current: Detail | None
) -> Consumption:
    """The particulars as filled in, or ``Refused`` with all that is wrong with them, the sheet's being closed included.

    Ward staff record as their own profile, whatever was sent. An inactive product is refused,
    unless it is the ``current`` detail's already.
    """
    product_id = checks.reference("product_id", draft.product_id)
    quantity = checks.quantity("quantity", draft.quantity)
    staff_id = (draft.staff_id or None) if actor.may(Permission.RECORD_FOR_ANY_STAFF) else actor.staff_id
    area_id = draft.area_id or None
    found = work.details.references(product_id=product_id, staff_id=staff_id, area_id=area_id)
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
    if found.product and (current is None or current.quantity != quantity or current.product_id != product_id):
        checks.countable("quantity", quantity, found.product.decimals)
    checks.done()
    assert found.product is not None, "a missing product was refused"
    assert found.category is not None, "every product has a category"
    return Consumption(found.product, found.category, found.staff, found.area, quantity)


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
        version=detail.version,
    )


def _person(staff: Staff) -> PersonView:
    return PersonView(
        id=staff.id, name=staff.name, first_surname=staff.first_surname, second_surname=staff.second_surname
    )
