"""What is filled in for a consumption detail, when it is added and when it is edited."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any, NamedTuple, cast

from application.ports.idempotency import IdempotencyKey, may_be_entered
from application.ports.scanning import ReadScan
from application.ports.stores import References, ReferredIds
from application.ports.unit_of_work import Begin, DuplicateEntry, UnitOfWork
from application.scans import understand_scan
from application.views import (
    AreaView,
    CategoryView,
    DetailProductView,
    DetailView,
    KitNameView,
    PersonView,
    WarningView,
)
from domain.anomalies import RecentDuplicate, far_out
from domain.area import Area
from domain.day import day_of
from domain.errors import Code, Reason, Refused
from domain.kit import Kit
from domain.lot import EMPTY_PACK, Pack, check_pack, lot_key, pack_warnings, validate_pack
from domain.money import ZERO_QUANTITY, line_total
from domain.policy import Actor, Permission
from domain.product import ONE, Category, Product
from domain.sheet import Detail, Sheet, check_not_before_admission, validate_time_of_use
from domain.staff import Staff
from domain.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailDraft:
    """What is filled in for a detail; 0 as ``staff_id`` or ``area_id`` means none.

    ``total`` is for edits alone. For recording are ``occurred_at``, when it was used, where that is not now, and
    ``kit_id``, with which kit it was chosen. ``acknowledged`` are the codes of what was asked and is gone past.
    ``scan`` is the raw text of a symbol, for what of ``gtin``, ``lot``, ``expiry`` and ``serial`` is not filled in.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    quantity: Decimal | None = None
    staff_id: int | None = None
    area_id: int | None = None
    total: Decimal | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None
    kit_id: int | None = None
    scan: str | None = None
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    unreadable: tuple[Reason, ...] = ()
    # The names of the fields that came; None where all of them count.
    sent: frozenset[str] | None = None

    def refers_to(self, actor: Actor, pack: Pack) -> ReferredIds:
        """What it names. Ward staff record as their own profile, whatever was sent."""
        any_staff = actor.can(Permission.RECORD_FOR_ANY_STAFF)
        staff_id = (self.staff_id or None) if any_staff else actor.staff_id
        return ReferredIds(
            product_id=self.product_id or 0,
            staff_id=staff_id,
            area_id=self.area_id or None,
            kit_id=self.kit_id or None,
            lot_key=lot_key(pack.lot) if pack.lot else None,
            serial=pack.serial,
        )


class ResolvedDetail(NamedTuple):
    """A detail's particulars, checked, with all they refer to."""

    product: Product
    category: Category
    staff: Staff | None
    area: Area | None
    quantity: Decimal
    pack: Pack = EMPTY_PACK
    kit: Kit | None = None
    earlier: RecentDuplicate | None = None
    # What a warning quotes that takes the place of a question.
    far_out: Mapping[str, Decimal] | None = None

    @property
    def staff_id(self) -> int | None:
        return self.staff.id if self.staff else None

    @property
    def area_id(self) -> int | None:
        return self.area.id if self.area else None

    def recorded_on(
        self,
        sheet: Sheet,
        *,
        by: Actor,
        at: datetime,
        used: "TimeOfUse",
        acknowledged: tuple[Code, ...] = (),
        unit_price: Decimal | None = None,
        entry_digest: bytes | None = None,
    ) -> Detail:
        """The detail that this becomes on that sheet."""
        return sheet.record(
            self.product,
            self.quantity,
            by=by,
            staff_id=self.staff_id,
            area_id=self.area_id,
            at=at,
            day=used.day,
            occurred_at=used.occurred_at,
            acknowledged=acknowledged,
            unit_price=unit_price,
            pack=self.pack,
            kit_id=self.kit.id if self.kit else None,
            entry_digest=entry_digest,
        )

    def view_of(self, detail: Detail, today: date) -> DetailView:
        """The detail as it is answered; what is worth a second look about it stands beside it."""
        view = detail_view(detail, self.product, self.category, self.staff, self.area, self.kit)
        found = pack_warnings(self.pack, today)
        if self.far_out:
            found.append((Code.QUANTITY_FAR_OUT, self.far_out))
        warnings = [cast("WarningView", {"code": code, **quoted}) for code, quoted in found]
        if self.earlier:
            warnings.append(_repeated(self.earlier, detail.created_at))
        if warnings:
            view["warnings"] = warnings
        return view


