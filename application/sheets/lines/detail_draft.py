"""The form of a consumption detail, for adding and editing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar, cast

from application.catalogue.views import AreaView, CategoryView
from application.common.draft import Draft
from application.common.entity_view import EntityView
from application.common.idempotency import IdempotencyKey, may_be_entered
from application.common.redaction import redact_for
from application.common.scanning import ReadScan
from application.common.store_errors import DuplicateEntry
from application.people.views import PersonView
from application.scanning.scans import understand_scan
from application.sheets.detail_views import (
    DetailProductView,
    DetailView,
    KitNameView,
    RecordedDetailsView,
    WarningView,
)
from application.sheets.stores import References, ReferredIds
from application.sheets.work import Begin, UnitOfWork
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.product import ONE, Category, Product
from domain.common.day import day_of
from domain.common.errors import Code, Refused
from domain.common.money import ZERO_QUANTITY, line_total
from domain.common.policy import Actor, Permission
from domain.common.text import code_key
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.people.staff import Staff
from domain.scanning.lot import (
    EMPTY_PACK,
    Pack,
    check_pack,
    known_of_implant,
    missing_of_implant,
    pack_warnings,
    validate_pack,
)
from domain.sheets.anomalies import RecentDuplicate, far_out
from domain.sheets.detail import Detail, InputMethod
from domain.sheets.sheet import Sheet, Usage, check_not_before_admission, validate_time_of_use

Answer = TypeVar("Answer", DetailView, RecordedDetailsView)


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailDraft(Draft):
    """The form of a detail; 0 as ``staff_id`` or ``area_id`` means none.

    ``total`` is only for edits. ``occurred_at`` (the time of use, if it is not now) and ``kit_id`` (the kit from which
    the product was chosen) are only for recording. ``acknowledged`` are the codes of the questions that the user
    overrides. ``recall_reason`` is why a recalled lot was used: without it, the recall is asked about again.
    ``implant_reason`` is why the lot or serial number of an implant is missing, which is asked about like a recall.
    ``scan`` is the raw text of a symbol. It provides those of ``gtin``, ``lot``, ``expiry`` and ``serial``
    that are empty. ``input_method`` is only for recording: scan or text, if the client knows how the product was
    chosen.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    quantity: Decimal | None = None
    staff_id: int | None = None
    area_id: int | None = None
    total: Decimal | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None
    recall_reason: str | None = None
    implant_reason: str | None = None
    kit_id: int | None = None
    scan: str | None = None
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    input_method: str | None = None

    def refers_to(self, actor: Actor, pack: Pack) -> ReferredIds:
        """Return the ids that the draft refers to.

        Ward staff record as their own profile, regardless of the request.
        """
        any_staff = actor.can(Permission.RECORD_FOR_ANY_STAFF)
        staff_id = (self.staff_id or None) if any_staff else actor.staff_id
        return ReferredIds(
            product_id=self.product_id or 0,
            staff_id=staff_id,
            area_id=self.area_id or None,
            kit_id=self.kit_id or None,
            lot_key=code_key(pack.lot) if pack.lot else None,
            serial_key=code_key(pack.serial) if pack.serial else None,
        )


class ResolvedDetail(NamedTuple):
    """The validated fields of a detail, with the entities they refer to."""

    product: Product
    category: Category
    staff: Staff | None
    area: Area | None
    quantity: Decimal
    pack: Pack = EMPTY_PACK
    kit: Kit | None = None
    earlier: RecentDuplicate | None = None
    # Only if the pack is recalled.
    recall_reason: str | None = None
    # Only if an implant lacks its lot or serial number.
    implant_reason: str | None = None
    # The parameters of a warning that replaces a question.
    far_out: Mapping[str, Decimal] | None = None
    input_method: InputMethod | None = None

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
        form_id: int | None = None,
        entry_digest: bytes | None = None,
    ) -> Detail:
        """Record the detail on a sheet."""
        usage = Usage(
            product=self.product,
            quantity=self.quantity,
            day=used.day,
            occurred_at=used.occurred_at,
            staff_id=self.staff_id,
            area_id=self.area_id,
            unit_price=unit_price,
            pack=self.pack,
            kit_id=self.kit.id if self.kit else None,
            acknowledged=acknowledged,
            recall_reason=self.recall_reason,
            implant_reason=self.implant_reason,
            form_id=form_id,
            entry_digest=entry_digest,
            input_method=self.input_method,
        )
        return sheet.record(usage, by=by, at=at)

    def view_of(self, detail: Detail, today: date) -> DetailView:
        """Return the view of the detail, including its warnings."""
        view = detail_view(detail, self.product, self.category, self.staff, self.area, self.kit)
        found = pack_warnings(self.pack, today)
        missing = missing_of_implant(self.pack) if self.product.implant else None
        if missing and not detail.implant_reason:
            found.append((Code.IMPLANT_INCOMPLETE, known_of_implant(self.product, self.pack)))
        if self.far_out:
            found.append((Code.QUANTITY_FAR_OUT, self.far_out))
        warnings = [cast("WarningView", {"code": code, **quoted}) for code, quoted in found]
        if self.earlier:
            warnings.append(_duplicate_warning(self.earlier, self.product, detail.created_at))
        if warnings:
            view["warnings"] = warnings
        return view


