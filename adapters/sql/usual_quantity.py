"""A product's usual quantity, found by an index that leads to its latest details."""

from typing import Any

from sqlalchemy import FromClause, ScalarSelect, select

from adapters.sql.tables import details
from domain.anomalies import MEDIAN_RANK, SAMPLE_SIZE


def usual_quantity_of(product_id: Any, source: FromClause) -> ScalarSelect[Any]:
    """Return ``domain.anomalies.usual_quantity`` of the product of a row of ``source``, or of a parameter."""
    known = details.alias("known")
    latest = (
        select(known.c.quantity)
        .where(known.c.product_id == product_id, known.c.voided_at.is_(None))
        .order_by(known.c.id.desc())
        .limit(SAMPLE_SIZE)
        .correlate(source)
        .subquery("latest_quantities")
    )
    return select(latest.c.quantity).order_by(latest.c.quantity).limit(1).offset(MEDIAN_RANK - 1).scalar_subquery()
