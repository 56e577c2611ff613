r"""Lists: filters, search, sort and paging as one cached statement.

A ``ListSpec`` describes a list, and ``TableView`` builds its statements, once per shape of query. The areas are an
example::

    AREA_VIEW = RowShape[AreaView](AreaView, areas)

    AREAS = ListSpec[AreaView, ListQuery](
        source=select(*AREA_VIEW.columns),
        id=areas.c.id,
        order=(areas.c.name_folded, areas.c.id),
        sorts={"id": areas.c.id, "name": areas.c.name_folded},
        searched=(areas.c.name_folded,),
        to_item=AREA_VIEW.read,
    )

The third page, ``ListQuery(page=3, limit=25)``, with ``limit`` 26 and ``offset`` 50 on SQLite. The page is selected
first and joined with its columns afterwards; the row beyond the limit shows that another page follows::

    SELECT areas.id, areas.name, areas.code
    FROM (SELECT areas.id AS id
    FROM areas ORDER BY areas.name_folded, areas.id
    LIMIT :limit OFFSET :offset) AS page JOIN areas ON page.id = areas.id ORDER BY areas.name_folded, areas.id

The number of all items, if this page does not show it. On PostgreSQL it is a column ``counted`` of the page, to save a
round trip::

    SELECT count(*) AS count_1
    FROM (SELECT :param_1 AS anon_2
    FROM areas) AS anon_1

A search, ``ListQuery(limit=25, q="Cirugía")``, with ``word0`` "%cirugia%" and ``beginning`` "cirugia%". A search reads
all matches, so the columns are not joined afterwards, and names that begin with the text come first::

    SELECT areas.id, areas.name, areas.code
    FROM areas
    WHERE areas.name_folded LIKE :word0 ESCAPE '\'
    ORDER BY areas.name_folded LIKE :beginning ESCAPE '\' DESC, areas.name_folded, areas.id
    LIMIT :limit OFFSET :offset
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import (
    Column,
    ColumnClause,
    ColumnElement,
    Connection,
    Exists,
    FromClause,
    Join,
    Row,
    ScalarSelect,
    Select,
    SelectBase,
    Subquery,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    tuple_,
)

from adapters.sql.engine.driver_execute import execute
from application.common.paging import (
    COUNT_LIMIT,
    InvalidQuery,
    ListQuery,
    Page,
    Sort,
    page_of,
    read_cursor,
    write_cursor,
)
from domain.catalogue.product import gtin_key
from domain.common.errors import Code, Reason, Refused
from domain.common.text import MIN_CODE_PART, MIN_CODE_PREFIX, code_key, fold, fold_code, unique_key

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery)

MAX_WORDS = 100
_ANY_NUMBER = 2**62
INDEXED_LETTERS = 3
_TRIGRAM = re.compile("[a-z0-9]{3}")


class Tiers(Protocol):
    """Custom search of a list: conditions in order of rank."""

    def ask(self, text: str) -> tuple[Hashable, Mapping[str, Any]]:
        """Return the shape of a text, and the parameters of its conditions."""

    def conditions(self, shape: Any) -> Sequence[ColumnElement[bool]]:
        """Return the conditions for a shape, best rank first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ListSpec(Generic[Item, Query]):
    """Definition of a list.

    ``source`` selects all items with joins, exactly one row per row of the main table. Words are searched in the folded
    columns ``searched``; the first one is the name, which ranks higher if the text is its beginning. ``words_of``
    splits a text into words. Rank: items whose ``exact`` column equals the text, then those whose folded ``code`` does,
    last those with the text in a part of the code. ``filters`` are conditions with a bound parameter of the same name;
    ``filters_of`` returns the values of the active ones. ``order`` is the order without a search. A list with a
    ``cursor_key`` is ordered by it, newest first, and has cursors.
    """

    source: Select[Any]
    id: Column[int]
    order: tuple[ColumnElement[Any], ...]
    sorts: Mapping[str, ColumnElement[Any]]
    searched: tuple[ColumnElement[str], ...]
    to_item: Callable[[Row[Any]], Item]
    # Conditions of every query. They are not part of ``source``: the rows of a page need not be tested again, and
    # PostgreSQL would estimate too few rows.
    always: tuple[ColumnElement[bool], ...] = ()
    filters: Mapping[str, ColumnElement[bool]] = field(default_factory=dict)
    filters_of: Callable[[Query], Mapping[str, Any]] = lambda _: {}
    words_of: Callable[[str], list[str]] = lambda text: fold(text).split()
    exact: tuple[ColumnElement[Any], ...] = ()
    # Matches other identifiers that equal the text; bound to ``exactly`` and, in 14 digits, ``gtin``.
    known_as: ColumnElement[bool] | None = None
    code: ColumnElement[Any] | None = None
    # Matches parts of the folded ``code`` by a full-text index; bound to ``code_match``.
    code_match: ColumnElement[bool] | None = None
    bounded: bool = True
    cursor_key: ColumnElement[Any] | None = None
    key_of: Callable[[Item], tuple[str, int]] | None = None
    read_key: Callable[[str], Any] = str
    # Matches words of three or more characters by a full-text index; bound to ``match``.
    match: ColumnElement[bool] | None = None
    # Replaces all of the search by words and codes.
    tiers: Tiers | None = None

    def needs_full_sort(self, sort: Sort) -> bool:
        """Return whether a sort must gather all filtered items first.

        True for unbounded lists in any order but their own, in which filters have their indexes. In another order, a
        scan of the sort's index may read years of other rows before it meets a match, and databases are optimistic
        about this.
        """
        return not self.bounded and self.sorts[sort.field] is not getattr(self.order[0], "element", None)


