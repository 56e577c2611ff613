"""Details of a consumption sheet, and their returns."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused, VersionConflict
from domain.common.money import ZERO, line_total
from domain.common.policy import Actor, Permission
from domain.hospital.use_reason import UseReason
from domain.scanning.lot import Pack


class Unbilled(StrEnum):
    """Why a detail is not charged; its total is then 0."""

    # It was used in an area, for no patient. Only details of an area's sheet have it, and all of them.
    AREA = "area"
    # The price of the stay includes the product.
    INCLUDED = "included"
    # It was thrown away for a reason that the hospital does not bill.
    WASTED = "wasted"


class InputMethod(StrEnum):
    """How the user chose the product of a detail: its code, or its name."""

    SCAN = "scan"
    TEXT = "text"


@dataclass(slots=True, kw_only=True)
class Detail:
    """One supply that a patient or an area consumed.

    * ``unit_price`` is the product's price at the time of recording. It stays when the product's price changes.
    * ``created_at`` is the time of recording. ``occurred_at`` is the time of use, if that is another one. ``day`` is
      the hospital's day of use.
    * ``use_reason`` is why it was not used for a patient's treatment; None if it was.
    * ``unbilled`` is why it is not charged, as it was decided at the recording. Its total is then 0.
    * ``room_id`` is the patient's room at the time of recording; None in an area.
    * ``acknowledged`` are the questions that the author overrode.
    * ``recall_reason`` is why it was recorded although it is recalled.
    * ``implant_reason`` is why the lot or serial number of an implant is missing.
    * ``kit_id`` is the kit with which it was recorded.
    * ``form_id`` is the contingency form on which it was noted.
    * ``quantity`` is the quantity that was kept, ``returned`` the one that came back.
    * A voided detail keeps its total but counts nowhere.
    * ``corrected_from`` is the quantity of the voided detail that this one replaces.
    * ``entry_digest`` permanently identifies the request that recorded it.
    * ``input_method`` is how the product was chosen, if that is known. It is in no view and in no history.
    * ``id`` is 0 until the detail is stored. ``version`` grows with every change.
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
    returned: Decimal | None = None
    corrected_from: Decimal | None = None
    voided_at: datetime | None = None
    voided_by: int | None = None
    void_reason: str | None = None
    recall_reason: str | None = None
    implant_reason: str | None = None
    form_id: int | None = None
    use_reason: UseReason | None = None
    unbilled: Unbilled | None = None
    entry_digest: bytes | None = field(default=None, repr=False)
    input_method: InputMethod | None = field(default=None, repr=False)

    @property
    def voided(self) -> bool:
        """Whether it was voided: it remains, but in no sum and no list."""
        return self.voided_at is not None

    @property
    def pack(self) -> Pack:
        """The data that was scanned or read off the pack."""
        return Pack(gtin=self.gtin, lot=self.lot, expiry=self.expiry, serial=self.serial)

    @property
    def is_total_set(self) -> bool:
        """Whether the total was set by hand."""
        return self.total != self.amount(self.quantity)

    def amount(self, quantity: Decimal) -> Decimal:
        """Return what this quantity of the detail is charged at."""
        return ZERO if self.unbilled else line_total(self.unit_price, quantity)

    def bill(self, unbilled: Unbilled | None) -> None:
        """Set whether it is billed.

        A total that was set by hand stays if it is.
        """
        is_kept = self.is_total_set and not unbilled
        self.unbilled = unbilled
        if not is_kept:
            self.total = self.amount(self.quantity)

    def ensure_part(self, quantity: Decimal, too_much: Code) -> None:
        """Raise ``Refused`` unless this quantity can be taken off.

        That is ``too_much`` if less is left. A piece with a serial number is not divided (serial.quantity).
        """
        if quantity > self.quantity:
            raise Refused(Reason(too_much, "quantity", {"left": self.quantity}))
        if self.serial and quantity != self.quantity:
            raise Refused(Reason(Code.SERIAL_QUANTITY, "quantity"))

    def ensure_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``VersionConflict`` unless the caller expects this version."""
        if expected is not None and self.version not in expected:
            raise VersionConflict

    def ensure_not_voided(self) -> None:
        """Raise ``Refused`` (detail.voided) if the detail is voided."""
        if self.voided:
            raise Refused(Reason(Code.DETAIL_VOIDED))

    def may_be_voided(self, by: Actor) -> bool:
        """Return whether the actor may void the detail.

        Ward staff may void what they recorded, supervisors any detail.
        """
        own = self.user_id == by.user_id
        return by.can(Permission.DELETE_ANY_DETAIL) or (own and by.can(Permission.DELETE_OWN_DETAILS))

    def may_be_moved(self, by: Actor) -> bool:
        """Return whether the actor may move the detail.

        Ward staff may move what they recorded, supervisors any detail.
        """
        own = self.user_id == by.user_id
        return by.can(Permission.MOVE_ANY_DETAIL) or (own and by.can(Permission.MOVE_OWN_DETAILS))

    def ensure_may_void(self, by: Actor) -> None:
        """Raise ``Refused`` (detail.not_own) unless the actor may void it."""
        if not self.may_be_voided(by):
            raise Refused(Reason(Code.DETAIL_NOT_OWN))


class ReturnReason(StrEnum):
    """Why a supply came back."""

    UNUSED = "unused"
    DEFECTIVE = "defective"
    WRONG_ITEM = "wrong_item"


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailReturn:
    """A part of a detail that came back unused.

    ``day`` is the hospital's day of the return. ``total`` is the amount by which the detail's total decreased.
    """

    detail_id: int
    quantity: Decimal
    total: Decimal
    reason: ReturnReason
    note: str | None
    user_id: int
    at: datetime
    day: date
