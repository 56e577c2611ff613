"""Summarize a sheet before it is closed."""

from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal

from application.audit.access_log import AccessLog
from application.catalogue.views import CategoryView
from application.common.clock import Clock
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.summary_views import CategoryTallyView, DayTallyView, SheetSummaryView
from application.sheets.unlisted_views import open_unlisted_items
from application.sheets.work import Read
from domain.common.day import day_of
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.sheets.anomalies import highest_total_unasked
from domain.sheets.sheet import recording_window_start
from domain.sheets.summary import Summary


@dataclass(frozen=True, slots=True)
class SummarizeSheet:
    """Return the totals of a sheet by day and category.

    Days without lines and lines that are incomplete or far out are listed, so that users can correct them before
    closing. The summary has the version of the sheet, so that only this version is closed.
    """

    read: Read
    access_log: AccessLog
    clock: Clock
    zone: tzinfo
    ask_above_total: Decimal

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> SheetSummaryView:
        with self.read() as views:
            totals = views.summaries.totals(sheet_id)
            if totals is None:
                raise NotFound
            incomplete_lines = views.summaries.incomplete_lines(sheet_id)
            far_out = views.summaries.far_out_lines(sheet_id, highest_total_unasked(actor, self.ask_above_total))
            unlisted = open_unlisted_items(views, sheet_id)
        summary = Summary(totals.portions)
        now = self.clock()
        last = day_of(totals.closed_at or now, self.zone)
        view = SheetSummaryView(
            consumption_sheet_id=sheet_id,
            lines=summary.all.lines,
            total=summary.all.total,
            days=[
                DayTallyView(day=day, lines=tally.lines, total=tally.total)
                for day, tally in summary.by_day_of_stay(totals.admission_date, last)
            ],
            recordable_from=recording_window_start(now, actor),
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
            far_out=far_out,
            incomplete_implants=[line.implant for line in incomplete_lines if line.implant],
            unlisted_items=unlisted,
            version=totals.version,
        )
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, view, SheetSummaryView)
