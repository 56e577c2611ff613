"""Validate the draft of a detail against its sheet, its product and the clock."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from decimal import Decimal
from typing import NamedTuple, cast

from application.sheets.detail_views import DetailView, WarningView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.detail_view import detail_view
from application.sheets.stores import References, ReferredIds
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.product import ONE, Category, Product
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.money import ZERO, line_total
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.hospital.use_reason import WASTE, UseReason
from domain.people.staff import Staff
from domain.scanning.lot import Pack, check_pack, known_of_implant, missing_of_implant, pack_warnings
from domain.sheets.anomalies import RecentDuplicate, far_out, highest_total_unasked
from domain.sheets.detail import Detail, InputMethod
from domain.sheets.sheet import Sheet, Usage, check_not_before_admission, validate_time_of_use, validate_use_reason


class ResolvedDetail(NamedTuple):
    """The validated fields of a detail, with the entities they refer to."""

    product: Product
    category: Category
    staff: Staff | None
    area: Area | None
    quantity: Decimal
    pack: Pack
    kit: Kit | None
    earlier: RecentDuplicate | None
    # Only if the pack is recalled.
    recall_reason: str | None
    # Only if an implant lacks its lot or serial number.
    implant_reason: str | None
    # The parameters of a warning that replaces a question.
    far_out: Mapping[str, Decimal] | None
    input_method: InputMethod | None
    use_reason: UseReason | None
    acknowledged: tuple[Code, ...]

    @property
    def staff_id(self) -> int | None:
        return self.staff.id if self.staff else None

    @property
    def area_id(self) -> int | None:
        return self.area.id if self.area else None

    def view_of(self, detail: Detail, today: date) -> DetailView:
        """Return the view of the detail, including its warnings."""
        view = detail_view(detail, self.product, self.category, self.staff, self.area, self.kit)
        found = pack_warnings(self.pack, today)
        missing = missing_of_implant(self.pack) if self.product.implant and not self.use_reason else None
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


@dataclass(slots=True, kw_only=True)
class DraftInSheet:
    """The draft of a new detail or of an edit, which asks its questions.

    ``sheet`` is its sheet, once that is locked. ``pack`` is valid. ``current`` is the detail that is edited.
    ``ask_above_total`` is the total above which the actor is asked for confirmation. A draft of another system has
    neither pack nor quantity questioned.
    """

    checks: Validator
    actor: Actor
    draft: DetailDraft
    pack: Pack
    referred: ReferredIds
    now: datetime
    zone: tzinfo
    ask_above_total: Decimal | None
    billed_waste: Collection[UseReason] = WASTE
    sheet: Sheet | None = None
    current: Detail | None = None
    is_external: bool = False
    _is_another: bool = field(init=False)

    def __post_init__(self) -> None:
        self._is_another = self.current is None or self.current.product_id != self.draft.product_id

    def usage(
        self,
        found: References,
        at: datetime,
        *,
        has_window: bool,
        unit_price: Decimal | None,
        form_id: int | None,
        entry_digest: bytes | None,
    ) -> tuple[ResolvedDetail, Usage] | None:
        """Validate the draft of a new detail, and return its use of the product.

        Without ``has_window`` it may be long ago for any actor. Return None on errors, which are in ``checks``.
        """
        occurred_at = validate_time_of_use(self.checks, self.draft.occurred_at, at, self.actor, has_window=has_window)
        day = day_of(occurred_at or at, self.zone)
        if self.sheet is not None:
            ask_if_before_admission(
                self.checks, self.actor, self.sheet, day, "occurred_at" if occurred_at else "admission_date"
            )
        resolved = self.resolve(found)
        if resolved is None:
            return None
        return resolved, Usage(
            product=resolved.product,
            quantity=resolved.quantity,
            day=day,
            occurred_at=occurred_at,
            staff_id=resolved.staff_id,
            area_id=resolved.area_id,
            unit_price=unit_price,
            pack=resolved.pack,
            kit_id=resolved.kit.id if resolved.kit else None,
            acknowledged=resolved.acknowledged,
            recall_reason=resolved.recall_reason,
            implant_reason=resolved.implant_reason,
            form_id=form_id,
            entry_digest=entry_digest,
            input_method=resolved.input_method,
            use_reason=resolved.use_reason,
        )

    def resolve(self, found: References) -> ResolvedDetail | None:
        """Validate all fields, and return them, or None on errors.

        ``found`` are the entities for the ids in ``referred``. An inactive product is refused, unless the current
        detail already has it.
        """
        checks, draft = self.checks, self.draft
        product_id = checks.required_id("product_id", draft.product_id)
        quantity = checks.quantity("quantity", draft.quantity)
        if product_id and found.product is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "product_id")
        if found.product and not found.product.active and self._is_another:
            checks.add_error(Code.PRODUCT_INACTIVE, "product_id")
        if self.referred.staff_id and found.staff is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "staff_id")
        if self.referred.area_id and found.area is None:
            checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
        # An edit of other fields does not repeat these checks.
        is_other_amount = self._is_another or (self.current is not None and self.current.quantity != quantity)
        if found.product and is_other_amount:
            checks.within_precision("quantity", quantity, found.product.decimals)
        input_method = self._input_method()
        use_reason = self._use_reason()
        recall_reason = checks.optional_line("recall_reason", draft.recall_reason, longest=MAX_REASON_LENGTH)
        implant_reason = checks.optional_line("implant_reason", draft.implant_reason, longest=MAX_REASON_LENGTH)
        is_other_pack = self._is_another or (self.current is not None and self.current.pack != self.pack)
        is_checked = is_other_pack and not self.is_external
        if found.product and is_checked:
            check_pack(
                checks,
                self.pack,
                found.product,
                quantity,
                found.pack,
                day_of(self.now, self.zone),
                zone=self.zone,
                recall_reason=recall_reason,
                implant_reason=implant_reason,
                # A client that sends no acknowledgements cannot answer a question: the implant is recorded, and named
                # until it is complete.
                asks_implant=draft.acknowledged is not None and use_reason is None,
                asks_expired=use_reason is not UseReason.EXPIRED,
            )
        elif is_other_amount and self.pack.serial and quantity != ONE:
            checks.add_error(Code.SERIAL_QUANTITY, "quantity")
        if found.product is None or found.category is None:
            return None
        warned_of = None
        if is_other_amount and not self.is_external:
            warned_of = self._ask_if_far_out(quantity, found.product, found.usual, use_reason)
        return ResolvedDetail(
            found.product,
            found.category,
            found.staff,
            found.area,
            quantity,
            self.pack,
            found.kit,
            found.earlier,
            recall_reason if is_checked and found.pack.recall else None,
            implant_reason if found.product.implant and missing_of_implant(self.pack) else None,
            warned_of,
            input_method,
            use_reason,
            checks.acknowledged_codes,
        )

    def _ask_if_far_out(
        self, quantity: Decimal, product: Product, usual: Decimal | None, use_reason: UseReason | None
    ) -> Mapping[str, Decimal] | None:
        """Ask about a quantity or total that is far from the usual one.

        Return the parameters of a warning for clients that cannot be asked.
        """
        if self.current is None or self._is_another:
            unbilled = self.sheet and self.sheet.unbilled_of(product, use_reason, self.billed_waste)
            total = ZERO if unbilled else line_total(product.price, quantity)
        else:
            total = self.current.amount(quantity)
        highest = highest_total_unasked(self.actor, self.ask_above_total)
        quoted = far_out(quantity, total, usual, highest)
        if self.draft.acknowledged is None:
            return quoted
        if quoted:
            # Acknowledged codes are visible to all users. This one would reveal that the total is high.
            ask = self.checks.ask_untraced if "total" in quoted else self.checks.require_acknowledgement
            ask(Code.QUANTITY_FAR_OUT, "quantity", **quoted)
        return None

    def _use_reason(self) -> UseReason | None:
        """Return why it was not used for treatment; an edit without it keeps it."""
        draft, current = self.draft, self.current
        is_kept = current is not None and (draft.sent_fields is None or "use_reason" not in draft.sent_fields)
        if current is not None and is_kept:
            return current.use_reason
        return validate_use_reason(self.checks, draft.use_reason, self.sheet)

    def _input_method(self) -> InputMethod | None:
        """Return how the product was chosen; None if the client does not say it."""
        if self.draft.input_method:
            return self.checks.str_enum("input_method", self.draft.input_method, InputMethod)
        return InputMethod.SCAN if self.draft.scan else None


def ask_if_before_admission(checks: Validator, actor: Actor, sheet: Sheet, day: date, field: str) -> None:
    """Report a day of use before the admission.

    For actors who may backdate details it is a question, otherwise an error.
    """
    for reason in check_not_before_admission(day, sheet.first_day, field):
        if actor.can(Permission.BACKDATE_DETAILS):
            checks.require_acknowledgement(reason.code, reason.field, **reason.params)
        else:
            checks.add([reason])


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
