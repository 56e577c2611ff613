"""Compare the paper of a closed sheet with what is stored."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timedelta

from application.audit.access_log import AccessLog
from application.audit.views import AuditQuery
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.scanning import ReadScan
from application.common.use_case import permitted
from application.forms.work import Read, Views
from application.sheets.closings import sheet_snapshot
from application.sheets.ports import FrozenClosing
from application.sheets.print_sheet import build_printed_sheet
from application.sheets.summary_views import PaperCheckView, PrintedSheetView
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission, Role
from domain.scanning.label import Label, LabelKind, read_label

# How much of a text that is on no paper is quoted.
_MAX_QUOTED = 80
# How many printouts of a sheet are compared with a file.
_MAX_PRINTOUTS = 1_000


@dataclass(frozen=True, slots=True)
class CheckPaper:
    """Return whether a paper was printed from the stored closing.

    ``text`` is what the symbol on the paper contains. It may be typed with spaces.
    """

    read: Read
    read_scan: ReadScan
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, text: str) -> PaperCheckView:
        typed = "".join(self.read_scan(text).text.split())
        if not typed:
            raise Refused(Reason(Code.REQUIRED, "text"))
        with self.read() as views:
            label = read_label(typed, views.installation_number())
            if label is None or label.kind is not LabelKind.CLOSING:
                raise Refused(Reason(Code.PAPER_UNREADABLE, "text", {"text": typed[:_MAX_QUOTED]}))
            if label.foreign:
                raise Refused(Reason(Code.PAPER_FOREIGN, "text", {"text": typed}))
            closing = views.closings.frozen(label.number, label.turn)
            if closing is None:
                raise Refused(Reason(Code.PAPER_UNKNOWN, "text", {"sheet": label.number, "turn": label.turn}))
        self.access_log.note_sheet_read(actor, label.number)
        view = PaperCheckView(
            sheet_id=label.number,
            turn=closing.turn,
            closed_at=closing.closed_at,
            same=_is_same(label, closing),
            closing=sheet_snapshot(closing.document),
        )
        return redact_for(actor, view, PaperCheckView)


@dataclass(frozen=True, slots=True)
class FindPrintouts:
    """Return whether a paper is the same, and its printouts of today.

    Raise ``NotFound`` if this installation has no such closing. ``printed_at`` has no fractions of a second. Only
    operators run this, so there is no permission check.
    """

    read: Read

    def __call__(self, text: str, printed_at: datetime | None) -> tuple[bool, list[PrintedSheetView]]:
        with self.read() as views:
            label = read_label(text, views.installation_number())
            if label is None or label.foreign or label.kind is not LabelKind.CLOSING:
                raise NotFound
            closing = views.closings.frozen(label.number, label.turn)
            if closing is None:
                raise NotFound
            is_same = _is_same(label, closing)
            prints = [*_printouts(views, label, printed_at)] if is_same and printed_at else []
        return is_same, prints


def _is_same(label: Label, closing: FrozenClosing) -> bool:
    """Return whether paper, stored digest and stored document agree."""
    return bool(closing.digest) and closing.digest == closing.found_digest and label.has_digest_of(closing.digest or "")


def _printouts(views: Views, label: Label, printed_at: datetime) -> Iterator[PrintedSheetView]:
    """Yield the printouts of that second, with and without prices.

    Since then the sheet may have been reopened, which is a mark on later papers.
    """
    query = AuditQuery(sheet_id=label.number, action=AuditAction.SHEET_PRINTED, limit=_MAX_PRINTOUTS)
    for found in views.audit.page(query)["items"]:
        user, at = found["user"], found["at"]
        if user is None or not timedelta(0) <= at - printed_at < timedelta(seconds=1):
            continue
        for turn in (None, label.turn):
            view = build_printed_sheet(views, label.number, turn, user_id=user["id"], printed_at=at)
            if view["turn"] != label.turn:
                continue
            for reopened in {view["reopened"], False}:
                for role in (Role.ADMIN, Role.USER):
                    reader = Actor(user_id=user["id"], role=role, staff_id=None)
                    printout = deepcopy(view)
                    printout["reopened"] = reopened
                    yield redact_for(reader, printout, PrintedSheetView)
