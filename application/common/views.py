"""Read models: read-only queries in the shape of the answers."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from application.common.paging import ListQuery, Page

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery, contravariant=True)


class View(Protocol[Item, Query]):
    """Reads one kind of object as it is answered."""

    def page(self, query: Query) -> Page[Item]: ...

    def one(self, id: int) -> Item | None: ...


class NamedReader(View[Item, Query], Protocol[Item, Query]):
    """Reads patients, or sheets by their patients."""

    def names(self, query: Query) -> Iterable[tuple[int, str]]:
        """Return the folded names of all items that match the filters, by id.

        For sheets, only open ones are included, and the room follows the name.
        """