class TableView(Generic[Item, Query]):
    """Read model of a list."""

    def __init__(self, connection: Connection, listed: ListSpec[Item, Query]) -> None:
        self._connection = connection
        self._listed = listed

    def one(self, id: int) -> Item | None:
        row = self._connection.execute(_one(self._listed), {"this_id": id}).one_or_none()
        return None if row is None else self._listed.to_item(row)

    def page(self, query: Query) -> Page[Item]:
        """Return a page of the list."""
        listed = self._listed
        filters = {name: value for name, value in listed.filters_of(query).items() if value is not None}
        words = listed.words_of(query.q or "")[:MAX_WORDS]
        text_shape, text_values = listed.tiers.ask(query.q or "") if words and listed.tiers else (None, {})
        code = fold_code(query.q or "") if words and listed.code is not None else ""
        is_part, is_inner_part = len(code) >= MIN_CODE_PREFIX, len(code) >= MIN_CODE_PART
        indexed = [word for word in words if len(word) >= INDEXED_LETTERS] if listed.match is not None else []
        scanned = [] if listed.tiers else [word for word in words if word not in indexed]
        # Those with a trigram first.
        scanned.sort(key=has_trigram, reverse=True)
        params: dict[str, Any] = {**filters, **text_values}
        params |= {f"word{number}": f"%{escape_like(word)}%" for number, word in enumerate(scanned)}
        if indexed:
            params["match"] = " AND ".join('"' + word.replace('"', '""') + '"' for word in indexed)
        on_postgresql = self._connection.dialect.name == "postgresql"
        shape = _Shape(
            filters=frozenset(filters),
            text=text_shape,
            trigram_words=sum(map(has_trigram, scanned)),
            short_words=sum(not has_trigram(word) for word in scanned),
            indexed_words=bool(indexed),
            is_code=bool(code),
            is_code_part=is_part,
            is_inner_code_part=is_inner_part,
            words=len(words) if is_part else 0,
            sort=query.sort,
            after=query.cursor is not None,
            behind=query.behind is not None,
            of_ids=query.ids is not None,
            counted=query.behind is None and listed.bounded and on_postgresql,
            gathered=bool(filters and not words and query.sort and listed.needs_full_sort(query.sort)),
        )
        counting, listing = _statements(listed, shape)
        if words and not listed.tiers:
            params["beginning"] = f"{escape_like(' '.join(words))}%"
            params["exactly"] = (unique_key if listed.code is None else code_key)((query.q or "").strip())
            params["code"] = code
            if is_part:
                params |= {f"each{number}": f"%{escape_like(word)}%" for number, word in enumerate(words)}
                params |= {"code_end": f"{code}\U0010ffff", "code_inside": f"%{escape_like(code)}%"}
                params["code_match"] = f'"{code}"'
            if listed.known_as is not None:
                params["gtin"] = gtin_key(params["exactly"])
        if query.behind is not None:
            params["behind"] = query.behind
        if query.ids is not None:
            params["ids"] = sorted(query.ids)
        params["offset"] = 0 if shape.after or shape.behind else query.first
        # One more than the page shows whether there is a next page.
        params["limit"] = query.limit + 1
        if query.cursor is not None:
            key, last_id = read_cursor(query.cursor)
            try:
                params |= {"after_key": listed.read_key(key), "after_id": last_id}
            except ValueError:
                raise InvalidQuery("cursor") from None
        if shape.gathered:
            # One more than the limit shows that there are too many to sort.
            params["max_gathered"] = (query.max_ordered or _ANY_NUMBER) + 1
        rows = execute(self._connection, listing, params)
        if shape.gathered and query.max_ordered and rows and rows[0][-1] > query.max_ordered:
            raise Refused(Reason(Code.SORT_TOO_MANY, params={"most": query.max_ordered}))
        if query.behind is not None:
            items = [listed.to_item(row) for row in rows[: query.limit]]
            following = str(items[-1]["id"]) if len(rows) > query.limit else None  # type: ignore[index]
            return page_of(items, query, len(items), following=following)
        # If the last item is on this page, the total is known.
        if len(rows) <= query.limit and not shape.after and (rows or not params["offset"]):
            total = params["offset"] + len(rows)
        elif rows and (shape.counted or shape.gathered):
            total = rows[0][-1]
        else:
            [(total,)] = execute(self._connection, counting, params)
        items = [listed.to_item(row) for row in rows[: query.limit]]
        following = None
        if len(rows) > query.limit:
            has_key = listed.key_of and not words and query.sort is None
            following = write_cursor(*listed.key_of(items[-1])) if listed.key_of and has_key else query.next_offset()
        return page_of(items, query, total, bounded=listed.bounded, following=following)

    def texts(self, query: Query, text: ColumnElement[str]) -> Iterable[tuple[int, str]]:
        """Yield id and text of all filtered items."""
        listed = self._listed
        filters = {name: value for name, value in listed.filters_of(query).items() if value is not None}
        statement = _texts(listed, frozenset(filters), text)
        yield from self._connection.execute(statement, filters)


