"""Units of work, and the errors of stores."""

from enum import StrEnum


class UnavailableReason(StrEnum):
    """Why the store is unavailable."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    FULL = "full"


class StoreUnavailable(Exception):
    """The store is temporarily unavailable; the request may be repeated.

    Nothing is stored partially. If the store is ``BUSY`` or ``FULL``, nothing is stored. If it became ``UNREACHABLE``
    during the commit, it is unknown whether everything or nothing was stored.
    """

    def __init__(self, reason: UnavailableReason) -> None:
        super().__init__(reason)
        self.reason = reason


class DuplicateEntry(Exception):
    """A detail with the same ``entry_digest`` exists.

    The same request was sent before, however long ago. Nothing is stored.
    """


class TransactionConflict(StoreUnavailable):
    """The store rolled back a unit of work because of a conflict.

    It is a deadlock or a serialization failure. Nothing is stored, and a retry succeeds.
    """

    def __init__(self) -> None:
        super().__init__(UnavailableReason.BUSY)
