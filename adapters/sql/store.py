"""The store on a SQL database: SQLite for one ward, PostgreSQL for a hospital."""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from functools import cached_property, lru_cache
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import IntegrityError

from adapters.sql.areas import AREAS, SqlAreas
from adapters.sql.categories import CATEGORIES, SqlCategories
from adapters.sql.consumption import SqlConsumption
from adapters.sql.details import SqlDetails, list_of_details
from adapters.sql.lists import TableView
from adapters.sql.names import read_names
from adapters.sql.overview import SqlOverview
from adapters.sql.patients import PATIENTS, SqlPatients
from adapters.sql.products import PRODUCTS, PRODUCTS_ON_SQLITE, SqlProducts
from adapters.sql.records import SqlAnswers, SqlTrail, list_of_entries
from adapters.sql.rooms import SqlRooms, SqlRoomView
from adapters.sql.sheets import VERSION, SqlSheets, SqlSheetView, list_of_closed_sheets
from adapters.sql.staff import STAFF, SqlStaff
from adapters.sql.summaries import SqlSummaries
from adapters.sql.users import USERS, SqlFailures, SqlLinks, SqlSessions, SqlUsers, read_actor
from adapters.sql.usual_products import SqlUsualProducts
from application.paging import ListQuery
from application.views import (
    AreaView,
    AuditQuery,
    AuditView,
    CategoryView,
    DetailQuery,
    DetailView,
    PatientQuery,
    PatientView,
    ProductQuery,
    ProductView,
    StaffQuery,
    StaffView,
    UserQuery,
    UserView,
)
from domain.policy import Actor
from domain.refusal import Code, Reason, Refused

# How long a writer on SQLite waits for one in another process, such as an import beside the server.
_BUSY_MILLISECONDS = 30_000


def to_url(database_url: str) -> URL:
    """The database's URL, with the driver that we bring."""
    url = make_url(database_url)
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


_closed_sheets = lru_cache(list_of_closed_sheets)
_details = lru_cache(list_of_details)
_entries = lru_cache(list_of_entries)


class SqlViews:
    """All that can be read, on one connection."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self._connection = connection
        self._zone = zone

    @cached_property
    def sheets(self) -> SqlSheetView:
        return SqlSheetView(self._connection, _closed_sheets(self._zone))

    @cached_property
    def details(self) -> TableView[DetailView, DetailQuery]:
        return TableView(self._connection, _details(self._zone))

    @cached_property
    def products(self) -> TableView[ProductView, ProductQuery]:
        on_sqlite = self._connection.dialect.name == "sqlite"
        return TableView(self._connection, PRODUCTS_ON_SQLITE if on_sqlite else PRODUCTS)

    @cached_property
    def categories(self) -> TableView[CategoryView, ListQuery]:
        return TableView(self._connection, CATEGORIES)

    @cached_property
    def areas(self) -> TableView[AreaView, ListQuery]:
        return TableView(self._connection, AREAS)

    @cached_property
    def rooms(self) -> SqlRoomView:
        return SqlRoomView(self._connection)

    @cached_property
    def patients(self) -> TableView[PatientView, PatientQuery]:
        return TableView(self._connection, PATIENTS)

    @cached_property
    def staff(self) -> TableView[StaffView, StaffQuery]:
        return TableView(self._connection, STAFF)

    @cached_property
    def users(self) -> TableView[UserView, UserQuery]:
        return TableView(self._connection, USERS)

    @cached_property
    def audit(self) -> TableView[AuditView, AuditQuery]:
        return TableView(self._connection, _entries(self._zone))

    @cached_property
    def usual_products(self) -> SqlUsualProducts:
        return SqlUsualProducts(self._connection)

    @cached_property
    def summaries(self) -> SqlSummaries:
        return SqlSummaries(self._connection)

    @cached_property
    def consumption(self) -> SqlConsumption:
        return SqlConsumption(self._connection)

    @cached_property
    def overview(self) -> SqlOverview:
        return SqlOverview(self._connection, self._zone)

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """At which version that sheet is."""
        return self._connection.execute(VERSION, {"id": sheet_id}).scalar_one_or_none()

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """What the things with those ids are called, by the field that refers to them."""
        return read_names(self._connection, field, ids)

    def actor(self, session_id: str, user_id: int, at: datetime) -> Actor | None:
        """Who acts in that session; None once it has ended."""
        return read_actor(self._connection, session_id, user_id, at)


class SqlUnitOfWork:
    """All that is changed together, in one transaction."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self.areas = SqlAreas(connection)
        self.categories = SqlCategories(connection)
        self.products = SqlProducts(connection)
        self.rooms = SqlRooms(connection)
        self.patients = SqlPatients(connection)
        self.staff = SqlStaff(connection)
        self.users = SqlUsers(connection)
        self.sessions = SqlSessions(connection)
        self.links = SqlLinks(connection)
        self.failures = SqlFailures(connection)
        self.sheets = SqlSheets(connection)
        self.details = SqlDetails(connection)
        self.answers = SqlAnswers(connection)
        self.trail = SqlTrail(connection)
        self.views = SqlViews(connection, zone)


