"""Views of a reconciliation: what a store handed out beside what was recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypedDict

from domain.common.errors import Reason


class ReconciliationRowView(TypedDict):
    """What was handed out to an area and recorded there, of one product.

    ``treatment``, ``area_use`` and ``wasted`` are quantities as they were recorded, ``returned`` what came back of
    them. Together they are ``recorded``; ``difference`` is what no line explains. ``area_id`` and ``product_id`` are
    null if the file has something that Consumo does not know. Then nothing can have been recorded: these are null.
    """

    area_id: int | None
    area: str
    product_id: int | None
    code: str | None
    product: str
    unit: str | None
    handed_out: Decimal
    treatment: Decimal | None
    area_use: Decimal | None
    wasted: Decimal | None
    returned: Decimal | None
    recorded: Decimal | None
    difference: Decimal | None


@dataclass(frozen=True, slots=True)
class DoubtfulRow:
    """A row of the file to check; ``counts`` if its quantity is in the report."""

    line: int
    counts: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """All rows, the largest difference first, and the doubtful rows.

    ``left_out`` counts the rows that the user left out, and those of other areas.
    """

    since: date
    until: date
    items: Sequence[ReconciliationRowView]
    doubts: Sequence[DoubtfulRow]
    counted: int
    left_out: int