@dataclass(frozen=True)
class _Shape:
    """Shape of a query, independent of its values."""

    filters: frozenset[str]
    # For lists with a custom search.
    text: Hashable | None
    trigram_words: int
    short_words: int
    indexed_words: bool
    is_code: bool
    is_code_part: bool
    is_inner_code_part: bool
    # Number of words that distinguish matches by name from matches by a part of the code.
    words: int
    sort: Sort | None
    after: bool
    behind: bool
    of_ids: bool
    # Each row ends with the total, which saves a round trip. SQLite has no round trips.
    counted: bool
    # Filter first and sort afterwards; each row ends with the number of filtered items.
    gathered: bool


@lru_cache(maxsize=64)
def _one(listed: ListSpec[Any, Any]) -> Select[Any]:
    return listed.source.where(*listed.always, listed.id == bindparam("this_id"))


@lru_cache(maxsize=64)
def _texts(listed: ListSpec[Any, Any], filters: frozenset[str], text: ColumnElement[str]) -> Select[Any]:
    conditions = [*listed.always, *(listed.filters[name] for name in sorted(filters))]
    columns: tuple[ColumnElement[Any], ...] = (listed.id, text.label("text"))
    return listed.source.with_only_columns(*columns, maintain_column_froms=True).where(*conditions)


