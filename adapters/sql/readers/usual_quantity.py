"""Usual quantity of a product, with the index of its latest details."""

from typing import Any

from sqlalchemy import FromClause, ScalarSelect, select

from adapters.sql.tables import details
from domain.anomalies import MEDIAN_RANK, SAMPLE_SIZE


def usual_quantity_of(product_id: Any, source: FromClause) -> ScalarSelect[Any]:
    """Select ``domain.anomalies.usual_quantity`` of a product.

    ``product_id`` is a column of ``source``, or a parameter.
    """
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