class TimeOfUse(NamedTuple):
    """The hospital's day of use, and the time of use.

    ``occurred_at`` is None if that is the time of recording.
    """

    day: date
    occurred_at: datetime | None


def time_of_use(
    checks: Validator,
    actor: Actor,
    draft: DetailDraft,
    sheet: Sheet | None,
    *,
    at: datetime,
    zone: tzinfo,
    has_window: bool = True,
) -> TimeOfUse:
    """Validate the time of use, and add errors to ``checks``.

    Without ``has_window`` it may be long ago for any actor.
    """
    occurred_at = validate_time_of_use(checks, draft.occurred_at, at, actor, has_window=has_window)
    day = day_of(occurred_at or at, zone)
    if sheet is not None:
        ask_if_before_admission(checks, actor, sheet, day, "occurred_at" if occurred_at else "admission_date")
    return TimeOfUse(day, occurred_at)


def ask_if_before_admission(checks: Validator, actor: Actor, sheet: Sheet, day: date, field: str) -> None:
    """Report a day of use before the admission.

    For actors who may backdate details it is a question, otherwise an error.
    """
    for reason in check_not_before_admission(day, sheet.admission_date, field):
        if actor.can(Permission.BACKDATE_DETAILS):
            checks.require_acknowledgement(reason.code, reason.field, **reason.params)
        else:
            checks.add([reason])


def pack_of(work: UnitOfWork, draft: DetailDraft, current: Detail | None, read_scan: ReadScan) -> Pack:
    """Return the pack data of the draft, completed by its scan.

    In an edit, fields that were not sent stay as they are. Data is not taken from a scan if only its characters suggest
    it, or if another product has the code as a symbol. If a separator was lost, the lot and what follows it have to be
    confirmed by the user, so they are not taken from the scan.
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
    before = current.pack if current and draft.sent_fields is not None else Pack()

    def field_value(name: str) -> Any:
        if draft.sent_fields is not None and name not in draft.sent_fields:
            return getattr(scanned, name) or getattr(before, name)
        return getattr(draft, name) or getattr(scanned, name)

    return Pack(
        gtin=field_value("gtin"), lot=field_value("lot"), expiry=field_value("expiry"), serial=field_value("serial")
    )


def resolve_detail(
    work: UnitOfWork,
    checks: Validator,
    actor: Actor,
    draft: DetailDraft,
    *,
    sheet: Sheet | None,
    current: Detail | None = None,
    pack: Pack = EMPTY_PACK,
    checks_pack: bool = True,
    today: date,
    zone: tzinfo,
    ask_above_total: Decimal | None = None,
    found: References | None = None,
) -> ResolvedDetail:
    """Validate the fields of a detail. Raise ``Refused`` with all errors.

    A closed sheet is an error too. An inactive product is refused, unless the ``current`` detail already has it. With
    ``checks_pack=False``, for details of other systems, pack and quantity are not questioned. ``found`` are the
    references of the draft, if they were read before.
    """
    pack = validate_pack(checks, pack, today)
    asked = draft.refers_to(actor, pack)
    if current is not None:
        # The kit of a recorded detail does not change.
        asked = asked._replace(kit_id=current.kit_id)
    found = found or work.details.references(**asked._asdict(), but=current.id if current else 0)
    used = resolve_fields(
        checks,
        draft,
        pack,
        asked,
        found,
        current=current,
        checks_pack=checks_pack,
        today=today,
        zone=zone,
        ask_above_total=ask_above_total,
    )
    if current is None:
        check_kit(checks, actor, asked, found)
    if sheet is not None and sheet.closed:
        checks.add_error(Code.SHEET_CLOSED)
    checks.raise_if_invalid()
    assert used is not None, "what is missing was refused"
    return used


def _input_method(checks: Validator, draft: DetailDraft) -> InputMethod | None:
    """Return how the product was chosen; None if the client does not say it."""
    if draft.input_method:
        return checks.str_enum("input_method", draft.input_method, InputMethod)
    return InputMethod.SCAN if draft.scan else None


def check_kit(checks: Validator, actor: Actor, asked: ReferredIds, found: References) -> None:
    """Report a kit that the actor could never use.

    A kit that was deleted meanwhile is accepted, because it was used.
    """
    if asked.kit_id and (found.kit is None or found.kit.user_id not in (None, actor.user_id)):
        checks.add_error(Code.REFERENCE_UNKNOWN, "kit_id")


def resolve_fields(
    checks: Validator,
    draft: DetailDraft,
    pack: Pack,
    asked: ReferredIds,
    found: References,
    *,
    current: Detail | None = None,
    checks_pack: bool = True,
    today: date,
    zone: tzinfo,
    ask_above_total: Decimal | None = None,
) -> ResolvedDetail | None:
    """Validate the fields of a detail, and return them, or None on errors.

    ``found`` are the entities for the ids in ``asked``. ``ask_above_total`` is None for actors who may not see prices.
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
    # An edit of other fields does not repeat these checks.
    is_another = current is None or current.product_id != product_id
    is_other_amount = is_another or (current is not None and current.quantity != quantity)
    if found.product and is_other_amount:
        checks.within_precision("quantity", quantity, found.product.decimals)
    input_method = _input_method(checks, draft)
    recall_reason = checks.optional_line("recall_reason", draft.recall_reason, longest=MAX_REASON_LENGTH)
    implant_reason = checks.optional_line("implant_reason", draft.implant_reason, longest=MAX_REASON_LENGTH)
    is_checked = checks_pack and (is_another or (current is not None and current.pack != pack))
    if found.product and is_checked:
        check_pack(
            checks,
            pack,
            found.product,
            quantity,
            found.pack,
            today,
            zone=zone,
            recall_reason=recall_reason,
            implant_reason=implant_reason,
            # A client that sends no acknowledgements cannot answer a question: the implant is recorded, and named until
            # it is complete.
            asks_implant=draft.acknowledged is not None,
        )
    elif pack.serial and quantity != ONE:
        checks.add_error(Code.SERIAL_QUANTITY, "quantity")
    if found.product is None or found.category is None:
        return None
    warned_of = None
    if checks_pack and is_other_amount:
        unit_price = current.unit_price if current and not is_another else found.product.price
        quoted = far_out(quantity, line_total(unit_price, quantity), found.usual, ask_above_total)
        if draft.acknowledged is None:
            # A client that sends no acknowledgements cannot answer a question.
            warned_of = quoted
        elif quoted:
            # Acknowledged codes are visible to all users. This one would reveal that the total is high.
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
        recall_reason if is_checked and found.pack.recall else None,
        implant_reason if found.product.implant and missing_of_implant(pack) else None,
        warned_of,
        input_method,
    )


