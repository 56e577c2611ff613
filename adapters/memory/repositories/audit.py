"""Store the audit log and imports, in memory."""

from collections.abc import Mapping, Sequence

from adapters.memory.data import MemoryData
from adapters.memory.repositories.repository import MemoryRepository
from application.audit.audit_log import AuditEntry
from application.entities import IMPORT
from application.imports.imported import Import


class MemoryAuditLog:
    """The append-only audit log."""

    def __init__(self, data: MemoryData) -> None:
        self._entries = data.audit_log
        self._noted_reads = data.noted_looks

    def append(self, entry: AuditEntry) -> None:
        self._entries.append(entry)

    def count(self, action: str) -> None:
        """Do nothing: there are no metrics here."""

    def append_once(self, entry: AuditEntry, hour: int) -> None:
        """Append an entry unless an equal one was stored in that hour."""
        look = (entry.user_id, entry.action, entry.entity_id, hour)
        if look not in self._noted_reads:
            self._noted_reads[look] = True
            self.append(entry)

    def purge_hours(self, before: int) -> None:
        """Forget the entries of earlier hours."""
        for look in [look for look in self._noted_reads if look[-1] < before]:
            del self._noted_reads[look]

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Append several entries."""
        self._entries.extend(entries)

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """List an import's entries for one kind of record, last first, with ids."""
        wanted = (import_id, entity)
        found = [(n, one) for n, one in enumerate(self._entries, 1) if (one.import_id, one.entity) == wanted]
        return [one for one in reversed(found) if before is None or one[0] < before][:limit]

    def count_of_import(self, import_id: int) -> int:
        """Count the entries of an import."""
        return sum(one.import_id == import_id for one in self._entries)


class MemoryImports(MemoryRepository[Import]):
    """Imports, and the column mappings used for files of one shape."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, IMPORT)

    def acquire_lock(self) -> None:
        """Do nothing: units of work run one at a time."""

    def has_imported(self, noun: str, digest: str) -> bool:
        """Return whether that file was imported as that noun and not undone."""
        return any((one.noun, one.digest) == (noun, digest) for one in self.all(lambda one: one.undone_at is None))

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Return the column mapping of the last import of that file shape."""
        return self._data.mappings.get((noun, shape), {})

    def save_mapping(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None:
        """Store the column mapping of a file shape."""
        self._data.mappings[noun, shape] = dict(mapping)