@lru_cache(maxsize=512)
def _statements(listed: ListSpec[Any, Any], shape: _Shape) -> tuple[Select[Any], Select[Any]]:
    """Return the counting and the listing statement."""
    conditions = [*listed.always, *(listed.filters[name] for name in sorted(shape.filters))]
    if shape.behind:
        conditions.append(listed.id > bindparam("behind"))
    if shape.of_ids:
        conditions.append(listed.id.in_(bindparam("ids", expanding=True)))
    if shape.indexed_words and listed.match is not None:
        # ``is_true`` prevents the use of their indexes: without statistics SQLite assumes that any equality is
        # selective.
        conditions = [condition.is_(true()) for condition in conditions]
    words = [
        or_(*(_contains(column, number, by_index=number < shape.trigram_words) for column in listed.searched))
        for number in range(shape.trigram_words + shape.short_words)
    ]
    if shape.indexed_words and listed.match is not None:
        words.append(listed.match)
    tiers = listed.tiers.conditions(shape.text) if listed.tiers and shape.text else ()
    exactly = [column == bindparam("exactly") for column in listed.exact]
    if listed.known_as is not None:
        exactly.append(listed.known_as)
    coded = [listed.code == bindparam("code")] if listed.code is not None and shape.is_code else []
    parts = _parts_of_code(listed, shape)
    if tiers:
        conditions.append(or_(*tiers))
    elif words:
        conditions.append(or_(and_(*words), *exactly, *coded, *parts))
    found = listed.source.where(*conditions)
    where = () if found.whereclause is None else (found.whereclause,)
    one_each = found.with_only_columns(literal(1), maintain_column_froms=True).order_by(None)
    if _references_only(listed.id.table, *where):
        # Joins neither add nor remove rows: without conditions on them they are left out.
        one_each = select(literal(1)).select_from(listed.id.table).where(*where)
    if not listed.bounded:
        one_each = one_each.limit(COUNT_LIMIT + 1)
    counting = select(func.count()).select_from(one_each.subquery())

    order = listed.order
    if shape.behind:
        # As below: filtered rows are sorted, instead of found by an index scan in order of id.
        narrowed = shape.filters or words or tiers
        order = (listed.id + literal_column("0"),) if narrowed and not listed.bounded else (listed.id,)
    elif shape.sort is not None:
        column = listed.sorts[shape.sort.field]
        order = (column.desc(), listed.id.desc()) if shape.sort.descending else (column, listed.id)
    elif tiers:
        # Conditions on a missing number are null.
        order = (*(func.coalesce(tier, literal(False)).desc() for tier in tiers[:-1]), *listed.order)
    elif words:
        beginning = listed.searched[0].like(bindparam("beginning"), escape="\\")
        # A missing code is no exact match.
        first = [func.coalesce(or_(*same), literal(False)).desc() for same in (exactly, coded) if same]
        by_code = []
        if parts:
            each: list[Any] = [bindparam(f"each{number}") for number in range(shape.words)]
            named = and_(*(or_(*(name.like(word, escape="\\") for name in listed.searched)) for word in each))
            # Matches by name rank before those by a part of the code; the beginning of a code before its middle.
            by_code = [named.desc(), func.coalesce(parts[0], literal(False)).desc()]
        order = (*first, beginning.desc(), *by_code, *listed.order)
    if shape.after:
        if listed.cursor_key is None:
            raise InvalidQuery("cursor")
        last = tuple_(bindparam("after_key", type_=listed.cursor_key.type), bindparam("after_id"))
        found = found.where(tuple_(listed.cursor_key, listed.id) < last)
        where = (*where, tuple_(listed.cursor_key, listed.id) < last)
        order = listed.order
    if words or tiers:
        if shape.counted:
            # A search reads all matches anyway.
            found = found.add_columns(func.count().over().label("counted"))
        return counting, found.order_by(*order).limit(bindparam("limit")).offset(bindparam("offset"))
    if shape.gathered and shape.sort is not None:
        return counting, _gathered(listed, found, shape.sort).order_by(*order)
    # Deferred join: select the ids of the page first, mostly from an index only, then read and join these rows.
    # Otherwise PostgreSQL scans all rows in sort order, hoping to find matches early.
    ids = found.with_only_columns(listed.id.label("id"), maintain_column_froms=True)
    if _references_only(listed.id.table, *where, *order):
        ids = select(listed.id.label("id")).where(*where)
    page = ids.order_by(*order).limit(bindparam("limit")).offset(bindparam("offset")).subquery("page")
    listing = _join_page_first(page, listed)
    if shape.counted:
        listing = listing.add_columns(counting.scalar_subquery().label("counted"))
    return counting, listing.order_by(*order)


