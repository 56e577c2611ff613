"""Categories."""

from typing import Any

from sqlalchemy import Row, select

from adapters.sql.lists import ListSpec
from adapters.sql.table_mapping import TableMapping
from adapters.sql.tables import categories, products
from application.paging import ListQuery
from application.views.catalogue import CategoryView
from domain.product import Category
from domain.text import fold, unique_key


def to_row(category: Category) -> dict[str, Any]:
    """Return the row of a category."""
    return {
        "code": category.code,
        "code_key": unique_key(category.code),
        "name": category.name,
        "name_folded": fold(category.name),
    }


def to_entity(row: Row[Any]) -> Category:
    """Return the category in a row."""
    return Category(id=row.id, code=row.code, name=row.name)


MAPPING = TableMapping(
    categories,
    to_row,
    to_entity,
    products.c.category_id,
    keys={"code": categories.c.code_key, "name": categories.c.name_folded},
)


CATEGORIES = ListSpec[CategoryView, ListQuery](
    source=select(categories.c.id, categories.c.code, categories.c.name),
    id=categories.c.id,
    order=(categories.c.name_folded, categories.c.id),
    sorts={"id": categories.c.id, "name": categories.c.name_folded, "category_code": categories.c.code_key},
    searched=(categories.c.name_folded,),
    to_item=lambda row: CategoryView(id=row.id, code=row.code, name=row.name),
)
