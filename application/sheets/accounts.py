"""The account of a sheet for the patient's family: show, print and compare it.

It is the document of the sheet in plain words. A closed sheet's is the one that its closing froze. That of an open
sheet is frozen when it is printed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from application.audit.access_log import AccessLog
from application.audit.audit_log import AuditEntry, Changes, entry_by_id
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.paging import InvalidQuery
from application.common.redaction import redact_for, redactor_of_view
from application.common.use_case import permitted, retried
from application.sheets.account_views import (
    AccountChangesView,
    AccountDayView,
    AccountDifferenceView,
    AccountItemView,
    AccountKindView,
    AccountMomentView,
    AccountView,
    IssuedAccountView,
    PrintedAccountView,
    ReturnedView,
)
from application.sheets.closings import build_document, new_salt
from application.sheets.issued_documents import FrozenDocument, NewDocument, Subject
from application.sheets.locked_sheets import lock_patient_sheet
from application.sheets.summary_views import SheetDocument
from application.sheets.work import Begin, Read, UnitOfWork, Views
from domain.common.errors import NotFound
from domain.common.money import ZERO, ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.common.text import full_name
from domain.scanning.label import Label, LabelKind, paper_label_text
from domain.sheets.account import (
    AccountKind,
    AccountLine,
    account_days,
    account_kinds,
    account_returns,
    compare_accounts,
)
from domain.sheets.detail import Unbilled

_ACCOUNT, _CLOSING = "account", "closing"
_MOMENT = re.compile(rf"({_ACCOUNT}|{_CLOSING})-([1-9][0-9]{{0,8}})", re.ASCII)


class FrozenAccount(NamedTuple):
    """An issued account, or that of a closing.

    The ``number`` of a closing is its sheet's. It is ``is_intact`` if the stored document still has its digest.
    """

    kind: str
    number: int
    turn: int
    at: datetime
    digest: str | None
    is_intact: bool
    document: SheetDocument

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.turn}"

    def proof(self, views: Views) -> str | None:
        """Return the text of the symbol on its paper."""
        if not self.digest:
            return None
        kind = LabelKind.DOCUMENT if self.kind == _ACCOUNT else LabelKind.CLOSING
        return paper_label_text(kind, self.number, self.turn, self.digest, views.installation_number())


@dataclass(frozen=True, slots=True)
class ReadAccount:
    """Read the account of a sheet as it is now. Nothing is stored."""

    read: Read
    clock: Clock
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int) -> AccountView:
        with self.read() as views:
            closing = _closing(views, sheet_id)
            document = closing.document if closing else _document_now(views, sheet_id)
            view = _account_of(document, closing.at if closing else self.clock(), actor.can(Permission.SEE_PRICES))
            view["issued"] = [
                one for one in _moments(views, sheet_id) if closing is None or one["since"] != closing.name
            ]
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, view, AccountView)


@dataclass(frozen=True, slots=True)
class IssueAccount:
    """Freeze the account of a sheet, to be printed.

    If nothing changed since the last one, that one is returned, and for a closed sheet its closing. The second result
    is whether a new one was stored.
    """

    begin: Begin
    clock: Clock
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    @retried
    def __call__(self, actor: Actor, sheet_id: int) -> tuple[IssuedAccountView, bool]:
        with self.begin() as work:
            sheet = lock_patient_sheet(work, sheet_id)
            frozen = _closing(work.views, sheet_id) or _last_issued(work.views, sheet_id)
            is_new = frozen is None or (
                frozen.kind == _ACCOUNT and frozen.document["sheet"]["version"] != sheet.version
            )
            if frozen is None or is_new:
                frozen = self._issue(work, actor, sheet_id, frozen.turn + 1 if frozen else 1)
            number = frozen.number if frozen.kind == _ACCOUNT else None
            view = IssuedAccountView(of=frozen.name, id=number, proof=frozen.proof(work.views))
        if not is_new:
            self.access_log.note_sheet_read(actor, sheet_id)
        return view, is_new

    def _issue(self, work: UnitOfWork, actor: Actor, sheet_id: int, turn: int) -> FrozenAccount:
        document = build_document(work.views, sheet_id)
        new = NewDocument(Subject(sheet_id), turn, self.clock(), actor.user_id, document["total"], document, new_salt())
        added = work.accounts.add(new)
        assert added is not None, "the sheet is locked"
        issued = _issued(added)
        work.audit_log.append(_noted(actor, new.issued_at, AuditAction.SHEET_ACCOUNT_ISSUED, issued))
        return issued


@dataclass(frozen=True, slots=True)
class CompareAccounts:
    """Tell why the account of a sheet is another one than before.

    ``since`` is an issued account or a closing of this sheet.
    """

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, since: str) -> AccountChangesView:
        with self.read() as views:
            then = _frozen(views, sheet_id, since, "since")
            closing = _closing(views, sheet_id)
            now = closing.document if closing else _document_now(views, sheet_id)
            view = _changes(views, then, now, actor.can(Permission.SEE_PRICES))
        self.access_log.note_sheet_read(actor, sheet_id)
        return redact_for(actor, view, AccountChangesView)


@dataclass(frozen=True, slots=True)
class PrintAccount:
    """Read an issued account or a closing for printing, which is logged.

    ``with_prices`` is without effect for actors who may not see prices.
    """

    begin: Begin
    read: Read
    clock: Clock

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, sheet_id: int, of: str, *, with_prices: bool) -> PrintedAccountView:
        printed_at = self.clock()
        with self.read() as views:
            frozen = _frozen(views, sheet_id, of, "of")
            view = _printed(views, frozen, printed_at, with_prices=with_prices and actor.can(Permission.SEE_PRICES))
        with self.begin() as work:
            work.audit_log.append(_noted(actor, printed_at, AuditAction.SHEET_ACCOUNT_PRINTED, frozen))
        return redact_for(actor, view, PrintedAccountView)


def find_paper(views: Views, label: Label) -> FrozenAccount | None:
    """Return what a paper of this installation was printed from."""
    if label.kind is LabelKind.CLOSING:
        return _closing(views, label.number, label.turn)
    found = views.accounts.one(label.number) if label.kind is LabelKind.DOCUMENT else None
    return _issued(found) if found and found.issued.turn == label.turn else None


def printed_accounts(views: Views, frozen: FrozenAccount, printed_at: datetime) -> list[PrintedAccountView]:
    """Return an account as printed then, with and without prices."""
    return [_printed(views, frozen, printed_at, with_prices=with_prices) for with_prices in (True, False)]


def _printed(views: Views, frozen: FrozenAccount, printed_at: datetime, *, with_prices: bool) -> PrintedAccountView:
    sheet = frozen.document["sheet"]
    before = _moment_before(views, frozen)
    view = PrintedAccountView(
        account=_account_of(frozen.document, frozen.at, with_prices),
        patient=full_name(
            sheet["patient"]["name"], sheet["patient"]["first_surname"], sheet["patient"]["second_surname"]
        ),
        room=sheet["room"]["name"],
        admission_date=sheet["admission_date"],
        number=frozen.number,
        turn=frozen.turn,
        proof=frozen.proof(views),
        printed_at=printed_at,
        changes=_changes(views, before, frozen.document, with_prices) if before else None,
    )
    redact = redactor_of_view(PrintedAccountView)
    if redact and not with_prices:
        redact(view)
    return view


def _noted(actor: Actor, at: datetime, action: AuditAction, frozen: FrozenAccount) -> AuditEntry:
    """Return the audit entry that names a frozen account by its digest."""
    sheet = frozen.document["sheet"]
    changes: Changes = {"turn": (None, frozen.turn), "document_digest": (None, frozen.digest)}
    return entry_by_id(actor, at, action, sheet["id"], changes, sheet_id=sheet["id"], patient_id=sheet["patient_id"])


def _document_now(views: Views, sheet_id: int) -> SheetDocument:
    if views.version_of_patient_sheet(sheet_id) is None:
        raise NotFound
    return build_document(views, sheet_id)


def _closing(views: Views, sheet_id: int, turn: int | None = None) -> FrozenAccount | None:
    """Return a closing; without ``turn`` the one in force."""
    found = views.closings.frozen(sheet_id, turn)
    if found is None:
        return None
    is_intact = bool(found.digest) and found.digest == found.found_digest
    return FrozenAccount(_CLOSING, sheet_id, found.turn, found.closed_at, found.digest, is_intact, found.document)


def _issued(found: FrozenDocument[SheetDocument]) -> FrozenAccount:
    one = found.issued
    return FrozenAccount(_ACCOUNT, one.id, one.turn, one.issued_at, one.digest, found.is_intact, found.document)


def _last_issued(views: Views, sheet_id: int) -> FrozenAccount | None:
    accounts = views.accounts.about(Subject(sheet_id))
    found = views.accounts.one(accounts[-1].id) if accounts else None
    return _issued(found) if found else None


def _frozen(views: Views, sheet_id: int, name: str, field: str) -> FrozenAccount:
    """Return the frozen account that a call names.

    Raise ``InvalidQuery`` for a malformed name, and ``NotFound`` if the sheet does not have it.
    """
    parts = _MOMENT.fullmatch(name)
    if not parts:
        raise InvalidQuery(field)
    kind, turn = parts[1], int(parts[2])
    if views.version_of_patient_sheet(sheet_id) is None:
        raise NotFound
    if kind == _CLOSING:
        found = _closing(views, sheet_id, turn)
    else:
        ids = [one.id for one in views.accounts.about(Subject(sheet_id)) if one.turn == turn]
        kept = views.accounts.one(ids[0]) if ids else None
        found = _issued(kept) if kept else None
    if found is None:
        raise NotFound(field)
    return found


def _moments(views: Views, sheet_id: int) -> list[AccountMomentView]:
    """Return the moments of a sheet's frozen accounts, the first one first."""
    closings = [
        AccountMomentView(since=f"{_CLOSING}-{one.turn}", at=one.closed_at, total=one.total)
        for one in views.closings.of_sheet(sheet_id)
    ]
    accounts = [
        AccountMomentView(since=f"{_ACCOUNT}-{one.turn}", at=one.issued_at, total=one.total)
        for one in views.accounts.about(Subject(sheet_id))
    ]
    return sorted([*closings, *accounts], key=lambda moment: moment["at"])


