"""Stores of entities, including the audit log and imports."""

from collections.abc import Mapping
from typing import Protocol

from application.common.imported import Import
from application.common.stores import BulkStore


class Imports(BulkStore[Import], Protocol):
    """Imports, and how files of each shape were mapped."""

    def acquire_lock(self) -> None:
        """Take the import lock until this unit of work ends.

        It waits for other imports that are being committed.
        """

    def add(self, imported: Import) -> None:
        """Store a new import and set its ``id``."""

    def lock(self, id: int) -> Import | None:
        """Return the import, locked until this unit of work ends."""

    def save(self, imported: Import) -> None: ...

    def has_imported(self, noun: str, digest: str) -> bool:
        """Return whether the same file was imported and not undone."""

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Return the mapping of the last import of that shape, or nothing."""

    def save_mapping(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None: ...
