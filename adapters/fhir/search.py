"""FHIR search: filters and paging.

A search reads items in the order of their ids, so that following the pages returns each item once. The list filters as
much as it can. Then all parameters are tested on each item, with the meaning that the standard gives them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from adapters.fhir import resources
from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import Narrowing, ResourceSource, ResourceType, SearchContext
from adapters.fhir.resource_types import SEARCHABLE, TYPES
from adapters.fhir.search_parameters import FOREVER, BadSearch, SearchParameter, at, number_of, turn_of
from application.list_reader import ListReader
from application.views.details import DetailQuery
from domain.errors import NotFound
from domain.policy import Permission

MAX_PAGE_SIZE = 100
# Maximum number of items that are examined for one page. Later matches are on the next page.
MAX_LOOKED_AT = 2_000
MAX_LOOKED_AT_UNTIL_FOUND = 20_000


@dataclass(frozen=True, slots=True)
class Found:
    """A page of results, the cursor of the next page and the items examined."""

    resources: list[Resource]
    following: str | None
    looked_at: int


class Step(NamedTuple):
    """A step of a search: cursor, resource if it matches, items examined."""

    place: str
    resource: Resource | None
    looked_at: int = 1


def read(context: SearchContext, kind: str, id: str) -> Resource:
    """Return one resource. Raise ``NotFound`` if it does not exist."""
    of_type = _require_access(context, kind)
    if kind == "Invoice":
        found = _invoice(context, id)
        if found is None:
            raise NotFound
        return found[1]
    for source in of_type.sources:
        number = number_of(id, source.prefix)
        if number:
            view = _one(context, source, number)
            changed = context.use_cases.fhir.read_last_changes(context.actor, source.kind, [number])
            return source.resource(view, changed.get(number), context)
    raise NotFound


def _one(context: SearchContext, source: ResourceSource, number: int) -> Any:
    browse = source.browse(context.use_cases)
    if isinstance(source.query, DetailQuery):
        # A voided line is returned too: only the list includes it.
        query = replace(source.query, ids=frozenset({number}), behind=0)
        found = browse.page(context.actor, query)["items"]
        if not found or not source.such(found[0]):
            raise NotFound
        return found[0]
    return browse.one(context.actor, number)


def search(
    context: SearchContext, kind: str, asked: Sequence[SearchParameter], *, count: int, cursor: str | None
) -> Found:
    """Return a page of results. Raise ``BadSearch`` for unsupported values."""
    of_type = _require_access(context, kind)
    narrowing = Narrowing()
    for given in asked:
        SEARCHABLE[kind][given.name][1](narrowing, given, context)
    count = max(1, min(count, MAX_PAGE_SIZE))
    walk = _walk_invoices if kind == "Invoice" else _walk
    found: list[Resource] = []
    looked_at = 0
    for step in walk(context, of_type, narrowing, cursor):
        looked_at += step.looked_at
        if step.resource is not None:
            found.append(step.resource)
        limit = MAX_LOOKED_AT_UNTIL_FOUND if narrowing.until_found and not found else MAX_LOOKED_AT
        if len(found) == count or looked_at >= limit:
            return Found(found, step.place, looked_at)
    return Found(found, None, looked_at)


def count(context: SearchContext, kind: str, asked: Sequence[SearchParameter], *, most: int) -> int | None:
    """Return the number of results; None after reading ``most`` items."""
    total, looked_at, cursor = 0, 0, None
    while True:
        found = search(context, kind, asked, count=MAX_PAGE_SIZE, cursor=cursor)
        total += len(found.resources)
        looked_at += found.looked_at
        cursor = found.following
        if cursor is None:
            return total
        if looked_at >= most:
            return None


def _require_access(context: SearchContext, kind: str) -> ResourceType:
    context.actor.require(Permission.READ_FHIR)
    of_type = TYPES[kind]
    if of_type.permission:
        context.actor.require(of_type.permission)
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
            views, more, last = _next(context, browse, source, narrowing, last)
            # A search logs the access to a list once; items that are read by id are each logged.
            if views and "ids" not in narrowing.query and narrowing.changed is None:
                browse = browse.without_access_log
            changes = context.use_cases.fhir.read_last_changes(
                context.actor, source.kind, [view["id"] for view in views]
            )
            for view in views:
                fhir_id = f"{source.prefix}{view['id']}"
                changed = changes.get(view["id"])
                item = {**view, "fhir_id": fhir_id}
                fits = (
                    source.such(view)
                    and all(test(item) for test in narrowing.tests)
                    and all(changed is not None and test(at(changed)) for test in narrowing.changed_tests)
                )
                yield Step(f"{number}.{view['id']}", source.resource(view, changed, context) if fits else None)
            if not more:
                break
            if not views:
                yield Step(f"{number}.{last}", None, MAX_PAGE_SIZE)


def _next(
    context: SearchContext, browse: ListReader[Any, Any], source: ResourceSource, narrowing: Narrowing, behind: int
) -> tuple[list[Any], bool, int]:
    """Return more items, whether others follow, and the id to continue after."""
    known = {name: value for name, value in narrowing.query.items() if hasattr(source.query, name)}
    query = replace(source.query, limit=MAX_PAGE_SIZE, behind=behind, **known)
    if narrowing.changed is None:
        page = browse.page(context.actor, query)
        following = page["meta"].get("next")
        return page["items"], following is not None, int(following or 0)
    ids = context.use_cases.fhir.read_last_changes.since(
        context.actor,
        source.kind,
        narrowing.changed.start,
        None if narrowing.changed.end == FOREVER else narrowing.changed.end,
        behind=behind,
        most=MAX_PAGE_SIZE,
    )
    if not ids:
        return [], False, 0
    chosen = frozenset(ids) & frozenset(query.ids if query.ids is not None else ids)
    page = browse.page(context.actor, replace(query, ids=chosen))
    return page["items"], len(ids) == MAX_PAGE_SIZE, ids[-1]


def _read_cursor(of_type: ResourceType, cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 0, 0
    number, _, last = cursor.partition(".")
    if number not in map(str, range(len(of_type.sources))) or number_of(last) == 0:
        raise BadSearch("_cursor is none of ours: follow the links of the page before.")
    return int(number), number_of(last)


def _walk_invoices(context: SearchContext, _: ResourceType, narrowing: Narrowing, cursor: str | None) -> Iterator[Step]:
    sheet, turn = 0, 0
    if cursor is not None:
        first, _dot, second = cursor.partition(".")
        sheet, turn = number_of(first), turn_of(second)
        if not sheet or not turn:
            raise BadSearch("_cursor is none of ours: follow the links of the page before.")
    while True:
        if narrowing.fhir_ids is None:
            found = _invoices(context, sheet, turn, most=MAX_PAGE_SIZE, narrowing=narrowing)
        else:
            by_id = sorted(filter(None, (_invoice(context, each) for each in narrowing.fhir_ids)), key=_place)
            found = [one for one in by_id if _place(one) > (sheet, turn)]
        for place, invoice in found:
            changed = at(datetime.fromisoformat(invoice["meta"]["lastUpdated"]))
            fits = all(test({**invoice, "fhir_id": invoice["id"]}) for test in narrowing.tests) and all(
                test(changed) for test in narrowing.changed_tests
            )
            yield Step(place, invoice if fits else None)
        if narrowing.fhir_ids is not None or len(found) < MAX_PAGE_SIZE:
            return
        sheet, turn = _place(found[-1])


def _place(found: tuple[str, Resource]) -> tuple[int, int]:
    sheet, turn = (int(part) for part in found[0].split("."))
    return sheet, turn


def _invoice(context: SearchContext, id: str) -> tuple[str, Resource] | None:
    sheet, turn = (number_of(part) for part in (id.partition("-")[0], id.partition("-")[2]))
    if not sheet or not turn_of(str(turn)):
        return None
    one = context.use_cases.fhir.read_closing_records.one(context.actor, sheet, turn)
    return one and (f"{one.sheet_id}.{one.turn}", resources.invoice(one, context.currency))


def _invoices(
    context: SearchContext, sheet: int, turn: int, *, most: int, narrowing: Narrowing
) -> list[tuple[str, Resource]]:
    patient_id = narrowing.query.get("patient_id")
    found = context.use_cases.fhir.read_closing_records(context.actor, sheet, turn, most=most, patient_id=patient_id)
    return [(f"{one.sheet_id}.{one.turn}", resources.invoice(one, context.currency)) for one in found]
