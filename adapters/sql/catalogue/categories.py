"""Categories."""

from sqlalchemy import select

from adapters.sql.catalogue.tables import categories, products
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import RowShape
from adapters.sql.engine.table_mapping import TableMapping
from application.catalogue.views import CategoryView
from application.common.paging import ListQuery
from domain.catalogue.product import Category
from domain.common.text import code_key, fold

MAPPING = TableMapping[Category](
    categories,
    Category,
    products.c.category_id,
    keys={"code": categories.c.code_key, "name": categories.c.name_folded},
    written={
        "code_key": lambda category: code_key(category.code),
        "name_folded": lambda category: fold(category.name),
    },
)

CATEGORY_VIEW = RowShape[CategoryView](CategoryView, categories)

CATEGORIES = ListSpec[CategoryView, ListQuery](
    source=select(*CATEGORY_VIEW.columns),
    id=categories.c.id,
    order=(categories.c.name_folded, categories.c.id),
    sorts={"id": categories.c.id, "name": categories.c.name_folded, "category_code": categories.c.code_key},
    searched=(categories.c.name_folded,),
    to_item=CATEGORY_VIEW.read,
)
