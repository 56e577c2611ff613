"""Print a sheet: all that stands on it, as it is handed over."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.as_seen_by import as_seen_by
from application.audit_log import AuditEntry
from application.entities import SHEET, AuditAction
from application.paging import Sort
from application.people import name_of_user
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.ports.views import Read, Views
from application.views import (
    AuditQuery,
    CategoryView,
    DetailQuery,
    DetailView,
    PrintedCategoryView,
    PrintedDayView,
    PrintedSheetView,
    SheetView,
)
from domain.policy import Actor, Permission
from domain.product import Category
from domain.refusal import NotFound
from domain.summary import Portion, Summary, Tally, portions_with_lines

# How often an open sheet is read anew because someone recorded on it meanwhile.
_TRIES = 5
_AT_A_TIME = 1_000


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """A sheet with its lines by day and category, and what they come to; without prices for those who see none.

    Its total is always that of the lines which stand on it. Who took it out is part of the sheet's story.
    """

    begin: Begin
    read: Read
    clock: Clock

    def __call__(self, actor: Actor, sheet_id: int) -> PrintedSheetView:
        actor.must(Permission.READ_SHEETS)
        with self.read() as views:
            sheet, details = _of_one_moment(views, sheet_id)
            patient = views.patients.one(sheet["patient_id"])
            area_id = sheet["room"]["area_id"]
            area = views.names("area_id", {area_id}).get(area_id)
            printed_by = name_of_user(views, actor.user_id)
            reopenings = views.audit.page(AuditQuery(sheet_id=sheet_id, action=AuditAction.SHEET_REOPENED, limit=1))
        groups = portions_with_lines((_portion_of(detail), detail) for detail in details)
        summary = Summary(portion for portion, _ in groups)
        printed_at = self.clock()
        view = PrintedSheetView(
            sheet=sheet,
            record_number=patient["record_number"] if patient else None,
            date_of_birth=patient["date_of_birth"] if patient else None,
            area=area,
            lines=summary.all.lines,
            total=summary.all.total,
            days=[
                PrintedDayView(
                    day=day,
                    lines=tally.lines,
                    total=tally.total,
                    categories=[_category(portion, those) for portion, those in groups if portion.day == day],
                )
                for day, tally in summary.by_day
            ],
            reopened=reopenings["meta"]["total"] > 0,
            printed_by=printed_by,
            printed_at=printed_at,
        )
        with self.begin() as work:
            work.audit_log.append(
                AuditEntry(
                    at=printed_at,
                    user_id=actor.user_id,
                    action=AuditAction.SHEET_PRINTED,
                    entity=SHEET.name,
                    entity_id=sheet_id,
                    changes={},
                    sheet_id=sheet_id,
                    patient_id=sheet["patient_id"],
                )
            )
        return as_seen_by(actor, view)


def _of_one_moment(views: Views, sheet_id: int) -> tuple[SheetView, list[DetailView]]:
    """The sheet and its details, read until nobody changed it in between."""
    tries = 0
    while True:
        sheet = views.sheets.one(sheet_id)
        if sheet is None:
            raise NotFound
        details = list(_details(views, sheet_id))
        tries += 1
        if tries == _TRIES or views.version_of_sheet(sheet_id) == sheet["version"]:
            return sheet, details


def _details(views: Views, sheet_id: int) -> Iterator[DetailView]:
    """All of them, in the order in which they were recorded."""
    query = DetailQuery(consumption_sheet_id=sheet_id, sort=Sort("created_at"), limit=_AT_A_TIME)
    while True:
        items = views.details.page(query)["items"]
        yield from items
        if len(items) < query.limit:
            return
        query = replace(query, page=query.page + 1)


def _portion_of(detail: DetailView) -> Portion:
    category = detail["product"]["category"]
    return Portion(
        detail["day"],
        Category(id=category["id"], code=category["code"], name=category["name"]),
        Tally(1, detail["total"]),
    )


def _category(portion: Portion, details: list[DetailView]) -> PrintedCategoryView:
    category = portion.category
    return PrintedCategoryView(
        category=CategoryView(id=category.id, code=category.code, name=category.name),
        lines=portion.tally.lines,
        total=portion.tally.total,
        details=details,
    )
