"""Recalls."""

from sqlalchemy import bindparam, case, func, literal, select

from adapters.sql.catalogue.products import PRODUCT_NAME
from adapters.sql.catalogue.tables import products, recalls, set_aside
from adapters.sql.engine.columns import QUANTITY
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import RowShape, is_set
from adapters.sql.engine.table_mapping import TableMapping
from application.catalogue.views import RecallQuery, RecallView
from domain.catalogue.recall import Recall
from domain.common.money import ZERO_QUANTITY
from domain.common.text import code_key, product_words

MAPPING = TableMapping[Recall](
    recalls,
    Recall,
    keys={"product_id": recalls.c.product_id},
    written={"lot_key": lambda recall: code_key(recall.lot) if recall.lot else None},
)


_SET_ASIDE = (
    select(func.coalesce(func.sum(set_aside.c.quantity, type_=QUANTITY), literal(ZERO_QUANTITY, type_=QUANTITY)))
    .where(set_aside.c.recall_id == recalls.c.id)
    .correlate(recalls)
    .scalar_subquery()
    .label("set_aside")
)


_IS_CLOSED = case((recalls.c.closed_at.is_(None), literal(False)), else_=literal(True))

_RECALL = RowShape[RecallView](
    RecallView,
    recalls,
    names={
        "product": PRODUCT_NAME,
        "closed": is_set(recalls.c.closed_at),
        "set_aside": _SET_ASIDE,
    },
)

RECALLS = ListSpec[RecallView, RecallQuery](
    source=select(*_RECALL.columns).join_from(recalls, products),
    id=recalls.c.id,
    order=(recalls.c.id.desc(),),
    sorts={"id": recalls.c.id, "product": products.c.name_folded, "opened_at": recalls.c.opened_at},
    searched=(products.c.name_folded,),
    words_of=product_words,
    to_item=_RECALL.read,
    filters={
        "product_id": recalls.c.product_id == bindparam("product_id"),
        "closed": bindparam("closed") == _IS_CLOSED,
    },
    filters_of=lambda query: {"product_id": query.product_id, "closed": query.closed},
)
