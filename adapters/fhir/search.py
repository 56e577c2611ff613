"""FHIR search: filters and paging.

A search reads items in the order of their ids, so that following the pages returns each item once. The list filters as
much as it can. Then all parameters are tested on each item, with the meaning that the standard gives them.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from adapters.fhir import invoices, resources
from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import (
    MAX_PAGE_SIZE,
    OF_ALL,
    UNKNOWN_CURSOR,
    Deleted,
    Narrowing,
    ResourceSource,
    ResourceType,
    SearchContext,
    Step,
    changed_since,
)
from adapters.fhir.resource_types import SEARCHABLE, TYPES
from adapters.fhir.search_parameters import BadSearch, SearchParameter, number_of
from application.records.list_reader import ListReader
from application.reports.changes import Tracked
from application.sheets.detail_views import DetailQuery
from domain.common.errors import NotFound
from domain.common.policy import Permission

# Maximum number of items that are examined for one page, with and without a match. Later ones are on the next page.
MAX_LOOKED_AT = 2_000
MAX_LOOKED_AT_UNTIL_FOUND = 100_000


@dataclass(frozen=True, slots=True)
class Found:
    """A page of results, the cursor of the next page and the items examined."""

    resources: list[Resource]
    following: str | None
    looked_at: int


def read(context: SearchContext, kind: str, id: str) -> Resource:
    """Return one resource.

    Raise ``Deleted`` if it was deleted, or ``NotFound`` if it never existed.
    """
    of_type = require_access(context, kind)
    if kind == "Invoice":
        return invoices.read(context, id)
    for source in of_type.sources:
        number = number_of(id, source.prefix)
        if number:
            [view] = source.extend(context, [_one(context, source, number)])
            changed = _last_changes(context, source, [number])
            return source.resource(view, changed.get(number), context)
    raise NotFound


def _one(context: SearchContext, source: ResourceSource, number: int) -> Any:
    browse = source.browse(context.use_cases)
    if isinstance(source.query, DetailQuery):
        # A voided line is returned too: only the list includes it.
        query = replace(source.query, ids=frozenset({number}), behind=0)
        found = [view for view in browse.page(context.actor, query)["items"] if source.such(view)]
        if found:
            return found[0]
    else:
        try:
            return browse.one(context.actor, number)
        except NotFound:
            pass
    raise Deleted if _deletions(context, source, [number]) else NotFound


def search(
    context: SearchContext,
    kind: str,
    asked: Sequence[SearchParameter],
    *,
    count: int,
    cursor: str | None = None,
    most: int | None = None,
) -> Found:
    """Return a page of results. Raise ``BadSearch`` for unsupported values.

    The first page is not empty if there is another one, unless only ``most`` items may be examined.
    """
    of_type = require_access(context, kind)
    narrowing = Narrowing()
    for given in asked:
        SEARCHABLE[kind][given.name][1](narrowing, given, context)
    # A deleted resource has no other values that could be compared.
    narrowing.with_deleted = narrowing.changed is not None and all(given.name in OF_ALL for given in asked)
    count = max(1, min(count, MAX_PAGE_SIZE))
    steps = (
        invoices.walk(context, narrowing, cursor) if kind == "Invoice" else _walk(context, of_type, narrowing, cursor)
    )
    found: list[Resource] = []
    looked_at = 0
    for step in steps:
        looked_at += step.looked_at
        if step.resource is not None:
            found.append(step.resource)
        limit = most or (MAX_LOOKED_AT if found else MAX_LOOKED_AT_UNTIL_FOUND)
        if len(found) == count or looked_at >= limit:
            if not found and cursor is None and most is None:
                raise BadSearch("none_matches", looked_at=looked_at)
            return Found(found, step.place, looked_at)
    return Found(found, None, looked_at)


def count(context: SearchContext, kind: str, asked: Sequence[SearchParameter], *, most: int) -> int | None:
    """Return the number of results; None after reading ``most`` items."""
    total, looked_at, cursor = 0, 0, None
    while True:
        found = search(context, kind, asked, count=MAX_PAGE_SIZE, cursor=cursor, most=most - looked_at)
        total += len(found.resources)
        looked_at += found.looked_at
        cursor = found.following
        if cursor is None:
            return total
        if looked_at >= most:
            return None


def require_access(context: SearchContext, kind: str) -> ResourceType:
    """Return the type. Raise ``Forbidden`` if the actor may not read it."""
    of_type = TYPES[kind]
    readers = [source.browse(context.use_cases).permission for source in of_type.sources]
    for permission in (Permission.READ_FHIR, *readers, *of_type.permissions):
        context.actor.require(permission)
    return of_type


def _walk(context: SearchContext, of_type: ResourceType, narrowing: Narrowing, cursor: str | None) -> Iterator[Step]:
    """Yield a step per item after the cursor.

    If the list has none of a hundred changed items, they are one step.
    """
    begin, behind = _read_cursor(of_type, cursor)
    for number, source in enumerate(of_type.sources):
        if number < begin:
            continue
        last = behind if number == begin else 0
        browse = source.browse(context.use_cases)
        while True:
            views, gone, more, last = _next(context, browse, source, narrowing, last)
            # A search logs the access to a list once; items that are read by id are each logged.
            if views and "ids" not in narrowing.query and narrowing.changed is None:
                browse = browse.without_access_log
            changes = _last_changes(context, source, [view["id"] for view in views])
            there = {view["id"]: view for view in source.extend(context, views) if view["id"] not in gone}
            for each in sorted({*there, *gone}):
                fhir_id, changed = f"{source.prefix}{each}", gone.get(each) or changes.get(each)
                if each in gone:
                    fits = narrowing.fits({"fhir_id": fhir_id}, changed)
                    answer = partial(resources.deleted, of_type.name, fhir_id, gone[each])
                else:
                    view = there[each]
                    fits = source.such(view) and narrowing.fits({**view, "fhir_id": fhir_id}, changed)
                    answer = partial(source.resource, view, changed, context)
                yield Step(f"{number}.{each}", answer() if fits else None)
            if not more:
                break
            if not views and not gone:
                yield Step(f"{number}.{last}", None, MAX_PAGE_SIZE)


def _next(
    context: SearchContext, browse: ListReader[Any, Any], source: ResourceSource, narrowing: Narrowing, behind: int
) -> tuple[list[Any], dict[int, datetime], bool, int]:
    """Return more items, and times of deletion by id.

    Then whether others follow, and the id to continue after.
    """
    known = {name: value for name, value in narrowing.query.items() if hasattr(source.query, name)}
    query = replace(source.query, limit=MAX_PAGE_SIZE, behind=behind, **known)
    if narrowing.changed is None or query.ids is not None:
        page = browse.page(context.actor, query)
        views, following = page["items"], page["meta"].get("next")
        asked = frozenset(query.ids or ())
        gone = _gone(context, source, narrowing, views, asked)
        return views, gone, following is not None, int(following or 0)
    assert source.tracked, "these have a parameter _lastUpdated of their own"
    ids = changed_since(context, source.tracked, narrowing.changed, behind, most=MAX_PAGE_SIZE)
    if not ids:
        return [], {}, False, 0
    views = browse.page(context.actor, replace(query, ids=frozenset(ids)))["items"]
    return views, _gone(context, source, narrowing, views, frozenset(ids)), len(ids) == MAX_PAGE_SIZE, ids[-1]


def _gone(
    context: SearchContext, source: ResourceSource, narrowing: Narrowing, views: list[Any], ids: frozenset[int]
) -> dict[int, datetime]:
    """Return when those of the ids were deleted that are not in the list."""
    if not narrowing.with_deleted:
        return {}
    return _deletions(context, source, ids - {view["id"] for view in views if source.such(view)})


def _last_changes(context: SearchContext, source: ResourceSource, ids: Collection[int]) -> dict[int, datetime]:
    if source.tracked is None:
        return {}
    return context.use_cases.fhir.read_last_changes(context.actor, source.tracked, ids)


def _deletions(context: SearchContext, source: ResourceSource, ids: Collection[int]) -> dict[int, datetime]:
    """Return when those resources were deleted that existed once."""
    if not ids or source.tracked is None:
        return {}
    read_last_changes = context.use_cases.fhir.read_last_changes
    deleted = read_last_changes.deletions(context.actor, source.kind, ids)
    if not source.such_by:
        return {each: deletion.at for each, deletion in deleted.items()}
    # The item may exist without being such a one any more: its last change made it so.
    were = read_last_changes(context.actor, Tracked(source.kind, source.such_by), ids)
    return {each: deleted[each].at if each in deleted else at for each, at in were.items()}


def _read_cursor(of_type: ResourceType, cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 0, 0
    number, _, last = cursor.partition(".")
    if number not in map(str, range(len(of_type.sources))) or number_of(last) == 0:
        raise UNKNOWN_CURSOR
    return int(number), number_of(last)
