"""A product's usual quantity, found by an index that leads to its latest details."""

from typing import Any

from sqlalchemy import FromClause, ScalarSelect, select

from adapters.sql.tables import details
from domain.unusual import USUAL_AMONG, USUAL_RANK


def usual_quantity_of(product_id: Any, source: FromClause) -> ScalarSelect[Any]:
    """Return ``domain.unusual.usual_quantity`` of a product that is named by a row of ``source``, or by a parameter."""
    known = details.alias("known")
    latest = (
        select(known.c.quantity)
        .where(known.c.product_id == product_id, known.c.voided_at.is_(None))
        .order_by(known.c.id.desc())
        .limit(USUAL_AMONG)
        .correlate(source)
        .subquery("latest_quantities")
    )
    return select(latest.c.quantity).order_by(latest.c.quantity).limit(1).offset(USUAL_RANK - 1).scalar_subquery()