def _moment_before(views: Views, frozen: FrozenAccount) -> FrozenAccount | None:
    """Return the frozen account before another one."""
    sheet_id = frozen.document["sheet"]["id"]
    earlier = [moment["since"] for moment in _moments(views, sheet_id) if moment["at"] < frozen.at]
    return _frozen(views, sheet_id, earlier[-1], "of") if earlier else None


def _account_of(document: SheetDocument, at: datetime, with_prices: bool) -> AccountView:
    sheet, lines = document["sheet"], _account_lines(document)
    return AccountView(
        sheet_id=sheet["id"],
        version=sheet["version"],
        closed=sheet["closed"],
        at=at,
        total=document["total"],
        days=[
            AccountDayView(
                day=day.day,
                total=day.total,
                items=[
                    AccountItemView(
                        name=item.words.name,
                        quantity=item.quantity,
                        articles=item.words.is_category,
                        wasted=item.wasted,
                        included=item.included,
                        total=item.total,
                    )
                    for item in day.items
                ],
                kinds=_kinds(day.kinds),
            )
            for day in account_days(lines, with_prices=with_prices)
        ],
        kinds=_kinds(account_kinds(lines, with_prices=with_prices)),
        returned=[
            ReturnedView(day=one.day, name=one.words.name, quantity=one.quantity, articles=one.words.is_category)
            for one in account_returns(lines)
        ],
        unlisted_items=len(document.get("unlisted_items", [])),
        late_entries=sheet.get("late_entries", 0),
        without_price=_without_price(document),
        issued=[],
    )


