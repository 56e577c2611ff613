"""The catalogue as devices keep it."""

from dataclasses import fields
from decimal import Decimal
from typing import NamedTuple, TypedDict

from domain.catalogue.product import Product


class CatalogueProduct(NamedTuple):
    """A product in the catalogue for devices."""

    id: int
    name: str
    code: str | None
    unit: str | None
    decimals: int
    asks_lot: bool
    asks_serial: bool
    active: bool
    also_called: list[str]
    implant: bool


# All other fields are in the catalogue. Some users may not see prices and categories, and the GTIN is one of the codes.
# Accounts with plain names need the network.
_NOT_ON_DEVICES = {"price", "included_in_stay", "category_id", "gtin", "plain_name"}
if forgotten := {field.name for field in fields(Product)} - {*CatalogueProduct._fields} - _NOT_ON_DEVICES:
    raise TypeError(f"neither in the catalogue for devices nor left out: {forgotten}")


class CatalogueCode(NamedTuple):
    """A product code in the catalogue, with its comparison ``key``.

    The key of a GTIN has 14 digits.
    """

    product_id: int
    system: str
    key: str
    units: Decimal
    label: str | None


class CatalogueKitLine(NamedTuple):
    """A line of a kit."""

    product_id: int
    quantity: Decimal
    optional: bool


class CatalogueKit(NamedTuple):
    """A kit of the hospital, with its lines in order."""

    id: int
    name: str
    area_id: int | None
    lines: list[CatalogueKitLine]


class CatalogueArea(NamedTuple):
    """An area in the catalogue for devices."""

    id: int
    name: str


class CataloguePicture(NamedTuple):
    """The picture of a product in the catalogue, by its digest."""

    product_id: int
    digest: str


class CatalogueView(TypedDict):
    """The catalogue that devices store for work without network.

    It is the same for all users, without prices and categories. Each list is sorted by id. Objects are arrays without
    field names, to save space; the order of the fields is fixed. ``installation`` is the number in Consumo's labels.
    """

    products: list[CatalogueProduct]
    codes: list[CatalogueCode]
    kits: list[CatalogueKit]
    areas: list[CatalogueArea]
    pictures: list[CataloguePicture]
    installation: int


class VersionedCatalogueView(CatalogueView):
    """The catalogue with its version, which is its ETag."""

    version: int