class TimeOfUse(NamedTuple):
    """On which of the hospital's days something was used, and when, where that is not when it is recorded."""

    day: date
    occurred_at: datetime | None


def time_of_use(
    checks: Validator, actor: Actor, draft: DetailDraft, sheet: Sheet | None, *, at: datetime, zone: tzinfo
) -> TimeOfUse:
    """When it was used, by whoever records it at that moment; what is wrong with that is noted."""
    occurred_at = validate_time_of_use(checks, draft.occurred_at, at, actor)
    day = day_of(occurred_at or at, zone)
    if sheet is not None:
        ask_if_before_admission(checks, actor, sheet, day, "occurred_at" if occurred_at else "admission_date")
    return TimeOfUse(day, occurred_at)


def ask_if_before_admission(checks: Validator, actor: Actor, sheet: Sheet, day: date, field: str) -> None:
    """Refuse a day of use before the admission; ask those who record of any day about it."""
    for reason in check_not_before_admission(day, sheet.admission_date, field):
        if actor.can(Permission.BACKDATE_DETAILS):
            checks.require_acknowledgement(reason.code, reason.field, **reason.params)
        else:
            checks.add([reason])


def pack_of(work: UnitOfWork, draft: DetailDraft, current: Detail | None, read_scan: ReadScan) -> Pack:
    """What is filled in of the pack, or read off it. What was not sent with a correction stays as it is.

    What only the characters of the scan suggest is not taken, nor is what a code of the product would be as a symbol.
    Where a separator was lost, the lot and what follows it are for a person to confirm: the scan's are not taken.
    """
    read = None
    if draft.scan:
        scan = understand_scan(work.views.packs, read_scan, draft.scan)
        read = scan.pack_read(draft.product_id or (current.product_id if current else None))
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
    checks: Validator,
    actor: Actor,
    draft: DetailDraft,
    *,
    sheet: Sheet | None,
    current: Detail | None = None,
    pack: Pack = EMPTY_PACK,
    is_judged: bool = True,
    today: date,
    ask_above_total: Decimal | None = None,
    found: References | None = None,
) -> ResolvedDetail:
    """The particulars as filled in, or ``Refused`` with all that is wrong with them, the sheet's being closed included.

    An inactive product is refused, unless it is the ``current`` detail's already. What another system recorded is not
    judged by its pack or how much it is. ``found`` is what the draft refers to, where that was looked up.
    """
    pack = validate_pack(checks, pack, today)
    asked = draft.refers_to(actor, pack)
    if current is not None:
        # With which kit it was recorded stays.
        asked = asked._replace(kit_id=current.kit_id)
    found = found or work.details.references(**asked._asdict(), but=current.id if current else 0)
    used = particulars(
        checks,
        draft,
        pack,
        asked,
        found,
        current=current,
        is_judged=is_judged,
        today=today,
        ask_above_total=ask_above_total,
    )
    if current is None:
        check_kit(checks, actor, asked, found)
    if sheet is not None and sheet.closed:
        checks.add_error(Code.SHEET_CLOSED)
    checks.raise_if_invalid()
    assert used is not None, "what is missing was refused"
    return used


def check_kit(checks: Validator, actor: Actor, asked: ReferredIds, found: References) -> None:
    """Refuse a kit that never was there for this person. One that was deleted meanwhile is still what was used."""
    if asked.kit_id and (found.kit is None or found.kit.user_id not in (None, actor.user_id)):
        checks.add_error(Code.REFERENCE_UNKNOWN, "kit_id")