class SqlStore:
    """Begins units of work and opens what can be read. ``pool_size`` is the number of threads that use it."""

    def __init__(self, database_url: str, zone: tzinfo, *, pool_size: int = 8) -> None:
        url = to_url(database_url)
        self._zone = zone
        self._sqlite = url.get_backend_name() == "sqlite"
        if self._sqlite:
            # One writer at a time: SQLite has no more, and whoever waits here does not hold a connection.
            self._one_writer = threading.Lock()
            # Named parameters: a refusal tells the value that was taken.
            self._writing = create_engine(url, pool_size=1, max_overflow=0, paramstyle="named")
            self._reading = create_engine(url, pool_size=pool_size)
            event.listen(self._writing, "connect", _prepare_sqlite)
            event.listen(self._reading, "connect", _prepare_sqlite)
            event.listen(self._writing, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        else:
            self._writing = create_engine(url, pool_size=pool_size, pool_pre_ping=True)
            self._reading = create_engine(url, pool_size=pool_size, pool_pre_ping=True, isolation_level="AUTOCOMMIT")

    @contextmanager
    def begin(self) -> Iterator[SqlUnitOfWork]:
        """Begin a unit of work: commits on a clean exit, undoes on an exception."""
        try:
            if self._sqlite:
                with self._one_writer, self._writing.begin() as connection:
                    yield SqlUnitOfWork(connection, self._zone)
            else:
                with self._writing.begin() as connection:
                    yield SqlUnitOfWork(connection, self._zone)
        except IntegrityError as error:
            raise _refusal(error) from error

    @contextmanager
    def read(self) -> Iterator[SqlViews]:
        """Open what can be read, outside any unit of work."""
        with self._reading.connect() as connection:
            yield SqlViews(connection, self._zone)

    def answers(self) -> bool:
        """Whether the database answers."""
        with self._reading.connect() as connection:
            return bool(connection.execute(text("SELECT 1")).scalar_one())

    def close(self) -> None:
        """Give all connections back."""
        self._writing.dispose()
        self._reading.dispose()


def migrate(database_url: str) -> None:
    """Bring the database's tables to the newest shape; what is there stays."""
    engine = create_engine(to_url(database_url))
    try:
        _migrate(engine)
    finally:
        engine.dispose()


def is_current(database_url: str) -> bool:
    """Whether the database's tables have the newest shape."""
    engine = create_engine(to_url(database_url))
    try:
        with engine.connect() as connection:
            has = MigrationContext.configure(connection).get_current_revision()
        return has == ScriptDirectory.from_config(_alembic()).get_current_head()
    finally:
        engine.dispose()


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", "adapters.sql:migrations")
    return config


def _migrate(engine: Engine) -> None:
    config = _alembic()
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            # Several servers may start at once: one of them migrates, the others wait and find it done.
            connection.execute(text("SELECT pg_advisory_lock(7036874417766)"))
            connection.commit()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def _prepare_sqlite(dbapi_connection: Any, _: Any) -> None:
    # The driver must not begin transactions on its own: it would begin them deferred, and two could not both go on.
    dbapi_connection.isolation_level = None
    cursor = dbapi_connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


# What a person meant who collides with a unique constraint that another request filled a moment before.
_UNIQUE_FIELDS = {
    ("areas", "name_key"): "name",
    ("categories", "code_key"): "code",
    ("products", "code_key"): "code",
    ("products", "gtin"): "gtin",
    ("patients", "record_key"): "record_number",
    ("users", "email_key"): "email",
    ("users", "staff_id"): "staff_id",
}


def _refusal(error: IntegrityError) -> Exception:
    """The refusal that a broken constraint means; the error itself where it means none."""
    said = str(error.orig)
    if "FOREIGN KEY constraint failed" in said or "foreign key constraint" in said:
        # Someone else deleted what this refers to, or referred to what this deletes, a moment before.
        if (error.statement or "").startswith("DELETE"):
            return Refused(Reason(Code.IN_USE, params={"count": 1}))
        return Refused(Reason(Code.REFERENCE_GONE))
    for (table, column), field in _UNIQUE_FIELDS.items():
        if f"UNIQUE constraint failed: {table}.{column}" in said or f'"uq_{table}_{column}"' in said:
            if field == "staff_id":
                return Refused(Reason(Code.PROFILE_TAKEN, field))
            params = error.params if isinstance(error.params, dict) else {}
            return Refused(Reason(Code.TAKEN, field, {"value": params.get(field, "")}))
    return error