def _kinds(kinds: Sequence[AccountKind]) -> list[AccountKindView]:
    return [AccountKindView(name=kind.name, articles=kind.products, total=kind.total) for kind in kinds]


def _without_price(document: SheetDocument) -> int:
    return sum(
        not line.get("unbilled") and line["quantity"] > 0 and line["unit_price"] == line["total"] == ZERO
        for day in document["days"]
        for category in day["categories"]
        for line in category["details"]
    )


def _account_lines(document: SheetDocument) -> list[AccountLine]:
    """Return the lines of a document of any version, as an account tells them."""
    return [
        AccountLine(
            id=line["id"],
            product_id=line["product_id"],
            day=day["day"],
            category=category["category"]["name"],
            plain_name=line["product"].get("plain_name"),
            quantity=line["quantity"],
            returned=line.get("returned", ZERO_QUANTITY),
            total=line["total"],
            wasted=bool(line.get("use_reason")),
            included=line.get("unbilled") == Unbilled.INCLUDED,
            corrected_from=line.get("corrected_from"),
        )
        for day in document["days"]
        for category in day["categories"]
        for line in category["details"]
    ]


def _changes(views: Views, then: FrozenAccount, now: SheetDocument, with_prices: bool) -> AccountChangesView:
    before, after = _account_lines(then.document), _account_lines(now)
    left = {line.id for line in before} - {line.id for line in after}
    sheet_id = now["sheet"]["id"]
    voided = {
        line["id"]
        for line in views.details.by_ids(left)
        if "voided" in line and line["consumption_sheet_id"] == sheet_id
    }
    total_then, total_now = then.document["total"], now["total"]
    return AccountChangesView(
        since=then.at,
        total_then=total_then,
        total_now=total_now,
        difference=total_now - total_then,
        items=[
            AccountDifferenceView(
                kind=one.kind,
                name=one.words.name,
                quantity=one.quantity,
                articles=one.words.is_category,
                amount=one.amount,
            )
            for one in compare_accounts(before, after, voided)
            # Without prices nothing may tell that only a price was touched.
            if with_prices or one.quantity
        ],
    )
