"""Check that all accounts add up."""

from collections.abc import Iterator
from dataclasses import dataclass

from application.ports.views import AccountFault, Read


@dataclass(frozen=True, slots=True)
class CheckAccounts:
    """What does not add up: a sheet's total, a line of later than the closing, a return. For operators alone."""

    read_for_reports: Read

    def __call__(self) -> Iterator[AccountFault]:
        with self.read_for_reports() as views:
            yield from views.account_faults()
