"""Consumption sheets (hojas de consumo) of patients and of areas, and their details."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import ClassVar

from domain.catalogue.product import Product
from domain.common.errors import Code, Reason, Refused, VersionConflict
from domain.common.money import ZERO, ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.hospital.use_reason import WASTE, UseReason
from domain.scanning.lot import EMPTY_PACK, Pack, missing_of_implant
from domain.sheets.detail import Detail, InputMethod, Unbilled

# The maximum number of details that count on one sheet. For the largest possible total see ``domain.common.money``.
MAX_LINES = 9_000
# Times this far in the future are accepted silently, because clocks differ.
CLOCK_DRIFT = timedelta(minutes=5)
# How long the user who closed a sheet may undo that, without a reason.
UNDO_CLOSING_WITHIN = timedelta(minutes=10)
# How long after use ward staff may still record a supply by themselves, and how long after its recording they may
# change a detail of an area.
RECORDING_WINDOW = timedelta(hours=72)


def check_not_before_admission(day: date, admission: date, field: str = "admission_date") -> list[Reason]:
    """Return a reason if a day of use is before the admission."""
    if day >= admission:
        return []
    return [Reason(Code.USED_BEFORE_ADMISSION, field, {"day": day, "admission": admission})]


def recording_window_start(now: datetime, by: Actor) -> datetime | None:
    """Return since when this actor may record use, or None for any time."""
    return None if by.can(Permission.BACKDATE_DETAILS) else now - RECORDING_WINDOW


def is_outside_recording_window(occurred_at: datetime, now: datetime, by: Actor) -> bool:
    """Return whether it is too late for this actor to record the use."""
    start = recording_window_start(now, by)
    return start is not None and occurred_at < start


def validate_time_of_use(
    checks: Validator, occurred_at: datetime | None, now: datetime, by: Actor, *, has_window: bool = True
) -> datetime | None:
    """Validate a time of use that the user entered.

    Without ``has_window`` it may be long ago for any actor.

    Return None if it is missing or refused. A time slightly in the future becomes ``now``.
    """
    if occurred_at is None:
        return None
    if occurred_at > now + CLOCK_DRIFT:
        checks.add_error(Code.USED_IN_FUTURE, "occurred_at")
        return None
    if has_window and is_outside_recording_window(occurred_at, now, by):
        checks.add_error(Code.USED_TOO_LONG_AGO, "occurred_at", hours=RECORDING_WINDOW // timedelta(hours=1))
        return None
    return min(occurred_at, now)


def undo_closing_until(
    *, closed_at: datetime | None, closed_by: int | None, by: Actor, now: datetime
) -> datetime | None:
    """Return until when the actor may undo a closing, or None.

    Only the user who made it may, and only within ``UNDO_CLOSING_WITHIN``. ``closed_by`` is None if it is unknown, as
    for sheets that were imported as closed.
    """
    if closed_at is None or closed_by != by.user_id or not by.can(Permission.CLOSE_SHEETS):
        return None
    until = closed_at + UNDO_CLOSING_WITHIN
    return until if now < until else None


def check_discharge_date(day: date, admission: date) -> list[Reason]:
    """Return a reason if a day of discharge is before the admission."""
    if day >= admission:
        return []
    return [Reason(Code.DISCHARGED_BEFORE_ADMISSION, "admission_date", {"day": day, "admission": admission})]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The use of a product, to be recorded on a sheet.

    ``day`` is the hospital's day of the use, and ``occurred_at`` its time, if it was not now. ``unit_price`` is set if
    another system recorded it.
    """

    product: Product
    quantity: Decimal
    day: date
    occurred_at: datetime | None = None
    staff_id: int | None = None
    area_id: int | None = None
    unit_price: Decimal | None = None
    pack: Pack = EMPTY_PACK
    kit_id: int | None = None
    acknowledged: tuple[Code, ...] = ()
    recall_reason: str | None = None
    implant_reason: str | None = None
    form_id: int | None = None
    entry_digest: bytes | None = None
    input_method: InputMethod | None = None
    use_reason: UseReason | None = None


