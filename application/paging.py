"""Pagination: a page of a list, in an order, and the cursor of the next page (docs/contract.md, "Lists")."""

import base64
import binascii
import json
from dataclasses import dataclass, replace
from typing import Generic, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")

# The default and maximum number of items of a list that is not asked for by page.
MAX_ITEMS = 1_000
# Of a list that grows without bound only so much is counted, so that no page costs more than the first one.
COUNTED = 10_000


# So many are ordered within a tenth of a second.
MAX_SORTED = 20_000


# The key of a cursor that counts items instead of naming the last one: no item's sort key.
_OFFSET = "offset"


class InvalidQuery(Exception):
    """The query of a list cannot be understood; ``field`` is the parameter that is wrong."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True, slots=True)
class Sort:
    """The field by which a list is ordered."""

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """What every list can be asked for.

    ``page`` from 1, ``limit`` up to 1,000, ``q`` free text, ``cursor`` from the ``meta.next`` of the page before.
    A list that is not asked for by page is read from an ``offset``; a cursor leads on in whatever order it is.
    Programs walk a list by ids instead: those ``behind`` an id, none of which is counted and none missed or told twice
    whatever is added meanwhile; ``ids``: those of these alone. No more than ``most_ordered`` are put in an order that
    nothing keeps them in.
    """

    page: int = 1
    limit: int = 25
    sort: Sort | None = None
    q: str | None = None
    cursor: str | None = None
    offset: int | None = None
    behind: int | None = None
    ids: frozenset[int] | None = None
    most_ordered: int | None = None

    @property
    def first(self) -> int:
        """The number of items before the first one of this page."""
        return (self.page - 1) * self.limit if self.offset is None else self.offset

    def next_offset(self) -> str | None:
        """Return the cursor of the items that follow, None if the list is asked for by page."""
        return None if self.offset is None else write_cursor(_OFFSET, self.offset + self.limit)


Query = TypeVar("Query", bound=ListQuery)


class Meta(TypedDict):
    """Where a page stands in its list."""

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
    """Replace a cursor that ``next_offset`` wrote by its offset. Raise ``InvalidQuery`` for what is no cursor."""
    if query.cursor is None:
        return query
    key, number = read_cursor(query.cursor)
    return replace(query, cursor=None, offset=number) if key == _OFFSET else query


def page_of(
    items: list[Item], query: ListQuery, total: int, *, bounded: bool = True, following: str | None = None
) -> Page[Item]:
    """The page's answer. ``total`` of a list that is not ``bounded`` was counted up to one more than ``COUNTED``."""
    lower_bound = not bounded and total > COUNTED
    total = COUNTED if lower_bound else total
    meta = Meta(page=query.page, limit=query.limit, total=total, pages=-(-total // query.limit))
    if lower_bound:
        meta["total_is_lower_bound"] = True
    if following:
        meta["next"] = following
    return Page(items=items, meta=meta)


def write_cursor(key: str, id: int) -> str:
    """An opaque cursor behind the item with that sort key and id."""
    return base64.urlsafe_b64encode(json.dumps([key, id]).encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[str, int]:
    """What ``write_cursor`` wrote. Raise ``InvalidQuery`` for anything else."""
    try:
        key, last_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise InvalidQuery("cursor") from None
    if not isinstance(key, str) or type(last_id) is not int or not 0 < last_id < 2**63:
        raise InvalidQuery("cursor")
    return key, last_id


def id_of_key(key: str) -> int:
    """The id that a cursor's key is, in a list that is ordered by ids. Raise ``ValueError`` for anything else."""
    found = int(key)
    if not 0 < found < 2**63:
        raise ValueError(key)
    return found
