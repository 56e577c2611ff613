"""List a sheet's details."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.common.paging import Page
from application.sheets.detail_access import ListDetails
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.work import Read
from domain.common.errors import NotFound
from domain.common.policy import Actor


@dataclass(frozen=True, slots=True)
class ListSheetDetails:
    """List the details of a sheet.

    Raise ``NotFound`` if the sheet does not exist.
    """

    read: Read
    details: ListDetails

    def page(self, actor: Actor, query: DetailQuery) -> Page[DetailView]:
        """Read a page."""
        page = self.details.page(actor, query)
        # Check whether the sheet exists only if the page is empty.
        if not page["items"]:
            self._must_exist(query)
        return page

    def iterate(self, actor: Actor, query: DetailQuery) -> Iterator[DetailView]:
        """Iterate over all details in batches."""
        # The export is logged. The check that the sheet exists need not be logged as well.
        replace(self, details=self.details.without_access_log).page(
            actor, replace(query, page=1, limit=1, cursor=None, offset=None)
        )
        return self.details.iterate(actor, query)

    def _must_exist(self, query: DetailQuery) -> None:
        assert query.consumption_sheet_id is not None, "the details of no sheet"
        with self.read() as views:
            if views.version_of_sheet(query.consumption_sheet_id) is None:
                raise NotFound