# What a detail keeps of the use, as it is.
_USED = tuple(one.name for one in fields(Usage) if one.name not in ("product", "unit_price", "pack"))
_OF_PACK = tuple(one.name for one in fields(Pack))


@dataclass(slots=True, kw_only=True)
class Sheet:
    """What was used, for a patient or in an area.

    The sheet does not hold its details but their sum, which is kept under the lock under which details are written. So
    adding the thousandth line costs as much as adding the first.

    ``id`` is 0 until the sheet is stored. ``version`` grows with every change to the sheet or to one of its details.
    """

    id: int = 0
    total: Decimal = ZERO
    # The number of details that count. Voided ones do not.
    lines: int = field(default=0, repr=False)
    closed_at: datetime | None = None
    version: int = 1
    # The reasons that details may have, why all of them are unbilled, and whether they stay as they are after a time.
    reasons: ClassVar[Collection[UseReason | None]] = ()
    unbilled: ClassVar[Unbilled | None] = None
    ages: ClassVar[bool] = False

    @property
    def closed(self) -> bool:
        """Whether nothing on the sheet changes any more."""
        return self.closed_at is not None

    @property
    def first_day(self) -> date:
        """The first day of use that is not questioned."""
        raise NotImplementedError

    @property
    def about(self) -> Mapping[str, object]:
        """The parameters of refusals that have another sentence for areas."""
        return {}

    def place(self, detail: Detail) -> None:
        """Set the room or the area of a detail to those of the sheet."""
        raise NotImplementedError

    def check_open(self, at: datetime | None = None) -> list[Reason]:
        """Return the refusal of a sheet that is closed, or was then."""
        was_open = self.closed_at is None or (at is not None and at < self.closed_at)
        return [] if was_open else [Reason(Code.SHEET_CLOSED)]

    def check_age(self, detail: Detail, *, by: Actor, at: datetime) -> list[Reason]:
        """Return the refusal of a detail that was recorded too long ago.

        No closing ends the page of an area, so this does.
        """
        if not self.ages or not is_outside_recording_window(detail.created_at, at, by):
            return []
        return [Reason(Code.DETAIL_TOO_OLD, params={"hours": RECORDING_WINDOW // timedelta(hours=1)})]

    def check_reason(self, reason: UseReason | None) -> list[Reason]:
        """Return the refusal of a reason that details of this sheet cannot have."""
        if reason in self.reasons:
            return []
        if reason is None:
            return [Reason(Code.REQUIRED, "use_reason", self.about)]
        return [Reason(Code.USE_REASON_NOT_HERE, "use_reason", {"use_reason": reason})]

    def unbilled_of(
        self, product: Product, reason: UseReason | None, billed_waste: Collection[UseReason]
    ) -> Unbilled | None:
        """Return why the use of a product is not charged, or None if it is.

        ``billed_waste`` are the reasons for which what was thrown away is charged.
        """
        if self.unbilled:
            return self.unbilled
        if product.included_in_stay:
            return Unbilled.INCLUDED
        return Unbilled.WASTED if reason and reason not in billed_waste else None

    def ensure_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``VersionConflict`` unless the caller expects this version."""
        if expected is not None and self.version not in expected:
            raise VersionConflict

    def ensure_open(self) -> None:
        """Raise ``Refused`` (sheet.closed) if the sheet is closed."""
        if refusals := self.check_open():
            raise Refused(*refusals)

    def record(self, usage: Usage, *, by: Actor, at: datetime, billed_waste: Collection[UseReason] = WASTE) -> Detail:
        """Add a detail at the product's current price or at the given one.

        Raise ``Refused`` if the sheet is closed, if it has ``MAX_LINES`` (sheet.full), if the use is before the
        admission and that was not acknowledged, or if the sheet's details cannot have its reason.
        """
        self.ensure_open()
        if Code.USED_BEFORE_ADMISSION not in usage.acknowledged:
            Validator(check_not_before_admission(usage.day, self.first_day)).raise_if_invalid()
        Validator(self.check_reason(usage.use_reason)).raise_if_invalid()
        self._count_line()
        detail = Detail(
            sheet_id=self.id,
            product_id=usage.product.id,
            user_id=by.user_id,
            unit_price=usage.product.price if usage.unit_price is None else usage.unit_price,
            total=ZERO,
            unbilled=self.unbilled_of(usage.product, usage.use_reason, billed_waste),
            created_at=at,
            **{name: getattr(usage, name) for name in _USED},
            **{name: getattr(usage.pack, name) for name in _OF_PACK},
        )
        self.place(detail)
        detail.total = detail.amount(detail.quantity)
        self._adjust_total(detail.total)
        return detail

    def edit(
        self,
        detail: Detail,
        product: Product,
        quantity: Decimal,
        *,
        total: Decimal | None,
        is_charged: bool = False,
        staff_id: int | None,
        area_id: int | None,
        pack: Pack | None = None,
        acknowledged: tuple[Code, ...] = (),
        recall_reason: str | None = None,
        implant_reason: str | None = None,
        use_reason: UseReason | None,
        billed_waste: Collection[UseReason] = WASTE,
    ) -> None:
        """Change a detail of this sheet.

        Without a ``pack`` the pack data stays. Why the lot or serial number of an implant is missing stays until both
        are known. Another product brings its current price, and whether it is billed, as does another ``use_reason``; a
        new quantity alone keeps both.
        With ``is_charged``, an unbilled detail is charged from now on. A ``total`` is stored as given; without one it
        is computed. The author of the detail stays. Raise ``Refused`` if an unbilled detail would get a total
        (total.unbilled), or if the sheet's details cannot have the reason.
        """
        self.ensure_open()
        Validator(self.check_reason(use_reason)).raise_if_invalid()
        if product.id != detail.product_id:
            detail.product_id = product.id
            detail.unit_price = product.price
            if detail.unbilled is Unbilled.INCLUDED:
                # Whether waste is charged did not matter for a product that is included.
                detail.unbilled = self.unbilled_of(product, use_reason, billed_waste)
            else:
                detail.unbilled = self.unbilled_of(product, use_reason, () if detail.unbilled else WASTE)
            detail.input_method = None
        if use_reason != detail.use_reason:
            detail.use_reason = use_reason
            detail.unbilled = self.unbilled_of(product, use_reason, billed_waste)
        if is_charged and self.unbilled:
            raise Refused(Reason(Code.TOTAL_UNBILLED, "charged", self.about))
        if is_charged:
            detail.unbilled = None
        if detail.unbilled and total:
            raise Refused(Reason(Code.TOTAL_UNBILLED, "total", self.about))
        new_total = detail.amount(quantity) if total is None else total
        self._adjust_total(new_total - detail.total)
        detail.quantity = quantity
        detail.total = new_total
        detail.staff_id = staff_id
        detail.area_id = area_id
        if pack is not None:
            detail.gtin, detail.lot, detail.expiry, detail.serial = pack.gtin, pack.lot, pack.expiry, pack.serial
        new = tuple(code for code in acknowledged if code not in detail.acknowledged)
        detail.acknowledged = (*detail.acknowledged, *new)
        detail.recall_reason = recall_reason or detail.recall_reason
        is_untraced = product.implant and missing_of_implant(detail.pack) is not None
        detail.implant_reason = (implant_reason or detail.implant_reason) if is_untraced else None
        detail.version += 1

    def void(self, detail: Detail, *, by: Actor, at: datetime, reason: str | None = None) -> None:
        """Void a detail. It remains with user, time and reason.

        It no longer counts. Voiding cannot be undone.
        """
        detail.ensure_may_void(by)
        self.ensure_open()
        detail.ensure_not_voided()
        self._adjust_total(-detail.total)
        self.lines -= 1
        detail.voided_at = at
        detail.voided_by = by.user_id
        detail.void_reason = reason
        detail.version += 1

    def correct_quantity(
        self,
        detail: Detail,
        quantity: Decimal,
        *,
        by: Actor,
        at: datetime,
        reason: str,
        acknowledged: tuple[Code, ...] = (),
        entry_digest: bytes | None = None,
    ) -> Detail:
        """Void a detail and return the one that is recorded in its place.

        Only the quantity differs. The price, the time and room of use, the pack, the kit and the author stay. A total
        that was set by hand is computed again, which requires an actor who sees prices.
        """
        if detail.is_total_set and not by.can(Permission.SEE_PRICES):
            raise Refused(Reason(Code.CORRECTION_FOR_SUPERVISION))
        self.void(detail, by=by, at=at, reason=reason)
        total = detail.amount(quantity)
        self._count_line()
        self._adjust_total(total)
        new = tuple(code for code in acknowledged if code not in detail.acknowledged)
        return replace(
            detail,
            id=0,
            version=1,
            quantity=quantity,
            total=total,
            corrected_from=detail.quantity,
            returned=None,
            created_at=at,
            occurred_at=detail.occurred_at or detail.created_at,
            acknowledged=(*detail.acknowledged, *new),
            voided_at=None,
            voided_by=None,
            void_reason=None,
            entry_digest=entry_digest,
        )

    def remove_imported(self, detail: Detail) -> None:
        """Remove a detail of an import that is being undone.

        Details that users recorded are voided instead.
        """
        self.ensure_open()
        if not detail.voided:
            self._adjust_total(-detail.total)
            self.lines -= 1

    def move_detail_to(
        self,
        detail: Detail,
        target: "Sheet",
        *,
        by: Actor,
        product: Product | None = None,
        use_reason: UseReason | None = None,
        billed_waste: Collection[UseReason] = WASTE,
    ) -> None:
        """Move a detail to another sheet, with that sheet's room or area.

        Between two sheets of one kind, everything else about it stays. With another reason, or on a sheet of the other
        kind, it is charged as if it had been recorded there, for which the ``product`` is needed; a total that was set
        by hand stays if it is. Raise ``Refused`` if the target's details cannot have its reason.
        """
        if not detail.may_be_moved(by):
            raise Refused(Reason(Code.DETAIL_NOT_OWN))
        self.ensure_open()
        detail.ensure_not_voided()
        if target.closed:
            raise Refused(Reason(Code.TARGET_CLOSED, "to_sheet_id"))
        reason = target.moved_reason(detail, use_reason)
        Validator(target.check_reason(reason)).raise_if_invalid()
        target._count_line("to_sheet_id")
        self._adjust_total(-detail.total)
        self.lines -= 1
        if type(self) is not type(target) or reason != detail.use_reason:
            assert product is not None, "what it is charged depends on it"
            detail.bill(target.unbilled_of(product, reason, billed_waste))
        detail.use_reason = reason
        target._adjust_total(detail.total)
        detail.sheet_id = target.id
        target.place(detail)
        detail.version += 1

    def moved_reason(self, detail: Detail, use_reason: UseReason | None) -> UseReason | None:
        """Return the reason of a detail that is moved here.

        Without a given one it keeps its own, unless details of this sheet cannot have it.
        """
        return use_reason or (detail.use_reason if detail.use_reason in self.reasons else None)

    def return_quantity(self, detail: Detail, quantity: Decimal, *, by: Actor, total: Decimal | None = None) -> None:
        """Reduce a detail by a quantity that came back unused.

        The rest is charged at the line's own price. If the total was set by hand, it cannot be computed, and an actor
        who sees prices has to give the new ``total``.
        """
        self.ensure_open()
        detail.ensure_not_voided()
        detail.ensure_part(quantity, Code.RETURN_TOO_MUCH)
        left = detail.quantity - quantity
        if detail.unbilled and total:
            raise Refused(Reason(Code.TOTAL_UNBILLED, "total", self.about))
        if total is None and detail.is_total_set:
            if not by.can(Permission.SEE_PRICES):
                raise Refused(Reason(Code.RETURN_NEEDS_SUPERVISOR))
            raise Refused(Reason(Code.RETURN_TOTAL_NEEDED, "total"))
        new_total = detail.amount(left) if total is None else total
        self._adjust_total(new_total - detail.total)
        detail.quantity = left
        detail.returned = (detail.returned or ZERO_QUANTITY) + quantity
        detail.total = new_total
        detail.version += 1

    def touch(self) -> None:
        """Bump the version, so that readers notice a change beside the sheet."""
        self.version += 1

    def _count_line(self, field: str | None = None) -> None:
        if self.lines >= MAX_LINES:
            raise Refused(Reason(Code.SHEET_FULL, field, {"most": MAX_LINES, **self.about}))
        self.lines += 1

    def _adjust_total(self, by: Decimal) -> None:
        self.total += by
        self.version += 1


@dataclass(slots=True, kw_only=True)
class PatientSheet(Sheet):
    """A patient's consumption from admission to discharge.

    Once closed, nothing on the sheet changes. ``visit_number`` is the hospital system's number of the stay. If that
    system discharges the patient or cancels the admission, that is only a proposal: users close the sheet.
    """

    patient_id: int
    room_id: int
    admission_date: date
    diagnosis: str
    doctor: str
    visit_number: str | None = None
    discharge_proposed_at: datetime | None = None
    admission_cancelled_at: datetime | None = None
    # The data of the hospital's system (domain.interop.external_record).
    external_record: str | None = field(default=None, repr=False)

    reasons: ClassVar[Collection[UseReason | None]] = (None, *WASTE)

    @property
    def first_day(self) -> date:
        """The day of admission."""
        return self.admission_date

    def place(self, detail: Detail) -> None:
        """Set the room of a detail to the patient's."""
        detail.room_id = self.room_id

    def update_admission(
        self,
        *,
        patient_id: int,
        room_id: int,
        admission_date: date,
        diagnosis: str,
        doctor: str,
        first_used: date | None,
    ) -> None:
        """Correct the admission data.

        ``first_used`` is the first day on which something was recorded. The day of admission is checked only if it
        changes.
        """
        self.ensure_open()
        if first_used is not None and admission_date != self.admission_date:
            Validator(check_not_before_admission(first_used, admission_date)).raise_if_invalid()
        self.patient_id = patient_id
        self.room_id = room_id
        self.admission_date = admission_date
        self.diagnosis = diagnosis
        self.doctor = doctor
        self.version += 1

    def mark_wasted(
        self, detail: Detail, quantity: Decimal, reason: UseReason, *, billed: Collection[UseReason], at: datetime
    ) -> Detail | None:
        """Mark a detail, or a part of it, as thrown away.

        A part becomes a detail of its own. Return the new detail, or None if the whole one was marked. It is charged if
        the reason is among those ``billed``. Raise ``Refused`` if it is marked already (waste.marked), if less is left
        (waste.too_much), or for a part of a detail with a serial number (serial.quantity) or whose total was set by
        hand (waste.total_set).
        """
        self.ensure_open()
        detail.ensure_not_voided()
        if detail.use_reason:
            raise Refused(Reason(Code.WASTE_MARKED))
        detail.ensure_part(quantity, Code.WASTE_TOO_MUCH)
        Validator(self.check_reason(reason)).raise_if_invalid()
        unbilled = detail.unbilled or (None if reason in billed else Unbilled.WASTED)
        if quantity == detail.quantity:
            detail.use_reason = reason
            self._bill(detail, unbilled)
            return None
        if detail.is_total_set:
            raise Refused(Reason(Code.WASTE_TOTAL_SET, "quantity"))
        self._count_line()
        wasted = replace(
            detail,
            id=0,
            version=1,
            quantity=quantity,
            use_reason=reason,
            unbilled=unbilled,
            returned=None,
            corrected_from=None,
            created_at=at,
            occurred_at=detail.occurred_at or detail.created_at,
            entry_digest=None,
        )
        wasted.total = wasted.amount(quantity)
        left = detail.quantity - quantity
        new_total = detail.amount(left)
        self._adjust_total(wasted.total + new_total - detail.total)
        detail.quantity = left
        detail.total = new_total
        detail.version += 1
        return wasted

    def unmark_wasted(self, detail: Detail, product: Product) -> None:
        """Take back that a detail was thrown away. It stays a detail of its own.

        It is charged as the product is now. Raise ``Refused`` (waste.none) if it is not marked.
        """
        self.ensure_open()
        detail.ensure_not_voided()
        if not detail.use_reason:
            raise Refused(Reason(Code.WASTE_NONE))
        detail.use_reason = None
        self._bill(detail, self.unbilled_of(product, None, ()))

    def _bill(self, detail: Detail, unbilled: Unbilled | None) -> None:
        before = detail.total
        detail.bill(unbilled)
        self._adjust_total(detail.total - before)
        detail.version += 1

    def reassign_to(self, patient_id: int) -> None:
        """Assign the sheet to another record of the same person.

        It may be open or closed. The consumption stays as it is.
        """
        self.patient_id = patient_id
        self.version += 1

    def close(self, at: datetime, day: date) -> None:
        """Close the sheet, which freezes its total.

        Raise ``Refused`` if it is closed already, or if ``day`` is before the admission.
        """
        self.ensure_open()
        Validator(check_discharge_date(day, self.admission_date)).raise_if_invalid()
        self.closed_at = at
        self.version += 1

    def undo_closing(self, *, closed_by: int | None, by: Actor, at: datetime) -> None:
        """Open the sheet again shortly after the actor closed it.

        Raise ``Refused`` if it is not closed, or if ``undo_closing_until`` does not allow it (closing.not_undoable).
        """
        if self.closed and not undo_closing_until(closed_at=self.closed_at, closed_by=closed_by, by=by, now=at):
            minutes = UNDO_CLOSING_WITHIN // timedelta(minutes=1)
            raise Refused(Reason(Code.CLOSING_NOT_UNDOABLE, params={"minutes": minutes}))
        self.reopen()

    def reopen(self) -> None:
        """Undo the closing."""
        if not self.closed:
            raise Refused(Reason(Code.SHEET_NOT_CLOSED))
        self.closed_at = None
        self.version += 1


@dataclass(slots=True, kw_only=True)
class AreaSheet(Sheet):
    """What an area used in a month for no patient. It is never closed.

    ``month`` is its first day. The month is only a page: details of other days may be on it. ``part`` counts the pages
    of a month, of which only the last one is not full. Nothing on it is charged, so its total is 0.
    """

    area_id: int
    month: date
    part: int = 1
    reasons: ClassVar[Collection[UseReason | None]] = tuple(UseReason)
    unbilled: ClassVar[Unbilled | None] = Unbilled.AREA
    ages: ClassVar[bool] = True

    @property
    def first_day(self) -> date:
        """Any day."""
        return date.min

    @property
    def about(self) -> Mapping[str, object]:
        """The area."""
        return {"area": self.area_id}

    def place(self, detail: Detail) -> None:
        """Set the area of a detail to that of the page."""
        detail.area_id, detail.room_id = self.area_id, None


def validate_use_reason(checks: Validator, text: str | None, sheet: Sheet | None) -> UseReason | None:
    """Validate the reason of a detail of the sheet.

    Return None if it is missing or refused.
    """
    if text and text not in set(UseReason):
        checks.add_error(Code.CHOICE_UNKNOWN, "use_reason", choices=", ".join(UseReason))
        return None
    reason = UseReason(text) if text else None
    if sheet is not None:
        checks.add(sheet.check_reason(reason))
    return reason


def of_patients(sheets: Iterable[Sheet]) -> list[PatientSheet]:
    """Return the sheets of patients among these."""
    return [sheet for sheet in sheets if isinstance(sheet, PatientSheet)]
