"""Stores of entities, including the audit log and imports."""

from collections.abc import Sequence
from typing import Protocol

from application.audit.audit_log import AuditEntry


class AuditLog(Protocol):
    """The append-only audit log."""

    def append(self, entry: AuditEntry) -> None: ...

    def count(self, action: str) -> None:
        """Count an action in the metrics without adding an entry."""

    def append_once(self, access: AuditEntry, ids: Sequence[int], hour: int) -> set[int]:
        """Append an entry about each object, unless there was one in that hour.

        The entries are like ``access``, with the id of the object, in ascending order, and with its patient. An id of 0
        means a list. Of two concurrent calls, the second one waits and finds the entry of the first one. A sheet that
        does not exist gets no entry. Return the ids of the others.
        """

    def purge_hours(self, before: int) -> None:
        """Forget which entries earlier hours have. The entries stay."""

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Add several entries."""

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """Return an import's entries about one kind, the last first.

        Each comes with its id. ``before`` limits them to smaller ids.
        """

    def count_of_import(self, import_id: int) -> int:
        """Return the number of entries of an import."""

    def imported_lines(self, sheet_id: int) -> set[int]:
        """Return the ids of the lines of a sheet that imports recorded."""
