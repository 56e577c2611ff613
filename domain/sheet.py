"""The consumption sheet (hoja de consumo) and its details."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from domain.checks import Checks
from domain.lot import NO_PACK, Pack
from domain.money import MOST_MONEY, ZERO, line_total
from domain.policy import Actor, Permission
from domain.product import Product
from domain.refusal import Code, Forbidden, Outdated, Reason, Refused

# Clocks differ by this much, and nobody is told.
CLOCK_DRIFT = timedelta(minutes=5)
# How late ward staff may still record by themselves what was used.
LATEST_RECORDING = timedelta(hours=72)


def used_too_early(day: date, admission: date, field: str = "admission_date") -> list[Reason]:
    """What speaks against something having been used on that day: the patient had not been admitted yet."""
    if day >= admission:
        return []
    return [Reason(Code.USED_BEFORE_ADMISSION, field, {"day": day, "admission": admission})]


def moment_of_use(checks: Checks, occurred_at: datetime | None, now: datetime, by: Actor) -> datetime | None:
    """When something was used, as somebody says who records it now; None where that is not said, or refused."""
    if occurred_at is None:
        return None
    if occurred_at > now + CLOCK_DRIFT:
        checks.refuse(Code.USED_IN_FUTURE, "occurred_at")
        return None
    if now - occurred_at > LATEST_RECORDING and not by.may(Permission.RECORD_OF_ANY_DAY):
        checks.refuse(Code.USED_TOO_LONG_AGO, "occurred_at", hours=LATEST_RECORDING // timedelta(hours=1))
        return None
    return min(occurred_at, now)


def discharged_too_early(day: date, admission: date) -> list[Reason]:
    """What speaks against a discharge on that day: the patient had not been admitted yet."""
    if day >= admission:
        return []
    return [Reason(Code.DISCHARGED_BEFORE_ADMISSION, "admission_date", {"day": day, "admission": admission})]


@dataclass(slots=True, kw_only=True)
class Detail:
    """One supply that a patient consumed: what, how much, who gave it, where, when, and at which price.

    ``unit_price`` is the product's price at the moment of recording and stays when the product's price changes.
    ``created_at`` is the moment of recording, ``occurred_at`` that of use where it is another one; ``day`` is the
    hospital's day of use. ``room_id`` is where the patient lay when it was recorded. ``acknowledged`` is what
    whoever recorded it was asked about and went past. ``kit_id`` is the kit with which it was recorded.
    ``id`` is 0 until the detail is stored; ``version`` grows with every change.
    """

    id: int = 0
    sheet_id: int
    product_id: int
    staff_id: int | None
    user_id: int
    area_id: int | None
    quantity: Decimal
    unit_price: Decimal
    total: Decimal
    created_at: datetime
    day: date
    kit_id: int | None = None
    version: int = 1
    occurred_at: datetime | None = None
    room_id: int | None = None
    acknowledged: tuple[Code, ...] = ()
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None

    @property
    def pack(self) -> Pack:
        """What was scanned or read off the pack."""
        return Pack(gtin=self.gtin, lot=self.lot, expiry=self.expiry, serial=self.serial)

    def must_be_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``Outdated`` unless this is one of the versions that the caller goes by."""
        if expected is not None and self.version not in expected:
            raise Outdated

    def must_be_removable(self, by: Actor) -> None:
        """Raise ``Forbidden`` unless this person may delete it: ward staff their own, others any."""
        own = self.user_id == by.user_id and by.may(Permission.DELETE_OWN_DETAILS)
        if not own and not by.may(Permission.DELETE_ANY_DETAIL):
            raise Forbidden


