"""The catalogue for devices."""

from itertools import groupby

from sqlalchemy import Connection, select

from adapters.sql.catalogue.tables import areas, kit_lines, kits, product_codes, product_pictures, products
from adapters.sql.common.tables import installation
from application.catalogue.device_views import (
    CatalogueArea,
    CatalogueCode,
    CatalogueKit,
    CatalogueKitLine,
    CataloguePicture,
    CatalogueProduct,
    CatalogueView,
)

_PRODUCTS = select(*(products.c[name] for name in CatalogueProduct._fields)).order_by(products.c.id)
_CODES = select(
    product_codes.c.product_id,
    product_codes.c.system,
    product_codes.c.code_key,
    product_codes.c.units,
    product_codes.c.label,
).order_by(product_codes.c.id)
_KITS = (
    select(kits.c.id, kits.c.name, kits.c.area_id, kit_lines.c.product_id, kit_lines.c.quantity, kit_lines.c.optional)
    .join_from(kits, kit_lines)
    .where(kits.c.user_id.is_(None), kits.c.active)
    .order_by(kits.c.id, kit_lines.c.place)
)
_PICTURES = select(product_pictures.c.product_id, product_pictures.c.digest).order_by(product_pictures.c.product_id)
_INSTALLATION = select(installation.c.number)
_AREAS = select(areas.c.id, areas.c.name).order_by(areas.c.id)


def read_installation_number(connection: Connection) -> int:
    """Return the number of this installation."""
    return int(connection.execute(_INSTALLATION).scalar_one())


def read_catalogue(connection: Connection) -> CatalogueView:
    """Read the catalogue with six statements."""
    kit_rows = groupby(connection.execute(_KITS), key=lambda row: (row.id, row.name, row.area_id))
    return CatalogueView(
        products=[
            CatalogueProduct._make([*row[:-2], list(row.also_called), row.implant])
            for row in connection.execute(_PRODUCTS)
        ],
        codes=[CatalogueCode(*row) for row in connection.execute(_CODES)],
        kits=[CatalogueKit(*kit, lines=[CatalogueKitLine(*row[3:]) for row in rows]) for kit, rows in kit_rows],
        areas=[CatalogueArea(*row) for row in connection.execute(_AREAS)],
        pictures=[CataloguePicture(*row) for row in connection.execute(_PICTURES)],
        installation=read_installation_number(connection),
    )
