"""Bulk load: many things are staged to be kept, before anybody has to wait for it. For imports."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from application.audit_log import AuditEntry
from application.entities import EntityKind
from application.ports.unit_of_work import UnitOfWork


class BulkLoad(Protocol):
    """Things that lie ready, and are then kept within one unit of work, as quickly as can be.

    While they are made ready nobody waits for it, and nobody sees them. What is not kept is gone in the end.
    """

    def reserve(self, counts: Mapping[EntityKind, int]) -> Mapping[EntityKind, Sequence[int]]:
        """So many ids of each kind that nothing else will ever have, whether they are used or not."""

    def add_all(self, kind: EntityKind, entities: Sequence[Any]) -> None:
        """Make new ones ready, whose ids were reserved."""

    def change_all(self, kind: EntityKind, changes: Sequence[tuple[Any, Any]]) -> None:
        """Make changed ones ready: as each was found, and as it is to be."""

    def leave(self, entries: Sequence[AuditEntry]) -> None:
        """Make entries of the audit log ready."""

    def forget(self) -> None:
        """Throw away what lies ready."""

    def begin(self) -> AbstractContextManager[UnitOfWork]:
        """Begin a unit of work, as ``Begin`` does."""

    def keep(self) -> None:
        """Keep what lies ready, within the unit of work that was begun. What was changed must still be as found."""


BeginBulkLoad = Callable[[], AbstractContextManager[BulkLoad]]
"""Begins a bulk load. May raise ``StoreUnavailable``."""
