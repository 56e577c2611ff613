"""Views and list queries of consumption details."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NotRequired, TypedDict

from application.catalogue.views import AreaView, CategoryView, ProductView
from application.common.paging import ListQuery
from application.common.redaction import Price, Redacted
from application.people.scanned_views import PlaceView
from application.people.views import PersonView
from application.sheets.used_for import UsedFor
from application.sheets.views import SheetPatientView
from domain.common.errors import Code
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Unbilled
from domain.ward.shift import Shift


class DetailProductView(TypedDict):
    """The product of a detail, with its current price.

    Only frozen documents have its ``plain_name``. Answers that an earlier version stored lack ``code``, ``unit``,
    ``gtin`` and ``implant``.
    """

    id: int
    code: NotRequired[str | None]
    unit: NotRequired[str | None]
    name: str
    price: NotRequired[Price]
    gtin: NotRequired[str | None]
    implant: NotRequired[bool]
    plain_name: NotRequired[str | None]
    category: CategoryView


class WarningView(TypedDict):
    """A possible mistake in a detail that was recorded anyway.

    ``message`` is added by the adapter. Further fields depend on the ``code``. A near ``expiry`` has the date. A
    possible duplicate has the earlier detail, its author, ``product`` and time, and the ``minutes`` in between. A
    far-out line has its quantity and the usual one, or its total for users who see prices. An incomplete implant has
    its ``product``, and the ``lot`` or ``serial`` that is known. If several details were recorded, ``field`` is the
    position of the one concerned, such as ``items.3``.
    """

    code: Code
    message: NotRequired[str]
    field: NotRequired[str]
    detail_id: NotRequired[int]
    by: NotRequired[str]
    quantity: NotRequired[Decimal]
    at: NotRequired[datetime]
    minutes: NotRequired[int]
    expiry: NotRequired[date]
    usual_quantity: NotRequired[Decimal]
    total: NotRequired[Price]
    product: NotRequired[str]
    lot: NotRequired[str]
    serial: NotRequired[str]


class KitNameView(TypedDict):
    """A kit, by name."""

    id: int
    name: str


class UserNameView(TypedDict):
    """A user: the staff member's name, or else the email."""

    id: int
    name: str


class VoidedView(TypedDict):
    """The time, user and reason of voiding a detail."""

    at: datetime
    by: UserNameView
    reason: str | None


class DetailView(TypedDict):
    """A consumption detail. ``version`` is its ETag.

    * ``created_at`` is the time of recording, ``occurred_at`` the time of use, if that is another one, and ``day`` the
      hospital's day of use.
    * ``use_reason`` is why it was thrown away; null if it was used.
    * ``unbilled`` is why it is not charged. Its total is then 0.
    * ``room_id`` is the patient's room at the time of recording.
    * ``acknowledged`` are the codes of the questions that the author overrode.
    * ``recall_reason`` is why it was recorded although it is recalled.
    * ``implant_reason`` is why the lot or serial number of an implant is missing.
    * ``form_id`` is the number of the contingency form on which it was noted.
    * ``quantity`` is the quantity that was kept, ``returned`` the one that came back.
    * ``voided`` is only set if the detail was voided. Its total counts nowhere.
    * ``corrected_from`` is the quantity before a correction.
    * ``warnings`` are only returned when the detail is recorded.

    Answers that an earlier version stored lack the fields that are not required.
    """

    id: int
    consumption_sheet_id: int
    product_id: int
    product: DetailProductView
    staff_id: int | None
    staff: PersonView | None
    user_id: int
    area_id: int | None
    area: AreaView | None
    quantity: Decimal
    unit_price: NotRequired[Price]
    total: NotRequired[Price]
    use_reason: NotRequired[UseReason | None]
    unbilled: NotRequired[Annotated[Unbilled | None, Redacted.FIELD]]
    created_at: datetime
    occurred_at: NotRequired[datetime | None]
    day: NotRequired[date]
    room_id: NotRequired[int | None]
    acknowledged: NotRequired[list[Code]]
    recall_reason: NotRequired[str | None]
    implant_reason: NotRequired[str | None]
    gtin: NotRequired[str | None]
    lot: NotRequired[str | None]
    expiry: NotRequired[date | None]
    serial: NotRequired[str | None]
    kit_id: NotRequired[int | None]
    kit: NotRequired[KitNameView | None]
    form_id: NotRequired[int | None]
    returned: NotRequired[Decimal]
    corrected_from: NotRequired[Decimal | None]
    voided: NotRequired[VoidedView]
    warnings: NotRequired[Annotated[list[WarningView], Redacted.PRICED_ITEMS]]
    version: int


class RepeatableLineView(TypedDict):
    """An active product, its recorded quantity, and the number of lines."""

    product: ProductView
    quantity: Decimal
    times: int


class RepeatableView(TypedDict):
    """The products recorded on a day, to be used again.

    ``day`` is null for all ``days`` with lines.
    """

    day: date | None
    days: list[date]
    items: list[RepeatableLineView]


class DetailsView(TypedDict):
    """Details of one sheet that were changed together."""

    items: list[DetailView]


class SheetSumView(TypedDict):
    """The current total of a sheet; ``version`` is its ETag."""

    id: int
    version: int
    total: NotRequired[Price]


# The moved details, and both sheets after the move. A class cannot have a field with the name from.
MovedDetailsView = TypedDict("MovedDetailsView", {"moved": list[DetailView], "from": SheetSumView, "to": SheetSumView})


class RecordedDetailsView(TypedDict):
    """Details that were recorded together, in the order of the request.

    ``warnings`` refer to them by position.
    """

    items: list[DetailView]
    warnings: NotRequired[Annotated[list[WarningView], Redacted.PRICED_ITEMS]]


class PatientDetailView(DetailView):
    """A consumption detail of a patient, with patient and room."""

    room: PlaceView | None
    patient_id: int
    patient: SheetPatientView


class ExportedDetailView(DetailView):
    """A consumption detail for exports; one of an area has no patient."""

    room: PlaceView | None
    patient_id: int | None
    patient: SheetPatientView | None


class Voided(StrEnum):
    """Which voided details are listed. Without it none are."""

    INCLUDE = "include"
    ONLY = "only"


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailQuery(ListQuery):
    """A query for details.

    ``since`` and ``until`` are days of use. ``lot`` ignores case. ``voided`` includes voided details, or selects only
    them. ``gtin_prefix`` selects details whose GTIN begins with it, ``shift`` those that were used in this shift, on
    any day. ``implant`` selects only details of implants, ``incomplete`` those without lot or serial number. Without
    ``used_for`` the list of one sheet has all of its details, and other lists have those of patients.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    category_id: int | None = None
    staff_id: int | None = None
    area_id: int | None = None
    room_id: int | None = None
    shift: Shift | None = None
    since: date | None = None
    until: date | None = None
    lot: str | None = None
    serial: str | None = None
    patient_id: int | None = None
    form_id: int | None = None
    gtin_prefix: str | None = None
    voided: Voided | None = None
    implant: bool | None = None
    incomplete: bool | None = None
    used_for: UsedFor | None = None
    use_reason: UseReason | None = None

    @property
    def listed_for(self) -> UsedFor:
        """Return for whom the listed details were used."""
        every = UsedFor.PATIENTS if self.consumption_sheet_id is None else UsedFor.ALL
        return self.used_for or every


DETAIL_SORTS = frozenset({"id", "created_at", "product", "quantity", "unit_price", "total"})
