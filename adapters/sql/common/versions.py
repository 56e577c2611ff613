"""Versions of the data that devices store, and poll."""

from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.common.tables import versions
from adapters.sql.engine.driver_execute import execute_one
from adapters.sql.sheets.tables import IS_OF_PATIENT, sheets

_CATALOGUE = {"name": "catalogue"}
_VERSION = select(versions.c.version).where(versions.c.name == bindparam("name"))
_VERSION_OF_SHEET = select(sheets.c.version).where(sheets.c.id == bindparam("id"))
_VERSION_OF_PATIENT_SHEET = _VERSION_OF_SHEET.where(IS_OF_PATIENT)


def _advance(insert: Any) -> Any:
    return insert(versions).on_conflict_do_update(index_elements=["name"], set_={"version": versions.c.version + 1})


_ADVANCE = {"postgresql": _advance(postgresql.insert), "sqlite": _advance(sqlite.insert)}


def read_catalogue_version(connection: Connection) -> int:
    """Return the version of the catalogue; 0 if it has never changed."""
    row = execute_one(connection, _VERSION, _CATALOGUE)
    return int(row.version) if row else 0


def advance_catalogue_version(connection: Connection) -> None:
    """Advance the version of the catalogue.

    Concurrent changes wait until the end of this unit of work.
    """
    connection.execute(_ADVANCE[connection.dialect.name], {**_CATALOGUE, "version": 1})


def version_of_sheet(connection: Connection, sheet_id: int) -> int | None:
    """Return the version of a sheet."""
    row = execute_one(connection, _VERSION_OF_SHEET, {"id": sheet_id})
    return None if row is None else int(row.version)


def version_of_patient_sheet(connection: Connection, sheet_id: int) -> int | None:
    """Return the version of a patient's sheet."""
    row = execute_one(connection, _VERSION_OF_PATIENT_SHEET, {"id": sheet_id})
    return None if row is None else int(row.version)
