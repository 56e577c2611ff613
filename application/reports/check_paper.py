"""Compare the paper of a closed sheet, an account or a month with what is stored."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from application.audit.access_log import AccessLog
from application.audit.views import AuditQuery
from application.billing.ports import WriteChargesMessage
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.scanning import ReadScan
from application.common.use_case import permitted
from application.reports.month_views import FrozenMonth, PrintedMonthView
from application.reports.months import printed_month
from application.reports.work import Read, Views
from application.sheets.account_views import PrintedAccountView
from application.sheets.accounts import FrozenAccount, find_paper, printed_accounts
from application.sheets.closings import sheet_snapshot
from application.sheets.issued_documents import FrozenDocument
from application.sheets.print_sheet import build_printed_sheet
from application.sheets.summary_views import PaperCheckView, PaperMonthView, PrintedSheetView
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission, Role
from domain.reports.month import month_name
from domain.scanning.label import Label, LabelKind, read_label

# How much of a text that is on no paper is quoted.
_MAX_QUOTED = 80
# How many printouts of a sheet are compared with a file.
_MAX_PRINTOUTS = 1_000
# What is refused if a paper of this kind is not stored here.
_PAPERS = {LabelKind.CLOSING: Code.PAPER_UNKNOWN, LabelKind.DOCUMENT: Code.DOCUMENT_UNKNOWN}


@dataclass(frozen=True, slots=True)
class CheckPaper:
    """Return whether a paper was printed from what is stored.

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
            if label is None or label.kind not in _PAPERS:
                raise Refused(Reason(Code.PAPER_UNREADABLE, "text", {"text": typed[:_MAX_QUOTED]}))
            if label.foreign:
                raise Refused(Reason(Code.PAPER_FOREIGN, "text", {"text": typed}))
            frozen = find_paper(views, label)
            month = _find_month(views, label) if frozen is None else None
        if frozen is not None:
            self.access_log.note_sheet_read(actor, frozen.document["sheet"]["id"])
            view = _check_of_sheet(label, frozen)
        elif month is not None and actor.sees_months:
            view = _check_of_month(label, month)
        else:
            params = {"sheet" if label.kind is LabelKind.CLOSING else "number": label.number, "turn": label.turn}
            raise Refused(Reason(_PAPERS[label.kind], "text", params))
        return redact_for(actor, view, PaperCheckView)


class Printouts(NamedTuple):
    """Whether a paper is the same, and what was printed at its moment."""

    same: bool
    sheets: list[PrintedSheetView]
    accounts: list[PrintedAccountView]
    months: list[PrintedMonthView]


@dataclass(frozen=True, slots=True)
class FindPrintouts:
    """Return whether a paper is the same, and its printouts of today.

    Raise ``NotFound`` if this installation has no such paper. ``printed_at`` has no fractions of a second. Only
    operators run this, so there is no permission check.
    """

    read: Read
    write_charges: WriteChargesMessage | None = None

    def __call__(self, text: str, printed_at: datetime | None) -> Printouts:
        with self.read() as views:
            label = read_label(text, views.installation_number())
            if label is None or label.foreign:
                raise NotFound
            if frozen := find_paper(views, label):
                is_same = _is_same(label, frozen)
                at = printed_at if is_same else None
                sheets, accounts = _printed_sheets(views, label, at), _printed_accounts(views, frozen, at)
                return Printouts(is_same, [*sheets], [*accounts], [])
            month = _find_month(views, label)
            if month is None:
                raise NotFound
            is_same = _is_same_month(label, month)
            query = AuditQuery(entity="month", entity_id=month.issued.id, action=AuditAction.MONTH_EXPORTED)
            charges = self.write_charges is not None
            printed = _prints(views, query, printed_at if is_same else None)
            return Printouts(is_same, [], [], [printed_month(views, month, at, charges=charges) for _, at in printed])


def _find_month(views: Views, label: Label) -> FrozenDocument[FrozenMonth] | None:
    """Return the month from which a paper of this installation was printed."""
    month = views.shown_months.one(label.number) if label.kind is LabelKind.DOCUMENT else None
    return month if month and month.issued.turn == label.turn else None


def _check_of_sheet(label: Label, frozen: FrozenAccount) -> PaperCheckView:
    return PaperCheckView(
        kind=label.kind.name.lower(),
        sheet_id=frozen.document["sheet"]["id"],
        turn=frozen.turn,
        closed_at=frozen.at,
        same=_is_same(label, frozen),
        closing=sheet_snapshot(frozen.document),
        month=None,
    )


def _check_of_month(label: Label, frozen: FrozenDocument[FrozenMonth]) -> PaperCheckView:
    issued, document = frozen.issued, frozen.document
    return PaperCheckView(
        kind="month",
        sheet_id=None,
        turn=issued.turn,
        closed_at=issued.issued_at,
        same=_is_same_month(label, frozen),
        closing=None,
        month=PaperMonthView(
            id=issued.id, month=month_name(document["month"]), area=document["area"], total=issued.total
        ),
    )


def _is_same(label: Label, frozen: FrozenAccount) -> bool:
    """Return whether paper, stored digest and stored document agree."""
    return frozen.is_intact and label.has_digest_of(frozen.digest or "")


def _is_same_month(label: Label, month: FrozenDocument[FrozenMonth]) -> bool:
    return month.is_intact and label.has_digest_of(month.issued.digest)


def _prints(views: Views, query: AuditQuery, printed_at: datetime | None) -> Iterator[tuple[int, datetime]]:
    """Yield who printed something in that second, and when."""
    if printed_at is None:
        return
    for found in views.audit.page(replace(query, limit=_MAX_PRINTOUTS))["items"]:
        user, at = found["user"], found["at"]
        if user is not None and timedelta(0) <= at - printed_at < timedelta(seconds=1):
            yield user["id"], at


def _printed_accounts(views: Views, frozen: FrozenAccount, printed_at: datetime | None) -> Iterator[PrintedAccountView]:
    """Yield the accounts of that second, with and without prices."""
    sheet_id = frozen.document["sheet"]["id"]
    query = AuditQuery(sheet_id=sheet_id, action=AuditAction.SHEET_ACCOUNT_PRINTED)
    for _, at in _prints(views, query, printed_at):
        yield from printed_accounts(views, frozen, at)


def _printed_sheets(views: Views, label: Label, printed_at: datetime | None) -> Iterator[PrintedSheetView]:
    """Yield the printed sheets of that second, with and without prices.

    Since then the sheet may have been reopened, which is a mark on later papers.
    """
    if label.kind is not LabelKind.CLOSING:
        return
    query = AuditQuery(sheet_id=label.number, action=AuditAction.SHEET_PRINTED)
    for user_id, at in _prints(views, query, printed_at):
        for turn in (None, label.turn):
            view = build_printed_sheet(views, label.number, turn, user_id=user_id, printed_at=at)
            if view["turn"] != label.turn:
                continue
            for reopened in {view["reopened"], False}:
                for role in (Role.ADMIN, Role.USER):
                    reader = Actor(user_id=user_id, role=role, staff_id=None)
                    printout = deepcopy(view)
                    printout["reopened"] = reopened
                    yield redact_for(reader, printout, PrintedSheetView)
