"""Products as rows, and the index in which SQLite looks for words."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, MetaData, Row, Select, bindparam, select, text

from adapters.sql.lists import ListOf
from adapters.sql.table_mapping import TableMapping, TableStore
from adapters.sql.tables import CODE_OR_NONE, CODE_WITHOUT_ZEROS, categories, details, kit_lines, products
from application.views import CategoryView, ProductQuery, ProductView
from domain.product import Product
from domain.text import fold_code, fold_product, product_words, unique_key


def to_row(product: Product) -> dict[str, Any]:
    """A product as a row."""
    return {
        "name": product.name,
        "name_folded": fold_product(product.name),
        "price": product.price,
        "category_id": product.category_id,
        "code": product.code,
        "code_key": None if product.code is None else unique_key(product.code),
        "code_folded": fold_code(product.code or "") or None,
        "gtin": product.gtin,
        "unit": product.unit,
        "active": product.active,
    }


def to_entity(row: Row[Any]) -> Product:
    """A row as a product."""
    return Product(
        id=row.id,
        name=row.name,
        price=row.price,
        category_id=row.category_id,
        code=row.code,
        gtin=row.gtin,
        unit=row.unit,
        active=row.active,
    )


MAPPING = TableMapping(
    products,
    to_row,
    to_entity,
    details.c.product_id,
    kit_lines.c.product_id,
    keys={
        "code": products.c.code_key,
        "code_without_zeros": CODE_WITHOUT_ZEROS,
        "gtin": products.c.gtin,
        "name": products.c.name_folded,
    },
)
_BESIDE = products.to_metadata(MetaData(schema="temp"), name="products_beside")
_MAKE_ROOM = text("CREATE TEMPORARY TABLE IF NOT EXISTS products_beside AS SELECT * FROM products WHERE 0")
# The table beside knows no defaults.
_WRITTEN = [column for column in _BESIDE.c if column.server_default is None]
_MOVE_IN = products.insert().from_select([column.name for column in _WRITTEN], select(*_WRITTEN))


class SqlProducts(TableStore[Product]):
    """The products, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def add_all(self, entities: Sequence[Product]) -> None:
        """Keep new ones, whose ids were reserved.

        On SQLite they go by way of a table beside the others: the word index is filled four times as quickly by one
        statement with many rows as by many statements with one, and who imports holds everybody up.
        """
        if self._connection.dialect.name != "sqlite":
            super().add_all(entities)
            return
        self._connection.execute(_MAKE_ROOM)
        self._connection.execute(_BESIDE.insert(), [{"id": one.id, **to_row(one)} for one in entities])
        self._connection.execute(_MOVE_IN)
        self._connection.execute(_BESIDE.delete())


# In the order in which they are taken apart below.
_COLUMNS = (
    products.c.id, products.c.name, products.c.price, products.c.code, products.c.gtin, products.c.unit,
    products.c.active,
    products.c.category_id, categories.c.code, categories.c.name,
)  # fmt: skip
ALL_PRODUCTS: Select[Any] = select(*_COLUMNS).join_from(products, categories)


def to_view(row: Sequence[Any]) -> ProductView:
    """A row as a product is answered."""
    (
        product_id, name, price, code, gtin, unit,
        active,
        category_id, category_code, category,
        *_,
    ) = row  # fmt: skip
    return ProductView(
        id=product_id,
        name=name,
        price=price,
        category_id=category_id,
        category=CategoryView(id=category_id, code=category_code, name=category),
        code=code,
        gtin=gtin,
        unit=unit,
        active=active,
    )


def _list_of_products(*, full_text: bool) -> ListOf[ProductView, ProductQuery]:
    match = products.c.id.in_(
        select(text("rowid")).select_from(text("products_words")).where(text("products_words MATCH :match"))
    )
    return ListOf[ProductView, ProductQuery](
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
        searched=(products.c.name_folded,),
        to_item=to_view,
        filters={
            "category_id": products.c.category_id == bindparam("category_id"),
            "active": products.c.active == bindparam("active"),
        },
        filters_of=lambda query: {"category_id": query.category_id, "active": query.active},
        words_of=product_words,
        exact=(products.c.code_key, products.c.gtin),
        code=products.c.code_folded,
        match=match if full_text else None,
    )


PRODUCTS_ON_SQLITE = _list_of_products(full_text=True)
PRODUCTS = _list_of_products(full_text=False)
