"""Search sheets and patients by person and room.

The result has the unambiguous match, if there is one, and similar names.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from application.common.paging import ListQuery, Page
from application.common.redaction import redact_for
from application.common.views import NamedReader
from application.people.patients import ListPatients
from application.people.views import PatientPage, PatientQuery, PatientView
from application.sheets.sheet_access import ListSheets
from application.sheets.views import SheetPage, SheetQuery, SheetView
from application.ward.work import Read, Views
from domain.common.policy import Actor
from domain.common.text import sort_name
from domain.people.patient import search_text
from domain.people.people_search import PeopleSearch, Rank, SearchableFields, nearest_names

Item = TypeVar("Item", PatientView, SheetView)
Query = TypeVar("Query", PatientQuery, SheetQuery)


@dataclass(frozen=True, slots=True)
class SearchSheets:
    """Search sheets by patient and room."""

    read: Read
    sheets: ListSheets

    def page(self, actor: Actor, query: SheetQuery) -> SheetPage:
        """Return a page. Similar names are only searched for open sheets."""
        page = self.sheets.page(actor, query)
        found = SheetPage(items=page["items"], meta=page["meta"])
        if _is_searched_first(query):
            with self.read() as views:
                result = _Result(views, query, page, _searched_sheet)
                if result.exact is not None:
                    found["exact"] = result.exact
                if not query.closed and not result.by_person:
                    found["nearest"] = result.nearest(views.sheets, query)
        return redact_for(actor, found, SheetPage)

    def iterate(self, actor: Actor, query: SheetQuery) -> Iterator[SheetView]:
        """Iterate over all matches. Exports have no similar names."""
        return self.sheets.iterate(actor, query)


@dataclass(frozen=True, slots=True)
class SearchPatients:
    """Search patients."""

    read: Read
    patients: ListPatients

    def page(self, actor: Actor, query: PatientQuery) -> PatientPage:
        """Return a page."""
        page = self.patients.page(actor, query)
        found = PatientPage(items=page["items"], meta=page["meta"])
        if _is_searched_first(query):
            with self.read() as views:
                result = _Result(views, query, page, _searched_patient)
                if result.exact is not None:
                    found["exact"] = result.exact
                if not result.by_person:
                    found["nearest"] = result.nearest(views.patients, query)
        return redact_for(actor, found, PatientPage)

    def iterate(self, actor: Actor, query: PatientQuery) -> Iterator[PatientView]:
        """Iterate over all matches."""
        return self.patients.iterate(actor, query)


def _is_searched_first(query: PatientQuery | SheetQuery) -> bool:
    """Return whether the query is the first page of a search."""
    return bool(PeopleSearch(query.q or "").words) and query.first == 0 and query.cursor is None


class _Result(Generic[Item]):
    """The matches on the first page of a search.

    ``exact`` is the id of the unambiguous match. It is the only match with exactly that room or number, or else the
    only match by person or room, if all words of the text are complete words of the person's name. ``by_person`` are
    the matches by person or room.
    """

    def __init__(
        self, views: Views, query: ListQuery, page: Page[Item], searched: Callable[[Item], tuple[int, SearchableFields]]
    ) -> None:
        self._search = PeopleSearch(query.q or "")
        self._items: list[Item] = page["items"]
        numbered = {id_ for pair in views.patients_numbered(self._search.key).items() for id_ in pair}

        def rank(item: Item) -> Rank:
            patient_id, what = searched(item)
            found = self._search.rank(what)
            return Rank.NUMBER if patient_id in numbered and found is not Rank.ROOM else found

        ranked = [(item, rank(item)) for item in self._items]
        self.by_person: list[Item] = [item for item, found in ranked if found < Rank.MENTIONS]
        definite = [item for item, found in ranked if found <= Rank.NUMBER]
        meant = definite or self.by_person
        self.exact: int | None = None
        if len(meant) == 1 and (definite or self._search.is_whole_name(searched(meant[0])[1].names)):
            # In the default order, matches on later pages rank no better than the last one of this page.
            is_followed = query.sort is None and meant[0] is not self._items[-1]
            if is_followed or page["meta"]["total"] == len(self._items):
                self.exact = meant[0]["id"]

    def nearest(self, reader: NamedReader[Item, Query], query: Query) -> list[Item]:
        """Return the items with similar names, the best match first."""
        ids = nearest_names(self._search.text, reader.names(query))
        if not ids:
            return []
        # Select them by ids, to avoid sorting the whole list.
        asked = replace(query, q=None, sort=None, ids=frozenset(ids), behind=0, offset=None, limit=len(ids))
        shown = {item["id"] for item in self._items}
        items = [item for item in reader.page(asked)["items"] if item["id"] not in shown]
        return sorted(items, key=lambda item: ids.index(item["id"]))


def _searched_patient(view: PatientView) -> tuple[int, SearchableFields]:
    name, first, second = view["name"], view["first_surname"], view["second_surname"]
    what = SearchableFields(
        text=search_text(name, first, second, view["record_number"]),
        names=sort_name(name, first, second),
        record_number=view["record_number"],
    )
    return view["id"], what


def _searched_sheet(view: SheetView) -> tuple[int, SearchableFields]:
    patient = view["patient"]
    name, first, second = patient["name"], patient["first_surname"], patient["second_surname"]
    number, visit = patient.get("record_number"), view.get("visit_number")
    what = SearchableFields(
        text=search_text(name, first, second, number),
        names=sort_name(name, first, second),
        record_number=number,
        other_numbers=(visit,) if visit else (),
        room=view["room"]["name"],
    )
    return view["patient_id"], what
