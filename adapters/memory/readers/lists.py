"""Filter, search, sort and page lists in memory."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from typing import Any, Generic, TypeVar

from application.paging import COUNT_LIMIT, InvalidQuery, ListQuery, Page, page_of, read_cursor, write_cursor
from domain.day import end_of, start_of
from domain.people_search import PeopleSearch, Rank, SearchableFields
from domain.text import MIN_CODE_PART, MIN_CODE_PREFIX, code_key, fold, fold_code, unique_key

Item = TypeVar("Item", bound=Mapping[str, Any])
Query = TypeVar("Query", bound=ListQuery)

SortKey = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class MemoryView(Generic[Item, Query]):
    """Reads one kind of record.

    ``everything`` returns all records; the other fields define filters, search and order.
    """

    everything: Callable[[], Iterable[Item]]
    matches: Callable[[Item, Query], bool]
    searched: Callable[[Item], tuple[str, ...]]
    order: SortKey
    sorts: Mapping[str, SortKey]
    words_of: Callable[[str], list[str]] = lambda text: fold(text).split()
    exact: Callable[[Item], tuple[str | None, ...]] = lambda _: ()
    code: Callable[[Item], str | None] = lambda _: None
    # Search by the rule for people; it replaces the rules for words and codes above.
    person: Callable[[Item], SearchableFields] | None = None
    newest_first: bool = False
    cursor_key: Callable[[Item], Any] | None = None
    read_key: Callable[[str], Any] = field(default=date.fromisoformat)
    bounded: bool = True

    def one(self, id: int) -> Item | None:
        return next((item for item in self.everything() if item["id"] == id), None)

    def page(self, query: Query) -> Page[Item]:
        """Return one page of the filtered and sorted list."""
        found = [item for item in self.everything() if self.matches(item, query)]
        words = self.words_of(query.q or "")
        ranks: dict[int, Rank] = {}
        if words and self.person:
            search = PeopleSearch(query.q or "")
            ranked = ((item["id"], search.rank(self.person(item))) for item in found)
            ranks = {id_: rank for id_, rank in ranked if rank is not None}
            found = [item for item in found if item["id"] in ranks]
        elif words:
            found = [
                item
                for item in found
                if self._name_matches(item, words)
                or self._is_exact(item, query)
                or self._code_matches(item, query)
                or self._has_in_code(item, query)
            ]
        if query.ids is not None:
            found = [item for item in found if item["id"] in query.ids]
        if query.behind is not None:
            found = sorted((item for item in found if item["id"] > query.behind), key=id_of)
            items = found[: query.limit]
            following = str(items[-1]["id"]) if len(found) > len(items) else None
            return page_of(items, query, len(items), following=following)
        total = len(found)
        if query.sort:
            key = self.sorts[query.sort.field]
            found.sort(key=lambda item: (key(item), item["id"]), reverse=query.sort.descending)
        else:
            found.sort(key=self.order, reverse=self.newest_first)
            if self.person:
                found.sort(key=lambda item: ranks.get(item["id"], 0))
            elif words:
                found.sort(key=lambda item: not self._code_begins(item, query))
                found.sort(key=lambda item: not self._name_matches(item, words))
                found.sort(key=lambda item: not self.searched(item)[0].startswith(" ".join(words)))
                found.sort(key=lambda item: not self._code_matches(item, query))
                found.sort(key=lambda item: not self._is_exact(item, query))
        first = query.first
        if query.cursor is not None:
            found, first = self._after(found, query.cursor), 0
        items = found[first : first + query.limit]
        following = None
        if len(found) > first + query.limit:
            if self.cursor_key and not words and not query.sort:
                key = self.cursor_key(items[-1])
                following = write_cursor(key.isoformat() if isinstance(key, date) else str(key), items[-1]["id"])
            else:
                following = query.next_offset()
        counted = total if self.bounded else min(total, COUNT_LIMIT + 1)
        return page_of(items, query, counted, bounded=self.bounded, following=following)

    def _name_matches(self, item: Item, words: list[str]) -> bool:
        return all(any(word in text for text in self.searched(item)) for word in words)

    def _is_exact(self, item: Item, query: Query) -> bool:
        key = unique_key if self.code(item) is None else code_key
        return any(text is not None and key(text) == key(query.q or "") for text in self.exact(item))

    def _code_matches(self, item: Item, query: Query) -> bool:
        query_text = fold_code(query.q or "")
        return bool(query_text) and fold_code(self.code(item) or "") == query_text

    def _code_begins(self, item: Item, query: Query) -> bool:
        query_text = fold_code(query.q or "")
        return len(query_text) >= MIN_CODE_PREFIX and fold_code(self.code(item) or "").startswith(query_text)

    def _has_in_code(self, item: Item, query: Query) -> bool:
        query_text = fold_code(query.q or "")
        is_inside = len(query_text) >= MIN_CODE_PART and query_text in fold_code(self.code(item) or "")
        return is_inside or self._code_begins(item, query)

    def _after(self, found: list[Item], cursor: str) -> list[Item]:
        if self.cursor_key is None:
            raise InvalidQuery("cursor")
        text, last_id = read_cursor(cursor)
        try:
            last = (self.read_key(text), last_id)
        except ValueError:
            raise InvalidQuery("cursor") from None
        return [item for item in found if (self.cursor_key(item), item["id"]) < last]


def id_of(item: Mapping[str, Any]) -> Any:
    return item["id"]


def folded(name: str) -> SortKey:
    return lambda item: fold(item[name])


def by_name(item: Mapping[str, Any]) -> tuple[str, int]:
    return fold(item["name"]), item["id"]


def read_moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(text) from None


def is_between(moment: datetime, since: date | None, until: date | None, zone: tzinfo) -> bool:
    not_before = since is None or moment >= start_of(since, zone)
    return not_before and (until is None or moment < end_of(until, zone))
