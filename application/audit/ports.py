"""Stores of entities, including the audit log and imports."""

from collections.abc import Sequence
from typing import Protocol

from application.audit.audit_log import AuditEntry


class AuditLog(Protocol):
    """The append-only audit log."""

    def append(self, entry: AuditEntry) -> None: ...

    def count(self, action: str) -> None:
        """Count an action in the metrics without adding an entry."""

    def append_once(self, entries: Sequence[AuditEntry], hour: int) -> None:
        """Add each entry, unless the hour has one for the same object.

        The entries are of one user and action, each about another object.
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
