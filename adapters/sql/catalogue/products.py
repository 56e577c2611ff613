"""Products, and their full-text index on SQLite."""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Select, String, and_, bindparam, exists, literal_column, or_, select, text

from adapters.sql.catalogue.categories import CATEGORY_VIEW
from adapters.sql.catalogue.tables import (
    CODE_OR_NONE,
    CODE_WITHOUT_ZEROS,
    categories,
    favourites,
    kit_lines,
    product_codes,
    product_pictures,
    products,
    recalls,
    set_aside,
)
from adapters.sql.engine.columns import QUANTITY
from adapters.sql.engine.in_array import is_one_of
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.sheets.tables import details
from application.catalogue.device_views import CatalogueProduct
from application.catalogue.views import KitProductView, ProductNameView, ProductQuery, ProductView
from domain.catalogue.product import ONE, Product, gtin_key
from domain.common.text import code_key, fold_code, fold_product, product_words

MAPPING = TableMapping[Product](
    products,
    Product,
    details.c.product_id,
    recalls.c.product_id,
    set_aside.c.product_id,
    kit_lines.c.product_id,
    keys={
        "code": products.c.code_key,
        "code_without_zeros": CODE_WITHOUT_ZEROS,
        "gtin": products.c.gtin,
        "name": products.c.name_folded,
    },
    written={
        "name_folded": lambda product: fold_product(product.name),
        "code_key": lambda product: None if product.code is None else code_key(product.code),
        "code_folded": lambda product: fold_code(product.code or "") or None,
        "also_called_folded": lambda product: "\n".join(map(fold_product, product.also_called)),
    },
)

_IS_GTIN = product_codes.c.system == literal_column("'gtin'")
_BY_GTIN = select(products).where(
    products.c.id.in_(
        select(product_codes.c.product_id).where(
            _IS_GTIN, product_codes.c.code_key.in_(bindparam("values", expanding=True))
        )
    )
)
_LOCKED_BY_GTIN = _BY_GTIN.with_for_update(key_share=True)
# Columns that devices store.
_KEPT_BY_DEVICES = tuple(name for name in CatalogueProduct._fields if name != "id")
_BEFORE = select(products.c.id, products.c.gtin, *(products.c[name] for name in _KEPT_BY_DEVICES)).where(
    products.c.id.in_(bindparam("ids", expanding=True))
)


def adding_own_codes(product_id: Any, code: Any, code_key: Any) -> tuple[list[str], Select[Any]]:
    """Return columns and select for adding products' own GTINs as codes."""
    # The product may have it as the code of a pack.
    is_there = exists().where(product_codes.c.product_id == product_id, _IS_GTIN, product_codes.c.code_key == code_key)
    units = bindparam("units", ONE, type_=QUANTITY)
    filled = select(product_id, literal_column("'gtin'"), code, code_key, units).where(~is_there)
    return ["product_id", "system", "code", "code_key", "units"], filled


_ADD_CODE = product_codes.insert().from_select(
    *adding_own_codes(
        bindparam("product_id", type_=products.c.id.type),
        bindparam("code", type_=String()),
        bindparam("code_key", type_=String()),
    )
)
_TAKE_CODE_OFF = product_codes.delete().where(
    product_codes.c.product_id == bindparam("of_product"), _IS_GTIN, product_codes.c.code_key == bindparam("old_key")
)
_DELETE_PINS = favourites.delete().where(favourites.c.product_id.in_(bindparam("ids", expanding=True)))


def own_codes(entities: Iterable[Product]) -> list[dict[str, Any]]:
    """Return the rows of codes for products' own GTINs."""
    keys = ((one.id, gtin_key(one.gtin)) for one in entities if one.gtin)
    return [{"product_id": product_id, "code": key, "code_key": key} for product_id, key in keys]


