"""Recalls."""

from typing import Any

from sqlalchemy import Row, bindparam, case, func, literal, select

from adapters.sql.catalogue.tables import products, recalls, set_aside
from adapters.sql.engine.columns import QUANTITY
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.table_mapping import TableMapping
from application.catalogue.views import ProductNameView, RecallQuery, RecallView
from domain.catalogue.recall import Recall
from domain.common.money import ZERO_QUANTITY
from domain.common.text import code_key, product_words

MAPPING = TableMapping[Recall](
    recalls,
    Recall,
    keys={"product_id": recalls.c.product_id},
    written={"lot_key": lambda recall: code_key(recall.lot) if recall.lot else None},
)


def _to_view(row: Row[Any]) -> RecallView:
    return RecallView(
        id=row.id,
        product_id=row.product_id,
        product=ProductNameView(id=row.product_id, name=row.name, code=row.code, unit=row.unit),
        lot=row.lot,
        reason=row.reason,
        opened_at=row.opened_at,
        opened_by=row.opened_by,
        closed=row.closed_at is not None,
        closed_at=row.closed_at,
        set_aside=row.set_aside,
    )


_SET_ASIDE = (
    select(func.coalesce(func.sum(set_aside.c.quantity, type_=QUANTITY), literal(ZERO_QUANTITY, type_=QUANTITY)))
    .where(set_aside.c.recall_id == recalls.c.id)
    .correlate(recalls)
    .scalar_subquery()
    .label("set_aside")
)


_IS_CLOSED = case((recalls.c.closed_at.is_(None), literal(False)), else_=literal(True))

RECALLS = ListSpec[RecallView, RecallQuery](
    source=select(recalls, products.c.name, products.c.code, products.c.unit, _SET_ASIDE).join_from(recalls, products),
    id=recalls.c.id,
    order=(recalls.c.id.desc(),),
    sorts={"id": recalls.c.id, "product": products.c.name_folded, "opened_at": recalls.c.opened_at},
    searched=(products.c.name_folded,),
    words_of=product_words,
    to_item=_to_view,
    filters={
        "product_id": recalls.c.product_id == bindparam("product_id"),
        "closed": bindparam("closed") == _IS_CLOSED,
    },
    filters_of=lambda query: {"product_id": query.product_id, "closed": query.closed},
)
