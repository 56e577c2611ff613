"""Check consistency: whether all totals add up (``consumo check``)."""

from collections.abc import Iterator
from dataclasses import dataclass

from application.reports.months import month_differences
from application.reports.ports import DoubtfulPack, Inconsistency, MonthDifference
from application.reports.work import Read


@dataclass(frozen=True, slots=True)
class CheckConsistency:
    """Find inconsistent totals, lines after a closing, and wrong returns.

    Only operators run this, so there is no permission check.
    """

    read_for_reports: Read

    def __call__(self) -> Iterator[Inconsistency]:
        with self.read_for_reports() as views:
            yield from views.inconsistencies()

    def months(self) -> Iterator[MonthDifference]:
        """Find closed months that are not the report's, even with their changes."""
        with self.read_for_reports() as views:
            yield from month_differences(views)

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Find lots and serials that were probably read off a wristband."""
        with self.read_for_reports() as views:
            yield from views.doubtful_packs()
