"""Check consistency: whether all accounts add up (``consumo check``)."""

from collections.abc import Iterator
from dataclasses import dataclass

from application.ports.views import DoubtfulPack, Inconsistency, Read


@dataclass(frozen=True, slots=True)
class CheckConsistency:
    """What does not add up: a sheet's total, a line of later than the closing, a return. For operators alone."""

    read_for_reports: Read

    def __call__(self) -> Iterator[Inconsistency]:
        with self.read_for_reports() as views:
            yield from views.inconsistencies()

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Find the lots and serial numbers that were probably read off a patient's wristband."""
        with self.read_for_reports() as views:
            yield from views.doubtful_packs()