@dataclass(slots=True, kw_only=True)
class Sheet:
    """A patient's consumption from admission to discharge. Once closed, nothing on it changes.

    The sheet does not carry its details: it carries their sum, kept under the same lock under which a detail is
    written, so that adding the thousandth line costs what the first one costs. ``id`` is 0 until the sheet is stored;
    ``version`` grows with every change to the sheet or to one of its details.
    """

    id: int = 0
    patient_id: int
    room_id: int
    admission_date: date
    diagnosis: str
    doctor: str
    total: Decimal = ZERO
    closed_at: datetime | None = None
    version: int = 1

    @property
    def closed(self) -> bool:
        """Whether the patient's account is final."""
        return self.closed_at is not None

    def must_be_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``Outdated`` unless this is one of the versions that the caller goes by."""
        if expected is not None and self.version not in expected:
            raise Outdated

    def must_be_open(self) -> None:
        """Raise ``Refused`` (sheet.closed) on a closed sheet."""
        if self.closed:
            raise Refused(Reason(Code.SHEET_CLOSED))

    def correct(
        self,
        *,
        patient_id: int,
        room_id: int,
        admission_date: date,
        diagnosis: str,
        doctor: str,
        first_used: date | None,
    ) -> None:
        """Put right what was filled in at admission; ``first_used`` is the first day on which something was recorded.

        A day of admission that stays as it is is not judged again.
        """
        self.must_be_open()
        if first_used is not None and admission_date != self.admission_date:
            Checks(used_too_early(first_used, admission_date)).done()
        self.patient_id = patient_id
        self.room_id = room_id
        self.admission_date = admission_date
        self.diagnosis = diagnosis
        self.doctor = doctor
        self.version += 1

    def record(
        self,
        product: Product,
        quantity: Decimal,
        *,
        by: Actor,
        staff_id: int | None,
        area_id: int | None,
        at: datetime,
        day: date,
        occurred_at: datetime | None = None,
        acknowledged: tuple[Code, ...] = (),
        pack: Pack = NO_PACK,
        unit_price: Decimal | None = None,
        kit_id: int | None = None,
    ) -> Detail:
        """Add a detail at the product's price as it is now, or at the one that another system recorded it at.

        Nothing is used before the patient's admission, unless somebody answers for it. What would carry the sheet's
        total over its limit is refused; but whoever may not see prices would learn the price from that refusal, so from
        them it is taken, with as much of its total as the sheet can still hold.
        """
        self.must_be_open()
        if Code.USED_BEFORE_ADMISSION not in acknowledged:
            Checks(used_too_early(day, self.admission_date)).done()
        unit_price = product.price if unit_price is None else unit_price
        total = line_total(unit_price, quantity)
        if not by.may(Permission.SEE_PRICES):
            total = min(total, MOST_MONEY - self.total)
        self._change_total(total)
        return Detail(
            sheet_id=self.id,
            product_id=product.id,
            staff_id=staff_id,
            user_id=by.user_id,
            area_id=area_id,
            quantity=quantity,
            unit_price=unit_price,
            total=total,
            created_at=at,
            day=day,
            occurred_at=occurred_at,
            room_id=self.room_id,
            acknowledged=acknowledged,
            gtin=pack.gtin,
            lot=pack.lot,
            expiry=pack.expiry,
            serial=pack.serial,
            kit_id=kit_id,
        )

    def edit(
        self,
        detail: Detail,
        product: Product,
        quantity: Decimal,
        *,
        total: Decimal | None,
        staff_id: int | None,
        area_id: int | None,
        pack: Pack | None = None,
        acknowledged: tuple[Code, ...] = (),
    ) -> None:
        """Correct a detail of this sheet. Without a ``pack`` what was read off it stays.

        Another product brings its price of this moment; a new quantity alone keeps the unit price. A ``total`` is taken
        as given; without one it is reckoned. Who recorded the detail stays.
        """
        self.must_be_open()
        if product.id != detail.product_id:
            detail.product_id = product.id
            detail.unit_price = product.price
        new_total = line_total(detail.unit_price, quantity) if total is None else total
        self._change_total(new_total - detail.total)
        detail.quantity = quantity
        detail.total = new_total
        detail.staff_id = staff_id
        detail.area_id = area_id
        if pack is not None:
            detail.gtin, detail.lot, detail.expiry, detail.serial = pack.gtin, pack.lot, pack.expiry, pack.serial
        new = tuple(code for code in acknowledged if code not in detail.acknowledged)
        detail.acknowledged = (*detail.acknowledged, *new)
        detail.version += 1

    def remove(self, detail: Detail, *, by: Actor) -> None:
        """Take a detail off this sheet."""
        detail.must_be_removable(by)
        self.must_be_open()
        self._change_total(-detail.total)

    def close(self, at: datetime, day: date) -> None:
        """Finish the sheet: its total is frozen. Closing twice is refused, and closing before the admission."""
        self.must_be_open()
        Checks(discharged_too_early(day, self.admission_date)).done()
        self.closed_at = at
        self.version += 1

    def reopen(self) -> None:
        """Undo the closing."""
        if not self.closed:
            raise Refused(Reason(Code.SHEET_NOT_CLOSED))
        self.closed_at = None
        self.version += 1

    def _change_total(self, by: Decimal) -> None:
        if self.total + by > MOST_MONEY:
            raise Refused(Reason(Code.SHEET_TOTAL_TOO_LARGE, "quantity", params={"most": MOST_MONEY}))
        self.total += by
        self.version += 1