def removed_codes(before: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the codes of GTINs that products no longer have."""
    return [{"of_product": one.id, "old_key": gtin_key(one.gtin)} for one in before if one.gtin]


def take_codes_off(connection: Connection, codes: Sequence[dict[str, Any]]) -> None:
    """Delete codes of products."""
    if codes:
        connection.execute(_TAKE_CODE_OFF, codes)


def changes_device_catalogue(before: Any, after: Product) -> bool:
    """Return whether a change affects the catalogue on devices."""
    return bool(before.gtin != after.gtin) or any(
        getattr(before, name) != getattr(after, name) for name in _KEPT_BY_DEVICES
    )


class SqlProducts(TableStore[Product]):
    """Products within a unit of work.

    A product's GTIN is also stored as one of its codes. ``change_catalogue`` is called after changes of the catalogue
    on devices. Prices are not part of it: the version must not reveal a change of price to users who may not see
    prices.
    """

    def __init__(self, connection: Connection, change_catalogue: Callable[[], None]) -> None:
        super().__init__(connection, MAPPING)
        self._change_catalogue = change_catalogue

    def find(self, key: str, value: Hashable) -> Product | None:
        return next(iter(self.find_many(key, [value])), None) if key == "gtin" else super().find(key, value)

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Product]:
        """Return products by key, in order of id.

        A GTIN has 14 digits, and may be that of a pack.
        """
        if key != "gtin":
            return super().find_many(key, values, locked=locked)
        found = self._connection.execute(_LOCKED_BY_GTIN if locked else _BY_GTIN, {"values": list(values)})
        return sorted(map(MAPPING.to_entity, found), key=lambda product: product.id)

    def add(self, entity: Product) -> None:
        """Insert a product with its own code, and set its id."""
        super().add(entity)
        self._keep_gtins([entity])
        self._change_catalogue()

    def save(self, entity: Product) -> None:
        """Update a product and its own code."""
        changed = self._with_another_gtin([entity])
        super().save(entity)
        self._keep_gtins(changed)

    def save_all(self, entities: Sequence[Product]) -> None:
        """Update products and their own codes."""
        changed = self._with_another_gtin(entities)
        super().save_all(entities)
        self._keep_gtins(changed)

    def remove(self, entity: Product) -> None:
        """Delete a product and its pins."""
        self._connection.execute(_DELETE_PINS, {"ids": [entity.id]})
        super().remove(entity)
        self._change_catalogue()

    def remove_all(self, ids: Collection[int]) -> None:
        """Delete products and their pins."""
        if ids:
            self._connection.execute(_DELETE_PINS, {"ids": list(ids)})
            self._change_catalogue()
        super().remove_all(ids)

    def _with_another_gtin(self, entities: Sequence[Product]) -> list[Product]:
        """Return entities whose GTIN changes, and delete their old codes."""
        if not entities:
            return []
        before = {row.id: row for row in self._connection.execute(_BEFORE, {"ids": [one.id for one in entities]})}
        changed = [one for one in entities if before[one.id].gtin != one.gtin]
        if any(changes_device_catalogue(before[one.id], one) for one in entities):
            self._change_catalogue()
        take_codes_off(self._connection, removed_codes(before[one.id] for one in changed))
        return changed

    def _keep_gtins(self, entities: Sequence[Product]) -> None:
        codes = own_codes(entities)
        if codes:
            self._connection.execute(_ADD_CODE, codes)

    def add_all(self, entities: Sequence[Product]) -> None:
        """Insert products with reserved ids."""
        super().add_all(entities)
        self._keep_gtins(entities)
        if entities:
            self._change_catalogue()


_PLAIN_NAMES = select(products.c.id, products.c.plain_name).where(
    products.c.plain_name.is_not(None), products.c.id.in_(bindparam("ids", expanding=True))
)


def read_plain_names(connection: Connection, product_ids: Collection[int]) -> dict[int, str]:
    """Return the plain names of products."""
    rows = connection.execute(_PLAIN_NAMES, {"ids": sorted(product_ids)})
    return {row.id: row.plain_name for row in rows}


_PICTURE = (
    select(product_pictures.c.digest)
    .where(product_pictures.c.product_id == products.c.id)
    .scalar_subquery()
    .label("picture")
)
PRODUCT_VIEW = RowShape[ProductView](
    ProductView,
    products,
    names={"category": CATEGORY_VIEW, "also_called": Computed(list, products.c.also_called), "picture": _PICTURE},
)
PRODUCT_NAME = RowShape[ProductNameView](ProductNameView, products)
# For lists that do not mark implants.
PLAIN_PRODUCT = RowShape[KitProductView](KitProductView, products, omitted={"implant"})
ALL_PRODUCTS: Select[Any] = select(*PRODUCT_VIEW.columns).join_from(products, categories)


def _list_of_products(*, full_text: bool) -> ListSpec[ProductView, ProductQuery]:
    match = products.c.id.in_(
        select(text("rowid")).select_from(text("products_words")).where(text("products_words MATCH :match"))
    )
    code_match = products.c.id.in_(
        select(text("rowid"))
        .select_from(text("products_words_code"))
        .where(text("products_words_code MATCH :code_match"))
    )
    return ListSpec[ProductView, ProductQuery](
        source=ALL_PRODUCTS,
        id=products.c.id,
        order=(products.c.name_folded, products.c.id),
        sorts={
            "id": products.c.id,
            "name": products.c.name_folded,
            "price": products.c.price,
            "category": categories.c.name_folded,
            "code": CODE_OR_NONE,
        },
        searched=(products.c.name_folded, products.c.also_called_folded),
        to_item=PRODUCT_VIEW.read,
        filters={
            "category_id": products.c.category_id == bindparam("category_id"),
            "active": products.c.active == bindparam("active"),
            "implant": products.c.implant == bindparam("implant"),
            "included_in_stay": products.c.included_in_stay == bindparam("included_in_stay"),
            "plain_name": products.c.plain_name.is_(None),
        },
        filters_of=lambda query: {
            "category_id": query.category_id,
            "active": query.active,
            "implant": query.implant,
            "included_in_stay": query.included_in_stay,
            "plain_name": query.plain_name,
        },
        words_of=product_words,
        exact=(products.c.code_key, products.c.gtin),
        known_as=is_one_of(
            products.c.id,
            select(product_codes.c.product_id).where(
                or_(
                    and_(_IS_GTIN, product_codes.c.code_key == bindparam("gtin")),
                    product_codes.c.code_key == bindparam("exactly"),
                )
            ),
        ),
        code=products.c.code_folded,
        code_match=code_match if full_text else None,
        match=match if full_text else None,
    )


PRODUCTS_ON_SQLITE = _list_of_products(full_text=True)
PRODUCTS = _list_of_products(full_text=False)
