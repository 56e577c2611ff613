"""The answer of a reconciliation: the largest differences, and rows to check."""

from datetime import date
from itertools import islice
from typing import TypedDict

from adapters.i18n import messages
from application.reports.reconciliation_views import Reconciliation, ReconciliationRowView

# The workbook has all of them.
_MAX_ITEMS = 1_000
_MAX_DOUBTS = 500


class DoubtfulLine(TypedDict):
    """A row of the file to check; ``counts`` if its quantity is in the report."""

    line: int
    counts: bool
    messages: list[str]


class ReconciliationPeriod(TypedDict):
    """The first and last day of a reconciliation."""

    since: date
    until: date


class ReconciliationAnswer(TypedDict):
    """The rows with the largest differences, and the number of all rows.

    ``counted`` is the number of the file's rows whose quantity is in the report.
    """

    period: ReconciliationPeriod
    items: list[ReconciliationRowView]
    all_items: int
    doubts: list[DoubtfulLine]
    all_doubts: int
    counted: int
    left_out: int


def describe_reconciliation(found: Reconciliation, language: str) -> ReconciliationAnswer:
    """Return the answer in a language, cut off after the largest differences."""
    return ReconciliationAnswer(
        period=ReconciliationPeriod(since=found.since, until=found.until),
        items=list(islice(found.items, _MAX_ITEMS)),
        all_items=len(found.items),
        doubts=[
            DoubtfulLine(
                line=one.line,
                counts=one.counts,
                messages=[messages.refusal(language, reason) for reason in one.reasons],
            )
            for one in islice(found.doubts, _MAX_DOUBTS)
        ],
        all_doubts=len(found.doubts),
        counted=found.counted,
        left_out=found.left_out,
    )
