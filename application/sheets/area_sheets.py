"""Open and read the sheets of areas: what they use for no patient."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from application.audit.audit_log import Changes, entry_by_id
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.area_views import AreaPagesView, AreaSheetView
from application.sheets.work import Begin, Read, UnitOfWork
from domain.common.day import day_of
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.sheets.sheet import MAX_LINES, AreaSheet

MAX_LISTED = 50


class OpenedPage(NamedTuple):
    """The page of an area, and whether it was added."""

    view: AreaSheetView
    is_new: bool


@dataclass(frozen=True, slots=True)
class OpenAreaSheet:
    """Return the page of an area for this month, adding it if there is none.

    A full page gets another one beside it. If two users open it at once, both get the same page.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(self, actor: Actor, area_id: int) -> OpenedPage:
        now = self.clock()
        month = day_of(now, self.zone).replace(day=1)
        with self.begin() as work:
            if work.areas.get(area_id) is None:
                raise NotFound
            page, is_new = work.sheets.page_of(area_id, month), False
            if page is None or page.lines >= MAX_LINES:
                page, is_new = _add(work, actor, now, AreaSheet(area_id=area_id, month=month, part=_part_after(page)))
            view = work.views.area_sheets.one(page.id)
        assert view is not None, "pages stay"
        return OpenedPage(redact_for(actor, view, AreaSheetView), is_new)


def _part_after(page: AreaSheet | None) -> int:
    return page.part + 1 if page else 1


def _add(work: UnitOfWork, actor: Actor, at: datetime, page: AreaSheet) -> tuple[AreaSheet, bool]:
    """Add the page, or return the one that another user added meanwhile."""
    if not work.sheets.add_page(page):
        added = work.sheets.page_of(page.area_id, page.month)
        assert added is not None, "it was in the way just now"
        return added, False
    changes: Changes = {"month": (None, month_text(page.month)), "part": (None, page.part)}
    action = AuditAction.AREA_SHEET_OPENED
    work.audit_log.append(entry_by_id(actor, at, action, page.area_id, changes, sheet_id=page.id))
    return page, True


def month_text(month: date) -> str:
    """Return a month like 2026-11."""
    return f"{month:%Y-%m}"


@dataclass(frozen=True, slots=True)
class ReadAreaSheet:
    """Return the page of an area."""

    read: Read

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> AreaSheetView:
        with self.read() as views:
            view = views.area_sheets.one(sheet_id)
        if view is None:
            raise NotFound
        return redact_for(actor, view, AreaSheetView)

    @permitted(Permission.READ_SHEETS)
    def version(self, actor: Actor, sheet_id: int) -> int | None:
        """Return the version of the page, if it exists."""
        with self.read() as views:
            return views.area_sheets.version(sheet_id)


@dataclass(frozen=True, slots=True)
class ListAreaSheets:
    """List the pages of an area, up to ``MAX_LISTED`` at a time."""

    read: Read

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, area_id: int, before: int | None = None) -> AreaPagesView:
        with self.read() as views:
            if area_id not in views.names("area_id", {area_id}):
                raise NotFound
            found = views.area_sheets.of_area(area_id, before=before, most=MAX_LISTED + 1)
        return redact_for(actor, AreaPagesView(items=found[:MAX_LISTED], more=len(found) > MAX_LISTED), AreaPagesView)
