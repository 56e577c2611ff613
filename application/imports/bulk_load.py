"""Bulk load: stage many changes before the transaction, for imports."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from typing import Any, Protocol

from application.audit.audit_log import AuditEntry
from application.common.entities import EntityKind
from application.imports.work import UnitOfWork


class BulkLoad(Protocol):
    """Staged changes that are committed within one short unit of work.

    While they are staged, other users do not have to wait and do not see them. Changes that are not committed are
    discarded at the end.
    """

    def reserve(self, counts: Mapping[EntityKind, int]) -> Mapping[EntityKind, Sequence[int]]:
        """Reserve ``counts`` ids per kind.

        No other entity will ever have them, even if they are not used.
        """

    def add_all(self, kind: EntityKind, entities: Sequence[Any]) -> None:
        """Stage new entities, whose ids were reserved."""

    def change_all(self, kind: EntityKind, changes: Sequence[tuple[Any, Any]]) -> None:
        """Stage changed entities, each as it was read and as it will be."""

    def stage_audit(self, entries: Sequence[AuditEntry]) -> None:
        """Stage audit entries."""

    def discard(self) -> None:
        """Discard everything staged."""

    def begin(self) -> AbstractContextManager[UnitOfWork]:
        """Begin a unit of work, as ``Begin`` does."""

    def commit(self, at: datetime, made_on: date, user_id: int) -> None:
        """Move the staged changes into the tables within the unit of work.

        The changed entities must still be as they were read. New lines of months that are closed are noted as changes
        that the user made on a day.
        """


BeginBulkLoad = Callable[[], AbstractContextManager[BulkLoad]]
"""Begins a bulk load. May raise ``StoreUnavailable``."""
