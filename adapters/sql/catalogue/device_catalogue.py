"""The catalogue for devices."""

from sqlalchemy import Connection, select

from adapters.sql.catalogue.tables import areas, kit_lines, kits, product_codes, product_pictures, products
from adapters.sql.common.tables import installation
from adapters.sql.engine.row_shape import Computed, RowShape
from application.catalogue.device_views import (
    CatalogueArea,
    CatalogueCode,
    CatalogueKit,
    CatalogueKitLine,
    CataloguePicture,
    CatalogueProduct,
    CatalogueView,
)

_PRODUCT = RowShape[CatalogueProduct](
    CatalogueProduct, products, names={"also_called": Computed(list, products.c.also_called)}
)
_PRODUCTS = select(*_PRODUCT.columns).order_by(products.c.id)
_CODE = RowShape[CatalogueCode](CatalogueCode, product_codes, names={"key": product_codes.c.code_key})
_CODES = select(*_CODE.columns).order_by(product_codes.c.id)
_KIT = RowShape[CatalogueKit](CatalogueKit, kits, names={"lines": Computed(list)})
_LINE = RowShape[CatalogueKitLine](CatalogueKitLine, kit_lines)
_KITS = (
    select(*_KIT.columns, *_LINE.columns)
    .join_from(kits, kit_lines)
    .where(kits.c.user_id.is_(None), kits.c.active)
    .order_by(kits.c.id, kit_lines.c.place)
)
_PICTURE = RowShape[CataloguePicture](CataloguePicture, product_pictures)
_PICTURES = select(*_PICTURE.columns).order_by(product_pictures.c.product_id)
_AREA = RowShape[CatalogueArea](CatalogueArea, areas)
_AREAS = select(*_AREA.columns).order_by(areas.c.id)
_INSTALLATION = select(installation.c.number)


def read_installation_number(connection: Connection) -> int:
    """Return the number of this installation."""
    return int(connection.execute(_INSTALLATION).scalar_one())


def read_catalogue(connection: Connection) -> CatalogueView:
    """Read the catalogue with six statements."""
    found: dict[int, CatalogueKit] = {}
    for row in connection.execute(_KITS):
        kit = found.setdefault(row[0], _KIT.read(row))
        kit.lines.append(_LINE.read(row[len(_KIT.columns) :]))
    return CatalogueView(
        products=[_PRODUCT.read(row) for row in connection.execute(_PRODUCTS)],
        codes=[_CODE.read(row) for row in connection.execute(_CODES)],
        kits=[*found.values()],
        areas=[_AREA.read(row) for row in connection.execute(_AREAS)],
        pictures=[_PICTURE.read(row) for row in connection.execute(_PICTURES)],
        installation=read_installation_number(connection),
    )
