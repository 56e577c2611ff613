"""In-memory store with all the rules of the SQL one, without setup.

The use-case tests run on it.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import tzinfo
from typing import Any

from adapters.memory.data import MemoryData
from adapters.memory.unit_of_work import MemoryUnitOfWork
from adapters.memory.views import MemoryViews
from application.audit.audit_log import AuditEntry
from application.entities import EntityKind


class MemoryStore:
    """Begins units of work, one at a time, and opens read models."""

    def __init__(self, zone: tzinfo | Callable[[], tzinfo]) -> None:
        self._zone = zone if callable(zone) else lambda: zone
        self._data = MemoryData()
        self._write_lock = threading.RLock()

    @contextmanager
    def begin(self) -> Iterator[MemoryUnitOfWork]:
        """Begin a unit of work: commit on a clean exit, roll back on an exception."""
        with self._write_lock:
            data = self._data.copy()
            yield MemoryUnitOfWork(data, self._zone())
            self._data = data

    @contextmanager
    def begin_read_only(self) -> Iterator[MemoryUnitOfWork]:
        """Begin a unit of work whose changes are discarded."""
        yield MemoryUnitOfWork(self._data.copy(), self._zone())

    @contextmanager
    def begin_bulk_load(self) -> Iterator["MemoryBulkLoad"]:
        yield MemoryBulkLoad(self.begin)

    @contextmanager
    def read(self) -> Iterator[MemoryViews]:
        """Open the read models, outside any unit of work."""
        yield MemoryViews(self._data, self._zone())

    # There are no locks between readers here.
    read_for_reports = read


class MemoryBulkLoad:
    """Stages changes for a later unit of work."""

    def __init__(self, begin: Callable[[], AbstractContextManager[MemoryUnitOfWork]]) -> None:
        self._begin = begin
        self._work: MemoryUnitOfWork | None = None
        self._staged: list[Callable[[MemoryUnitOfWork], None]] = []

    def reserve(self, counts: Mapping[EntityKind, int]) -> dict[EntityKind, Sequence[int]]:
        """Reserve ids: ``count`` per kind, never used again."""
        with nullcontext(self._work) if self._work else self._begin() as work:
            return {kind: kind.store_of(work).reserve(count) for kind, count in counts.items()}

    def add_all(self, kind: EntityKind, entities: Sequence[Any]) -> None:
        """Stage new entities."""
        self._staged.append(lambda work: kind.store_of(work).add_all(entities))

    def change_all(self, kind: EntityKind, changes: Sequence[tuple[Any, Any]]) -> None:
        """Stage changed entities."""
        self._staged.append(lambda work: kind.store_of(work).save_all([after for _, after in changes]))

    def stage_audit(self, entries: Sequence[AuditEntry]) -> None:
        """Stage entries of the audit log."""
        self._staged.append(lambda work: work.audit_log.extend(entries))

    def discard(self) -> None:
        """Discard the staged changes."""
        self._staged.clear()

    @contextmanager
    def begin(self) -> Iterator[MemoryUnitOfWork]:
        with self._begin() as work:
            self._work = work
            try:
                yield work
            finally:
                self._work = None

    def commit(self) -> None:
        """Commit the staged changes."""
        assert self._work is not None, "what lies ready is kept within a unit of work"
        for step in self._staged:
            step(self._work)
