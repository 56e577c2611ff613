"""Read codes, packs and prices of products."""

from collections.abc import Collection
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol

from application.catalogue.pack_views import RecallInForceView, SerialUsedView
from application.catalogue.views import (
    KitProductView,
    KitQuery,
    KitView,
    ProductQuery,
    ProductView,
    TypedProductView,
    UnknownCodeView,
)
from application.common.views import View
from domain.catalogue.kit_review import ProductUse


class KnownCode(NamedTuple):
    """A product that a code may mean, with the code's system and units."""

    product: ProductView
    system: str
    units: Decimal
    label: str | None


class Packs(Protocol):
    """Products by their codes, and the history of packs."""

    def known(
        self, *, gtin: str | None, hibc: Collection[str], code: str | None, any_code: str | None
    ) -> list[KnownCode]:
        """Return the products with one of these codes.

        ``gtin`` has 14 digits. ``code`` is the hospital's code, ``any_code`` one of any system.
        """

    def recall(self, product_id: int, lot_key: str | None) -> RecallInForceView | None:
        """Return the recall in force that covers the pack."""

    def serial_used(self, product_id: int, serial: str | None) -> SerialUsedView | None:
        """Return where that serial number of the product was used."""

    def unknown(self, *, most: int) -> list[UnknownCodeView]:
        """Return scanned codes without a product, the latest first.

        A patient's number is never among them.
        """

    def typed(self, *, since: date, area_id: int | None, most: int) -> list[TypedProductView]:
        """Return active products with a code that were chosen by name, by area.

        They are those of lines since a day, the most frequent first.
        """


class PriceChange(NamedTuple):
    """A price of a product since a moment, and the user who set it.

    ``before`` is None for the first price.
    """

    at: datetime
    user_id: int | None
    imported: bool
    before: Decimal | None
    after: Decimal


class KitUses(NamedTuple):
    """The number of uses of a kit, and what they recorded of each product."""

    uses: int
    of_products: list[ProductUse]
    products: list[KitProductView]


class KitsReader(View[KitView, KitQuery], Protocol):
    def uses(self, kit_id: int, *, since: date) -> KitUses:
        """Return what was recorded with a kit since a day.

        Voided lines do not count.
        """


class ProductsReader(View[ProductView, ProductQuery], Protocol):
    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Return products with similar names, the best match first.

        Only products that match the filters are searched.
        """
