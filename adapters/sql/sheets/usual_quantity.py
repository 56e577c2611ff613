"""Usual quantity of a product, with the index of its latest details."""

from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    ScalarSelect,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
)

from adapters.sql.engine.columns import MONEY, QUANTITY
from adapters.sql.sheets.tables import details, is_for_patient
from domain.sheets.anomalies import FAR_OUT_WITHOUT_USUAL, MEDIAN_RANK, OUTLIER_FACTOR, SAMPLE_SIZE


def usual_quantity_of(product_id: Any, source: FromClause, *, in_areas: bool = False) -> ScalarSelect[Any]:
    """Select ``domain.sheets.anomalies.usual_quantity`` of a product.

    It is that of patients, or that ``in_areas``, where other quantities are usual. ``product_id`` is a column of
    ``source``, or a parameter.
    """
    known = details.alias("known")
    is_of_kind = not_(is_for_patient(known)) if in_areas else is_for_patient(known)
    latest = (
        select(known.c.quantity)
        .where(known.c.product_id == product_id, known.c.voided_at.is_(None), is_of_kind)
        .order_by(known.c.id.desc())
        .limit(literal_column(str(SAMPLE_SIZE)))
        .correlate(source)
        .subquery("ranked")
    )
    return (
        select(latest.c.quantity)
        .order_by(latest.c.quantity)
        .limit(literal_column("1"))
        .offset(literal_column(str(MEDIAN_RANK - 1)))
        .scalar_subquery()
    )


def is_far_out(
    quantity: ColumnElement[Any], total: ColumnElement[Any], usual: ColumnElement[Any]
) -> ColumnElement[Any]:
    """Return the condition ``domain.sheets.anomalies.far_out``.

    Its parameter is ``ask_above_total``.
    """
    has_usual = func.coalesce(usual, literal_column("0")) > literal_column("0")
    return or_(
        # The factor is no quantity: it must not be scaled as one.
        and_(has_usual, quantity > usual * literal_column(str(OUTLIER_FACTOR))),
        and_(
            not_(has_usual),
            or_(
                quantity > literal(Decimal(FAR_OUT_WITHOUT_USUAL), QUANTITY),
                # Nothing is greater than an unknown limit (null).
                total > bindparam("ask_above_total", type_=MONEY),
            ),
        ),
    )
