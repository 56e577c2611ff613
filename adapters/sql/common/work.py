"""What a topic adds to the unit of work and to the read models.

Each is made by its first use, on the connection of the unit of work.
"""

from collections.abc import Callable
from datetime import tzinfo
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from adapters.sql.common.idempotency import SqlIdempotencyStore
from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.engine.lists import ListSpec, TableView
from adapters.sql.engine.table_mapping import TableMapping, TableStore
from application.common.paging import ListQuery

Made = TypeVar("Made")
Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery)
Given = ParamSpec("Given")


def on_first_use(make: Callable[[Any], Made]) -> cached_property[Made]:
    """Return an attribute that is made from its owner."""
    return cached_property(make)


def on_connection(make: Callable[[Connection], Made]) -> cached_property[Made]:
    """Return a store or a view that needs only the connection."""
    return cached_property(lambda owner: make(owner.connection))


def table_store(mapping: TableMapping[Made]) -> cached_property[TableStore[Made]]:
    """Return the store of a kind of entity without statements of its own."""
    return cached_property(lambda owner: TableStore(owner.connection, mapping))


def list_view(spec: ListSpec[Item, Query]) -> cached_property[TableView[Item, Query]]:
    """Return the view of a list."""
    return cached_property(lambda owner: TableView(owner.connection, spec))


def query(read: Callable[Concatenate[Connection, Given], Made]) -> Callable[Concatenate[Any, Given], Made]:
    """Return a method that calls a function on the connection."""

    def call(owner: Any, /, *given: Given.args, **named: Given.kwargs) -> Made:
        return read(owner.connection, *given, **named)

    return call


class Views:
    """Read models on one connection."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        self.connection = connection
        self.zone = zone


class Stores:
    """Stores on one connection, and the pending writes."""

    def __init__(self, connection: Connection, zone: tzinfo) -> None:
        # Audit actions, counted in the metrics after the commit.
        self.done: list[str] = []
        self.connection = connection
        self.zone = zone
        self.pending_writes = PendingWrites(connection)
        self.is_catalogue_changed = False

    def change_catalogue(self) -> None:
        """Advance the catalogue's version, which devices compare, at the end."""
        self.is_catalogue_changed = True

    idempotency_store = on_first_use(lambda work: SqlIdempotencyStore(work.connection, work.pending_writes))
