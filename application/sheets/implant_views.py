"""Views of implants: their register and the patient's card, without prices."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from application.people.scanned_views import PlaceView
from application.people.views import PersonView
from application.sheets.views import SheetPatientView
from domain.hospital.use_reason import UseReason
from domain.scanning.lot import Missing


class ImplantProductView(TypedDict):
    """The product of an implant."""

    id: int
    code: str | None
    unit: str | None
    name: str


class ImplantView(TypedDict):
    """An implant in the register.

    ``id`` is that of its consumption detail, and ``day`` the hospital's day of use. ``missing`` is what it lacks, and
    ``implant_reason`` why. ``use_reason`` is why it was thrown away. ``gtin`` is that of the pack or of the product.
    ``udi`` is the device identification as people read it.
    """

    id: int
    consumption_sheet_id: int
    patient_id: int
    patient: SheetPatientView
    room: PlaceView | None
    day: date
    product_id: int
    product: ImplantProductView
    quantity: Decimal
    gtin: str | None
    lot: str | None
    serial: str | None
    expiry: date | None
    missing: Missing | None
    implant_reason: str | None
    use_reason: UseReason | None
    udi: str | None
    staff: PersonView | None


class CardImplantView(TypedDict):
    """An implant on the patient's card.

    ``symbol`` is the text of its GS1 symbol, None if it cannot have one.
    """

    product: str
    code: str | None
    unit: str | None
    quantity: Decimal
    day: date
    lot: str | None
    serial: str | None
    expiry: date | None
    implant_reason: str | None
    udi: str
    has_gtin: bool
    symbol: str | None


class ImplantCardView(TypedDict):
    """The patient's card of implants, as a closing froze them."""

    sheet_id: int
    patient: SheetPatientView
    record_number: str | None
    date_of_birth: date | None
    doctor: str
    closed_at: datetime
    printed_at: datetime
    implants: list[CardImplantView]


IMPLANT_SORTS = frozenset({"id", "created_at", "product", "quantity"})