_CATEGORY = EntityView[CategoryView](CategoryView, Category)
_PRODUCT = EntityView[DetailProductView](DetailProductView, Product, "category")
_PERSON = EntityView[PersonView](PersonView, Staff)
_AREA = EntityView[AreaView](AreaView, Area, omitted={"code"})
_KIT = EntityView[KitNameView](KitNameView, Kit)
_DETAIL = EntityView[DetailView](
    DetailView,
    Detail,
    *("consumption_sheet_id", "product", "staff", "area", "acknowledged", "kit", "returned"),
    omitted={"voided", "warnings"},
)


def detail_view(
    detail: Detail, product: Product, category: Category, staff: Staff | None, area: Area | None, kit: Kit | None
) -> DetailView:
    """Return the view of a detail from entities already loaded.

    It needs no further query, which recording would wait for.
    """
    return _DETAIL.of(
        detail,
        consumption_sheet_id=detail.sheet_id,
        product=_PRODUCT.of(product, category=_CATEGORY.of(category)),
        staff=_PERSON.of(staff) if staff else None,
        area=_AREA.of(area) if area else None,
        acknowledged=[*detail.acknowledged],
        kit=_KIT.of(kit) if kit else None,
        returned=detail.returned or ZERO_QUANTITY,
    )


def answer_to(actor: Actor, answer: Answer, view_type: type) -> Answer:
    """Return the answer about recorded details, redacted for the actor.

    Warnings tell about other people's details, so a locked session gets none.
    """
    if actor.is_locked:
        cast("dict[str, object]", answer).pop("warnings", None)
    return redact_for(actor, answer, view_type)


def find_replayed_lines(
    begin: Begin, user_id: int, idempotency_key: IdempotencyKey | None, most: int, error: DuplicateEntry | Refused
) -> list[DetailView]:
    """Return the lines that the same request recorded before.

    They are returned as they are now, including voided ones. A repeated request may be refused like a new one, for
    instance because its sheet was closed since, or a product was deleted. If nothing was recorded before, ``error`` is
    raised again. Raise ``Refused`` (idempotency_key.reused) if they were recorded for another body.
    """
    if idempotency_key is None or (isinstance(error, Refused) and not may_be_entered(error)):
        raise error
    digests = [idempotency_key.entry_digest(user_id, place) for place in range(most)]
    with begin() as work:
        if isinstance(error, DuplicateEntry):
            # The other request finished after our lookup, and may have had another body.
            work.idempotency_store.recall(user_id, idempotency_key, dict)
        found = work.views.details.by_ids([detail.id for detail in work.details.find_by_entry_digest(digests)])
    if not found:
        raise error
    return found


def _duplicate_warning(earlier: RecentDuplicate, product: Product, now: datetime) -> WarningView:
    return WarningView(
        code=Code.DETAIL_REPEATED,
        detail_id=earlier.detail_id,
        by=earlier.by,
        product=product.name_and_code,
        quantity=earlier.quantity,
        at=earlier.at,
        minutes=(now - earlier.at) // timedelta(minutes=1),
    )
