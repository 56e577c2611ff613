"""Numbers of unidentified patients."""

from application.people.work import UnitOfWork
from domain.people.unidentified import MAX_UNIDENTIFIED, next_unidentified_number


def take_unidentified_number(work: UnitOfWork) -> int:
    """Return the next number; no other unit of work takes it meanwhile."""
    work.imports.acquire_lock()
    found = work.patients.find_many("unidentified_number", range(1, MAX_UNIDENTIFIED + 1))
    return next_unidentified_number({one.unidentified_number for one in found if one.unidentified_number})