def has_trigram(word: str) -> bool:
    """Return whether PostgreSQL's index of trigrams can find a word.

    For a word without three letters or digits in a row, it would read the whole index, which takes longer than to read
    all names.
    """
    return _TRIGRAM.search(word) is not None


def _contains(column: ColumnElement[str], number: int, *, by_index: bool) -> ColumnElement[bool]:
    text: ColumnElement[str] = column if by_index else column.concat(literal_column("''"))
    return text.like(bindparam(f"word{number}"), escape="\\")


def _parts_of_code(listed: ListSpec[Any, Any], shape: _Shape) -> list[ColumnElement[bool]]:
    """Return the conditions for the beginning and for any part of a code."""
    if listed.code is None or not shape.is_code_part:
        return []
    begins = and_(listed.code >= bindparam("code"), listed.code < bindparam("code_end"))
    if not shape.is_inner_code_part:
        return [begins]
    holds = listed.code.like(bindparam("code_inside"), escape="\\") if listed.code_match is None else listed.code_match
    return [begins, holds]


def _gathered(listed: ListSpec[Any, Any], found: Select[Any], sort: Sort) -> Select[Any]:
    """Return a page of the gathered and sorted items, with their number."""
    column = listed.sorts[sort.field]
    narrow = found.with_only_columns(listed.id.label("id"), column.label("by"), maintain_column_froms=True)
    gathered = narrow.limit(bindparam("max_gathered")).cte("gathered").prefix_with("MATERIALIZED")
    order = (gathered.c.by.desc(), gathered.c.id.desc()) if sort.descending else (gathered.c.by, gathered.c.id)
    page = select(gathered.c.id).order_by(*order).limit(bindparam("limit")).offset(bindparam("offset")).subquery("page")
    counted = select(func.count()).select_from(gathered).scalar_subquery()
    return _join_page_first(page, listed).add_columns(counted.label("counted"))


def _join_page_first(page: Subquery, listed: ListSpec[Any, Any]) -> Select[Any]:
    """Select the columns of the list for the rows of a page.

    The page is the first table of the join: PostgreSQL joins more than eight tables in the given order, and would
    otherwise join all rows before it selects those of the page.
    """
    table = listed.id.table

    def led(bind_to: FromClause) -> FromClause:
        if isinstance(bind_to, Join):
            return Join(led(bind_to.left), bind_to.right, bind_to.onclause, isouter=bind_to.isouter)
        return page.join(bind_to, page.c.id == table.c.id)

    [bind_to] = listed.source.get_final_froms()
    found = select(*listed.source.selected_columns).select_from(led(bind_to))
    return found if listed.source.whereclause is None else found.where(listed.source.whereclause)


def _references_only(table: FromClause, *clauses: ColumnElement[Any]) -> bool:
    return {one for clause in clauses for one in _tables_of(clause)} <= {table}


def _tables_of(clause: Any) -> Iterator[FromClause]:
    """Yield the tables of the columns in a clause, except those of subqueries."""
    if isinstance(clause, ColumnClause):
        if clause.table is not None:
            yield clause.table
    elif not isinstance(clause, ScalarSelect | Exists | SelectBase):
        for part in clause.get_children():
            yield from _tables_of(part)


def escape_like(text: str) -> str:
    """Escape a text for LIKE."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def parse_cursor_time(key: str) -> datetime:
    """Parse a cursor's key as an aware moment. Raise ``ValueError``."""
    moment = datetime.fromisoformat(key)
    if moment.tzinfo is None:
        raise ValueError(key)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(key) from None
