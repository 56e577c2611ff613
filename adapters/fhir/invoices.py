"""Invoices, which are built from closings instead of a list."""

from collections.abc import Iterator
from datetime import datetime

from adapters.fhir import resources
from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import (
    MAX_PAGE_SIZE,
    UNKNOWN_CURSOR,
    Deleted,
    Narrowing,
    SearchContext,
    Step,
    changed_since,
)
from adapters.fhir.search_parameters import MAX_TURN, number_of, turn_of
from application.common.entities import SHEET
from application.reports.read_for_fhir import INVOICES
from application.sheets.ports import ClosingRecord
from domain.common.errors import NotFound

_Place = tuple[int, int]


def read(context: SearchContext, id: str) -> Resource:
    """Return one invoice. Raise ``Deleted`` or ``NotFound``."""
    sheet, turn = _place_of(id, "-")
    found = turn and context.use_cases.fhir.read_closing_records.one(context.actor, sheet, turn)
    if found:
        return resources.invoice(found, _last_changes(context, [sheet]).get(sheet), context.currency)
    raise Deleted if id in {invoice for _, invoice in _deleted(context, [sheet])} else NotFound


def walk(context: SearchContext, narrowing: Narrowing, cursor: str | None) -> Iterator[Step]:
    """Yield a step per invoice after the cursor, by sheet and closing."""
    place = (0, 0)
    if cursor is not None:
        place = _place_of(cursor, ".")
        if not all(place):
            raise UNKNOWN_CURSOR
    if narrowing.fhir_ids is not None:
        sheets = sorted({_place_of(one, "-")[0] for one in narrowing.fhir_ids} - {0})
        yield from _walk_sheets(context, narrowing, place, sheets)
    elif narrowing.changed is None:
        yield from _walk_all(context, narrowing, place)
    else:
        # The sheet of the cursor may have more invoices.
        behind = place[0] - 1 if place[0] else 0
        while ids := changed_since(context, INVOICES, narrowing.changed, behind, most=MAX_PAGE_SIZE):
            yield from _walk_sheets(context, narrowing, place, ids)
            behind = ids[-1]
            if len(ids) < MAX_PAGE_SIZE:
                return


def _walk_all(context: SearchContext, narrowing: Narrowing, place: _Place) -> Iterator[Step]:
    read_records = context.use_cases.fhir.read_closing_records
    while found := read_records(
        context.actor, *place, most=MAX_PAGE_SIZE, patient_id=narrowing.query.get("patient_id")
    ):
        yield from _steps(context, narrowing, found)
        if len(found) < MAX_PAGE_SIZE:
            return
        place = (found[-1].sheet_id, found[-1].turn)


def _walk_sheets(context: SearchContext, narrowing: Narrowing, place: _Place, ids: list[int]) -> Iterator[Step]:
    """Yield the invoices of some sheets, including deleted ones."""
    steps: dict[_Place, Step] = {}
    after, seen = place, set[int]()
    read_records = context.use_cases.fhir.read_closing_records
    while found := read_records(
        context.actor, *after, most=MAX_PAGE_SIZE, patient_id=narrowing.query.get("patient_id"), sheet_ids=ids
    ):
        steps |= {_place_of(step.place, "."): step for step in _steps(context, narrowing, found)}
        seen |= {one.sheet_id for one in found}
        after = (found[-1].sheet_id, found[-1].turn)
    if narrowing.with_deleted:
        for at, fhir_id in _deleted(context, [one for one in ids if one not in seen]):
            fits = narrowing.fits({"fhir_id": fhir_id}, at)
            if _place_of(fhir_id, "-") > place:
                gone = resources.deleted("Invoice", fhir_id, at) if fits else None
                steps[_place_of(fhir_id, "-")] = Step(fhir_id.replace("-", "."), gone)
    yield from (step for _, step in sorted(steps.items()))
    if ids and not steps:
        yield Step(f"{ids[-1]}.{MAX_TURN}", None, len(ids))


def _steps(context: SearchContext, narrowing: Narrowing, found: list[ClosingRecord]) -> Iterator[Step]:
    changes = _last_changes(context, sorted({one.sheet_id for one in found}))
    for one in found:
        changed = changes.get(one.sheet_id)
        invoice = resources.invoice(one, changed, context.currency)
        fits = narrowing.fits({**invoice, "fhir_id": invoice["id"]}, changed)
        yield Step(f"{one.sheet_id}.{one.turn}", invoice if fits else None)


def _last_changes(context: SearchContext, sheet_ids: list[int]) -> dict[int, datetime]:
    return context.use_cases.fhir.read_last_changes(context.actor, INVOICES, sheet_ids)


def _deleted(context: SearchContext, sheet_ids: list[int]) -> Iterator[tuple[datetime, str]]:
    """Yield time and id of the invoices that were deleted with their sheets."""
    deletions = context.use_cases.fhir.read_last_changes.deletions(context.actor, SHEET, sheet_ids)
    for sheet, deletion in deletions.items():
        _, closings = deletion.changes.get("closings", (None, 0))
        for turn in range(1, int(closings or 0) + 1):
            yield deletion.at, f"{sheet}-{turn}"


def _place_of(text: str, separator: str) -> _Place:
    """Return sheet and closing of an id or cursor; zeros if invalid."""
    sheet, turn = (text.partition(separator)[part] for part in (0, 2))
    return (number_of(sheet), turn_of(turn)) if number_of(sheet) and turn_of(turn) else (0, 0)
