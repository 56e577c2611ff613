"""Views and list queries of the catalogue: areas, products, rooms, kits, recalls."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, NotRequired, TypedDict

from application.common.paging import ListQuery, Meta
from application.common.redaction import Price, Redacted
from application.people.views import PersonView
from domain.catalogue.kit_review import KitAction
from domain.catalogue.product import CodeSystem


class AreaView(TypedDict):
    """An area.

    If it is read alone, it has its ``code`` in the hospital's system.
    """

    id: int
    name: str
    code: NotRequired[str | None]


class CategoryView(TypedDict):
    """A category, without its code for users who may not see prices."""

    id: int
    code: NotRequired[Annotated[str, Redacted.FIELD]]
    name: str


class ProductView(TypedDict):
    """A product.

    Users who may not see prices get no price, no category code, and not whether it is charged. ``decimals`` is the
    maximum number of decimals of its quantities. ``asks_lot`` and ``asks_serial`` say whether recording asks for them;
    of an ``implant``, it asks for both, or why one is missing. ``also_called`` are other names by which it is found.
    ``plain_name`` is its name on a family's account. ``picture`` is the digest of its picture.
    """

    id: int
    name: str
    price: NotRequired[Price]
    category_id: int
    category: CategoryView
    code: str | None
    gtin: str | None
    unit: str | None
    active: bool
    decimals: int
    asks_lot: bool
    asks_serial: bool
    implant: bool
    included_in_stay: NotRequired[Annotated[bool, Redacted.FIELD]]
    also_called: list[str]
    plain_name: str | None
    picture: str | None


class ProductCodeView(TypedDict):
    """A product's code in a code system.

    A pack with the code contains ``units`` of the product.
    """

    id: int
    product_id: int
    system: CodeSystem
    code: str
    units: Decimal
    label: str | None


class ProductCodesView(TypedDict):
    """The codes of a product, by system."""

    items: list[ProductCodeView]


class TypedNameView(TypedDict):
    """A text that users typed in vain before they chose the product."""

    id: int
    text: str
    times: int
    last_at: datetime


class TypedNamesView(TypedDict):
    """The proposals for other names of a product, by frequency."""

    items: list[TypedNameView]


class PriceChangeView(TypedDict):
    """A price of a product since a moment.

    ``by`` is the user who set it. ``imported`` says whether that was by an import.
    """

    at: datetime
    by: str | None
    imported: bool
    previous_price: NotRequired[Price | None]
    price: NotRequired[Price]


class PriceHistoryView(TypedDict):
    """The prices of a product, the latest first."""

    items: list[PriceChangeView]


class UnknownCodeView(TypedDict):
    """A scanned code that no product has."""

    system: str
    code: str
    times: int
    last_at: datetime


class UnknownCodesView(TypedDict):
    """The codes that no product has, the latest scanned first."""

    items: list[UnknownCodeView]


class RoomSheetView(TypedDict):
    """An open sheet in a room: the patient, and since when."""

    id: int
    patient: PersonView
    admission_date: date


class RoomView(TypedDict):
    """A room; ``status`` and ``type`` use the same numbers.

    They are 1 available, 2 occupied, 3 cleaning, 4 out of service. ``sheets`` are the open sheets in it, the longest
    admitted first. ``code`` is its code in the hospital's system.
    """

    id: int
    name: str
    code: str | None
    status: int
    type: int
    area_id: int
    area: AreaView
    sheets: list[RoomSheetView]


class RoomRangesView(TypedDict):
    """The names of rooms that are created, and of those that exist."""

    created: list[str]
    existing: list[str]


class TypedProductView(TypedDict):
    """How often lines of an area chose a product by its name.

    ``scanned`` is how often they chose it by its code. ``area`` is null for lines without one.
    """

    product: "KitProductView"
    area: AreaView | None
    typed: int
    scanned: int


class TypedProductsView(TypedDict):
    """Products with a code that are chosen by name most, since a day."""

    since: date
    items: list[TypedProductView]


class KitProductView(TypedDict):
    """A product in a kit.

    It has no price, because a recorded line gets the price at that time. ``implant`` is present, and true, for an
    implant.
    """

    id: int
    code: str | None
    name: str
    unit: str | None
    active: bool
    implant: NotRequired[bool]


class KitLineView(TypedDict):
    """A line of a kit. An ``optional`` product is usually not used."""

    product_id: int
    product: KitProductView
    quantity: Decimal
    optional: bool


class KitView(TypedDict):
    """A kit with its lines. ``version`` is its ETag.

    ``user_id`` is the owner of an ``own`` kit. It is null for the hospital's kits.
    """

    id: int
    name: str
    area_id: int | None
    area: AreaView | None
    own: bool
    user_id: int | None
    lines: list[KitLineView]
    version: int


class KitProposalView(TypedDict):
    """A proposed change of a kit.

    ``action`` is add, change or remove. ``quantity`` and ``optional`` are those of the resulting line; null if it is
    removed.
    """

    action: KitAction
    quantity: Decimal | None
    optional: bool | None


class KitReviewItemView(TypedDict):
    """What the uses of a kit recorded of a product.

    ``quantity`` and ``optional`` are null unless it is ``in_kit``. It was used in ``used_in`` uses, the ``median`` of
    the quantities that were kept and not thrown away; null if there are none. Of ``recorded``, ``returned`` came back
    and ``wasted`` was thrown away.
    """

    product: KitProductView
    in_kit: bool
    quantity: Decimal | None
    optional: bool | None
    used_in: int
    median: Decimal | None
    recorded: Decimal
    returned: Decimal
    wasted: Decimal
    proposal: KitProposalView | None


class KitReviewView(TypedDict):
    """A kit compared with its ``uses`` since a day.

    The kit's products come first. With fewer than 20 uses nothing is proposed.
    """

    since: date
    uses: int
    items: list[KitReviewItemView]


class ProductPage(TypedDict):
    """A page of products.

    ``nearest`` are products with similar names, if the search finds none.
    """

    items: list[ProductView]
    nearest: NotRequired[list[ProductView]]
    meta: Meta


class RecallView(TypedDict):
    """A recall of a lot, or of a whole product if ``lot`` is null.

    ``set_aside`` is the quantity that was taken out of use.
    """

    id: int
    product_id: int
    product: "ProductNameView"
    lot: str | None
    reason: str
    opened_at: datetime
    opened_by: int
    closed: bool
    closed_at: datetime | None
    set_aside: Decimal


class SetAsideView(TypedDict):
    """Units of a recalled lot that were taken out of use, and not charged.

    ``by`` is the name of the user. ``room`` and ``area`` are null if they are not known.
    """

    id: int
    recall_id: int
    product_id: int
    lot: str | None
    quantity: Decimal
    at: datetime
    user_id: int
    by: str | None
    room_id: int | None
    room: str | None
    area_id: int | None
    area: str | None


class SetAsideListView(TypedDict):
    """The units of a recall that were set aside, and their total quantity."""

    items: list[SetAsideView]
    quantity: Decimal


class ProductNameView(TypedDict):
    """A product, by name and code: several products may share a name."""

    id: int
    name: str
    code: str | None
    unit: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery(ListQuery):
    """A query for recalls.

    ``q`` searches the names of products. ``closed`` selects closed recalls, or those in force.
    """

    product_id: int | None = None
    closed: bool | None = None


class PlainNameFilter(StrEnum):
    """A filter of products by their plain names."""

    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductQuery(ListQuery):
    """A query for products.

    ``q`` searches names. An exact code or GTIN comes first. ``plain_name`` selects products without one.
    """

    category_id: int | None = None
    active: bool | None = None
    implant: bool | None = None
    included_in_stay: bool | None = None
    plain_name: PlainNameFilter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomQuery(ListQuery):
    """A query for rooms."""

    area_id: int | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KitQuery(ListQuery):
    """A query for kits of the hospital and of ``user_id``.

    ``area_id`` selects the hospital's kits of that area and of no area. ``own`` selects only those of ``user_id``, or
    only the hospital's. Inactive kits are in no list.
    """

    area_id: int | None = None
    own: bool | None = None
    user_id: int = 0
    active: bool = True


PRODUCT_SORTS = frozenset({"id", "name", "price", "category", "code"})

RECALL_SORTS = frozenset({"id", "product", "opened_at"})

CATEGORY_SORTS = frozenset({"id", "name", "category_code"})

AREA_SORTS = frozenset({"id", "name"})

ROOM_SORTS = frozenset({"id", "name", "area", "status", "type"})

KIT_SORTS = frozenset({"id", "name"})
