"""Summarize a sheet before it is closed."""

from dataclasses import dataclass

from application.audit.access_log import AccessLog
from application.ports.views import Read
from application.redaction import redact_for
from application.sheets.unlisted_views import open_unlisted_items
from application.views.catalogue import CategoryView
from application.views.summaries import CategoryTallyView, DayTallyView, SheetSummaryView
from domain.errors import NotFound
from domain.policy import Actor, Permission
from domain.summary import Summary


@dataclass(frozen=True, slots=True)
class SummarizeSheet:
    """Return the totals of a sheet by day and category.

    Incomplete lines are listed, so that users can correct them before closing. The summary has the version of the
    sheet, so that only this version is closed.
    """

    read: Read
    access_log: AccessLog

    def __call__(self, actor: Actor, sheet_id: int) -> SheetSummaryView:
        actor.require(Permission.READ_SHEETS)
        with self.read() as views:
            found = views.summaries.portions(sheet_id)
            if found is None:
                raise NotFound
            incomplete_lines = views.summaries.incomplete_lines(sheet_id)
            unlisted = open_unlisted_items(views, sheet_id)
        version, portions = found
        summary = Summary(portions)
        view = SheetSummaryView(
            consumption_sheet_id=sheet_id,
            lines=summary.all.lines,
            total=summary.all.total,
            days=[DayTallyView(day=day, lines=tally.lines, total=tally.total) for day, tally in summary.by_day],
            categories=[
                CategoryTallyView(
                    category=CategoryView(id=category.id, code=category.code, name=category.name),
                    lines=tally.lines,
                    total=tally.total,
                )
                for category, tally in summary.by_category
            ],
            without_quantity=[line.view for line in incomplete_lines if line.without_quantity],
            without_price=[line.view for line in incomplete_lines if line.without_price],
            unlisted_items=unlisted,
            version=version,
        )
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, view, SheetSummaryView)