def particulars(
    checks: Validator,
    draft: DetailDraft,
    pack: Pack,
    asked: ReferredIds,
    found: References,
    *,
    current: Detail | None = None,
    is_judged: bool = True,
    today: date,
    ask_above_total: Decimal | None = None,
) -> ResolvedDetail | None:
    """The particulars as filled in, with what was ``found`` of all that was ``asked`` for; None where it is wrong.

    ``ask_above_total`` is None for people who may not see prices.
    """
    product_id = checks.required_id("product_id", draft.product_id)
    quantity = checks.quantity("quantity", draft.quantity)
    if product_id and found.product is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "product_id")
    if found.product and not found.product.active and (current is None or current.product_id != product_id):
        checks.add_error(Code.PRODUCT_INACTIVE, "product_id")
    if asked.staff_id and found.staff is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "staff_id")
    if asked.area_id and found.area is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
    # What is corrected otherwise is not judged again.
    is_another = current is None or current.product_id != product_id
    is_other_amount = is_another or (current is not None and current.quantity != quantity)
    if found.product and is_other_amount:
        checks.within_precision("quantity", quantity, found.product.decimals)
    if found.product and is_judged and (is_another or (current and current.pack != pack)):
        check_pack(checks, pack, found.product, quantity, found.pack, today)
    elif pack.serial and quantity != ONE:
        checks.add_error(Code.SERIAL_QUANTITY, "quantity")
    if found.product is None or found.category is None:
        return None
    warned_of = None
    if is_judged and is_other_amount:
        unit_price = current.unit_price if current and not is_another else found.product.price
        quoted = far_out(quantity, line_total(unit_price, quantity), found.usual, ask_above_total)
        if draft.acknowledged is None:
            # Such a client cannot answer a question.
            warned_of = quoted
        elif quoted:
            # What was acknowledged is answered to everyone: that a total was high must not be seen in it.
            ask = checks.ask_untraced if "total" in quoted else checks.require_acknowledgement
            ask(Code.QUANTITY_FAR_OUT, "quantity", **quoted)
    return ResolvedDetail(
        found.product,
        found.category,
        found.staff,
        found.area,
        quantity,
        pack,
        found.kit,
        found.earlier,
        warned_of,
    )


def detail_view(
    detail: Detail, product: Product, category: Category, staff: Staff | None, area: Area | None, kit: Kit | None
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
        kit_id=detail.kit_id,
        kit=KitNameView(id=kit.id, name=kit.name) if kit else None,
        returned=detail.returned or ZERO_QUANTITY,
        corrected_from=detail.corrected_from,
        version=detail.version,
    )


def find_replayed_lines(
    begin: Begin, user_id: int, idempotency_key: IdempotencyKey | None, most: int, error: DuplicateEntry | Refused
) -> list[DetailView]:
    """The lines that were recorded under that key before, as they are now, voided ones too.

    What was sent again may be refused as if it were new, because its sheet is closed since, or a product is gone:
    where nothing was recorded before, ``error`` is raised again. ``Refused`` (idempotency_key.reused) where they were
    recorded for another body.
    """
    if idempotency_key is None or (isinstance(error, Refused) and not may_be_entered(error)):
        raise error
    digests = [idempotency_key.entry_digest(user_id, place) for place in range(most)]
    with begin() as work:
        if isinstance(error, DuplicateEntry):
            # Kept a moment after we had looked for it, and maybe for another body.
            work.idempotency_store.recall(user_id, idempotency_key, dict)
        found = work.views.details.these([detail.id for detail in work.details.entered(digests)])
    if not found:
        raise error
    return found


def _repeated(earlier: RecentDuplicate, now: datetime) -> WarningView:
    return WarningView(
        code=Code.DETAIL_REPEATED,
        detail_id=earlier.detail_id,
        by=earlier.by,
        quantity=earlier.quantity,
        at=earlier.at,
        minutes=(now - earlier.at) // timedelta(minutes=1),
    )


def _person(staff: Staff) -> PersonView:
    return PersonView(
        id=staff.id, name=staff.name, first_surname=staff.first_surname, second_surname=staff.second_surname
    )
