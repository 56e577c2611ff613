"""List a sheet's details."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.list_reader import ListReader
from application.paging import Page
from application.ports.views import Read
from application.views import DetailQuery, DetailView
from domain.errors import NotFound
from domain.policy import Actor


@dataclass(frozen=True, slots=True)
class ListSheetDetails:
    """The details of the sheet that the query names. Raise ``NotFound`` where there is no such sheet."""

    read: Read
    details: ListReader[DetailView, DetailQuery]

    def page(self, actor: Actor, query: DetailQuery) -> Page[DetailView]:
        """A page of them."""
        page = self.details.page(actor, query)
        # Whether the sheet is there is asked only where nothing tells it.
        if not page["items"]:
            self._must_exist(query)
        return page

    def every(self, actor: Actor, query: DetailQuery) -> Iterator[DetailView]:
        """All of them, some at a time."""
        # Taking them out is noted, and looking for the sheet is not besides.
        replace(self, details=self.details.without_access_log).page(
            actor, replace(query, page=1, limit=1, cursor=None, offset=None)
        )
        return self.details.every(actor, query)

    def _must_exist(self, query: DetailQuery) -> None:
        assert query.consumption_sheet_id is not None, "the details of no sheet"
        with self.read() as views:
            if views.version_of_sheet(query.consumption_sheet_id) is None:
                raise NotFound
