"""Demonstration data: a small fictional hospital.

It is the same in each installation, dated relative to today.
"""

from datetime import tzinfo

from adapters.demo.accounts import ACCOUNTS, PASSWORD
from adapters.demo.calendar import Calendar
from adapters.demo.hospital import Hospital
from application.common.clock import Clock
from application.common.paging import ListQuery
from application.people.views import PatientQuery, StaffQuery
from application.use_cases import UseCases
from application.work import Begin
from domain.common.text import unique_key

__all__ = ["ACCOUNTS", "PASSWORD", "fill", "is_empty", "is_there"]


def fill(use_cases: UseCases, begin: Begin, clock: Clock, zone: tzinfo) -> None:
    """Fill an empty store with the demonstration hospital, all or nothing."""
    with begin() as work:
        hospital = Hospital(use_cases, work, Calendar(clock(), zone))
        hospital.register_accounts()
        hospital.set_up()
        hospital.live_through_the_weeks()


def is_empty(begin: Begin) -> bool:
    """Return whether the store has no data that would mix with the demo's.

    Rooms, products, sheets and details need one of the records checked here.
    """
    one = ListQuery(limit=1)
    with begin() as work:
        found = (
            work.users.administrators(),
            work.views.areas.page(one)["items"],
            work.views.categories.page(one)["items"],
            work.views.patients.page(PatientQuery(limit=1))["items"],
            work.views.staff.page(StaffQuery(limit=1))["items"],
        )
    return not any(found)


def is_there(begin: Begin) -> bool | None:
    """Return whether the demonstration accounts exist; None without accounts.

    A store with accounts of its own never becomes a demonstration.
    """
    with begin() as work:
        if not work.users.administrators():
            return None
        return all(work.users.find("email", unique_key(account.email)) for account in ACCOUNTS)
