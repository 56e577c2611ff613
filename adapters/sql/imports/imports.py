"""Imports, and remembered column mappings of files."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, delete, func, select

from adapters.sql.accounts.tables import users
from adapters.sql.audit.audit_log import USER_EMAIL
from adapters.sql.engine.advisory_locks import lock_key
from adapters.sql.engine.lists import ListSpec
from adapters.sql.engine.row_shape import Computed, RowShape, or_none
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from adapters.sql.imports.tables import import_mappings, imports
from application.audit.views import ImportView
from application.common.imported import Import
from application.common.paging import ListQuery
from domain.common.text import fold

MAPPING = TableMapping[Import](
    imports,
    Import,
    written={"file_folded": lambda one: fold(one.file_name), "digest": lambda one: one.digest or None},
    read={"digest": Computed(lambda digest: digest or "", imports.c.digest)},
)

_SAME_SHAPE = (import_mappings.c.noun == bindparam("of_noun"), import_mappings.c.shape == bindparam("of_shape"))
_MAPPING = select(import_mappings.c.mapping).where(*_SAME_SHAPE)
_FORGET = delete(import_mappings).where(*_SAME_SHAPE)
_REMEMBER = import_mappings.insert()
_OF_FILE = select(imports.c.id).where(
    imports.c.digest == bindparam("of_digest"), imports.c.noun == bindparam("of_noun"), imports.c.undone_at.is_(None)
)
_LOCK = select(func.pg_advisory_xact_lock(lock_key("imports")))


class SqlImports(TableStore[Import]):
    """Imports within a unit of work."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, MAPPING)

    def acquire_lock(self) -> None:
        """Wait for the lock of imports. SQLite has one writer anyway."""
        if self._connection.dialect.name == "postgresql":
            self._connection.execute(_LOCK)

    def has_imported(self, noun: str, digest: str) -> bool:
        """Return whether this file was imported as this noun, and not undone."""
        return self._connection.execute(_OF_FILE, {"of_noun": noun, "of_digest": digest}).first() is not None

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Return the last mapping of columns to fields for a shape of files."""
        kept = self._connection.execute(_MAPPING, {"of_noun": noun, "of_shape": shape}).scalar_one_or_none()
        mapping: dict[str, str] = json.loads(kept) if kept else {}
        return mapping

    def save_mapping(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None:
        """Store the mapping of a shape of files."""
        self._connection.execute(_FORGET, {"of_noun": noun, "of_shape": shape})
        row = {"noun": noun, "shape": shape, "mapping": json.dumps(mapping, ensure_ascii=False)}
        self._connection.execute(_REMEMBER, row)


_UNDOER = users.alias("undoer")
_IMPORT = RowShape[ImportView](
    ImportView, imports, names={"user": USER_EMAIL, "undone_by": or_none(USER_EMAIL.of(_UNDOER))}
)

IMPORTS = ListSpec[ImportView, ListQuery](
    source=select(*_IMPORT.columns)
    .join_from(imports, users, users.c.id == imports.c.user_id)
    .outerjoin(_UNDOER, _UNDOER.c.id == imports.c.undone_by),
    id=imports.c.id,
    order=(imports.c.id.desc(),),
    sorts={"id": imports.c.id},
    searched=(imports.c.file_folded,),
    to_item=_IMPORT.read,
)
