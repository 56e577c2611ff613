"""Pagination: pages, sort orders and cursors (docs/contract.md, "Lists")."""

import base64
import binascii
import json
from dataclasses import dataclass, replace
from typing import Generic, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")

# The default and maximum number of items of a list that is requested without a page.
MAX_ITEMS = 1_000
# Lists without a bound are counted only up to this number, so that no page costs more than the first.
COUNT_LIMIT = 10_000


# Sorting this many takes a tenth of a second.
MAX_SORTED = 20_000


# The key of a cursor that has an offset instead of the last item. No item has this sort key.
_OFFSET = "offset"


class InvalidQuery(Exception):
    """A list query has an invalid parameter, whose name is ``field``."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True, slots=True)
class Sort:
    """The field by which a list is sorted."""

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """The parameters of every list.

    ``page`` counts from 1, ``limit`` is up to 1,000, ``q`` is free text, and ``cursor`` is the ``meta.next`` of the
    previous page. A list that is requested without a page is read from an ``offset``; its cursors work in every order.

    Programs walk a list by ids instead: ``behind`` returns the items after an id. Nothing is counted, and no item is
    missed or repeated when others are added meanwhile. ``ids`` selects items. ``max_ordered`` limits how many items
    are sorted if no index has the order.
    """

    page: int = 1
    limit: int = 25
    sort: Sort | None = None
    q: str | None = None
    cursor: str | None = None
    offset: int | None = None
    behind: int | None = None
    ids: frozenset[int] | None = None
    max_ordered: int | None = None

    @property
    def first(self) -> int:
        """The number of items before this page."""
        return (self.page - 1) * self.limit if self.offset is None else self.offset

    def next_offset(self) -> str | None:
        """Return the cursor of the next items, or None for numbered pages."""
        return None if self.offset is None else write_cursor(_OFFSET, self.offset + self.limit)


Query = TypeVar("Query", bound=ListQuery)


class Meta(TypedDict):
    """The position of a page in its list."""

    page: int
    limit: int
    total: int
    pages: int
    total_is_lower_bound: NotRequired[bool]
    next: NotRequired[str]


class Page(TypedDict, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    meta: Meta


def read_offset(query: Query) -> Query:
    """Replace a cursor of ``next_offset`` by its offset.

    Raise ``InvalidQuery`` for an invalid cursor.
    """
    if query.cursor is None:
        return query
    key, number = read_cursor(query.cursor)
    return replace(query, cursor=None, offset=number) if key == _OFFSET else query


def page_of(
    items: list[Item], query: ListQuery, total: int, *, bounded: bool = True, following: str | None = None
) -> Page[Item]:
    """Build the answer for a page.

    If the list is not ``bounded``, ``total`` was counted up to ``COUNT_LIMIT`` + 1.
    """
    lower_bound = not bounded and total > COUNT_LIMIT
    total = COUNT_LIMIT if lower_bound else total
    meta = Meta(page=query.page, limit=query.limit, total=total, pages=-(-total // query.limit))
    if lower_bound:
        meta["total_is_lower_bound"] = True
    if following:
        meta["next"] = following
    return Page(items=items, meta=meta)


def write_cursor(key: str, id: int) -> str:
    """Return an opaque cursor after the item with that sort key and id."""
    return base64.urlsafe_b64encode(json.dumps([key, id]).encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[str, int]:
    """Parse a cursor. Raise ``InvalidQuery`` for an invalid one."""
    try:
        key, last_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise InvalidQuery("cursor") from None
    if not isinstance(key, str) or type(last_id) is not int or not 0 < last_id < 2**63:
        raise InvalidQuery("cursor")
    return key, last_id


def id_of_key(key: str) -> int:
    """Return the id in a cursor's key, for lists sorted by id.

    Raise ``ValueError`` for anything else.
    """
    found = int(key)
    if not 0 < found < 2**63:
        raise ValueError(key)
    return found


# Sort fields whose order would reveal a price: they are only for users who see prices.
PRICED_SORTS = frozenset({"total", "unit_price", "price", "value", "category_code"})
