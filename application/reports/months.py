"""Close calendar months: figures frozen with a number and a digest, and what changed since.

Nothing is hindered by it: lines of a closed month are still recorded, changed and voided. Each such change is kept
(``domain.sheets.month_change``), so that the frozen figures and the changes since are today's report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from itertools import islice
from typing import Any, NamedTuple, cast

from application.audit.audit_log import AuditEntry, Changes, entry_by_id
from application.billing.ports import WriteChargesMessage
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.paging import InvalidQuery
from application.common.use_case import permitted
from application.people.people import name_of_user, names_of_users
from application.reports.month_views import (
    ChangeSums,
    DayFiguresView,
    FiguresView,
    FrozenMonth,
    MonthAccountsView,
    MonthAreaView,
    MonthChangesView,
    MonthChangeView,
    MonthDocument,
    MonthFigures,
    MonthPartsView,
    MonthRow,
    MonthSummaryView,
    MonthsView,
    MonthVersionView,
    MonthView,
    NamedFiguresView,
    PrintedMonthView,
)
from application.reports.ports import MonthDifference
from application.reports.work import Begin, Read, Views
from application.sheets.closings import new_salt
from application.sheets.issued_documents import FrozenDocument, IssuedDocument, NewDocument, Subject
from application.sheets.used_for import Part
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.money import ZERO, ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.reports.month import last_day_of, may_close_from, month_name, months_until, parse_month
from domain.scanning.label import LabelKind, paper_label_text
from domain.sheets.figures import NO_FIGURES, Figures
from domain.sheets.month_change import MonthChange

# The format of new documents. Readers ignore unknown fields.
DOCUMENT_FORMAT = 1
# How long a written month may be, to be quoted if it is none.
_MAX_MONTH_LENGTH = 20
# How many changes an answer has. Only an import into a closed month makes more.
MAX_CHANGES = 1_000
# How many months a list has.
MAX_LISTED = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthDraft(Draft):
    """The month to close, such as ``2026-10``, of an area or of the hospital.

    ``turn`` is the version that the closing makes: 1 for the first one.
    """

    month: str | None = None
    area_id: int | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class CloseMonth:
    """Freeze the figures of a month as a new version.

    The figures are read by one statement, without a lock of lines. Of two users who make the same version, one is
    refused.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    write_charges: WriteChargesMessage | None = None

    @permitted(Permission.CLOSE_MONTHS, Permission.SEE_PRICES)
    def __call__(self, actor: Actor, draft: MonthDraft) -> MonthView:
        checks = Validator(draft.parse_errors)
        written = checks.required_line("month", draft.month, longest=_MAX_MONTH_LENGTH)
        month = parse_month(written)
        if written and month is None:
            checks.add_error(Code.DATE_EXPECTED, "month", month=written)
        turn = checks.required_id("turn", draft.turn)
        checks.raise_if_invalid()
        assert month is not None
        now = self.clock()
        if now < may_close_from(month, self.zone):
            day = last_day_of(month) + timedelta(days=1)
            raise Refused(Reason(Code.MONTH_NOT_OVER, "month", {"month": written, "day": day}))
        subject = Subject(area_id=draft.area_id, month=month)
        with self.begin() as work:
            # Files are committed before it is read, or after it is stored: only those note that it is closed.
            work.imports.acquire_lock()
            new = self._freeze(work.views, actor, subject, turn, now)
            frozen = work.months.add(new)
            if frozen is None:
                raise self._taken(work.views, subject, turn)
            work.audit_log.append(_noted(actor, now, AuditAction.MONTH_CLOSED, frozen))
            return _view(work.views, frozen, charges=self.write_charges is not None)

    def _freeze(
        self, views: Views, actor: Actor, subject: Subject, turn: int, now: datetime
    ) -> NewDocument[MonthDocument]:
        """Read the figures of a month, and check that they make the next version."""
        month = cast("date", subject.month)
        names = views.names("area_id", {subject.area_id}) if subject.area_id is not None else {}
        if subject.area_id is not None and subject.area_id not in names:
            raise Refused(Reason(Code.REFERENCE_UNKNOWN, "area_id", {"value": subject.area_id}))
        before = views.months.about(subject)
        if not 1 <= turn <= len(before) + 1:
            most = len(before) + 1
            raise Refused(Reason(Code.NUMBER_OUT_OF_RANGE, "turn", {"least": 1, "most": most, "value": turn}))
        if turn <= len(before):
            raise self._taken(views, subject, turn)
        figures = views.month_figures.read(month, last_day_of(month), subject.area_id)
        if before and _is_same(views.months.one(before[-1].id), figures):
            raise Refused(Reason(Code.MONTH_UNCHANGED, "month", {"month": month_name(month)}))
        rows = figures["rows"]
        sums = _sums_by(rows, "part")
        document = MonthDocument(
            format=DOCUMENT_FORMAT,
            month=month,
            area_id=subject.area_id,
            area=names.get(subject.area_id) if subject.area_id is not None else None,
            by=name_of_user(views, actor.user_id),
            sums=cast("MonthPartsView", {part.value: _figures_view(sums.get(part, NO_FIGURES)) for part in Part}),
            products=_named(rows, "product_id", "product", "code", "unit"),
            areas=_named(rows, "area_id", "area"),
            categories=_named(rows, "category_id", "category"),
            by_day=[
                DayFiguresView(day=cast("date", day), **_figures_view(found))
                for day, found in sorted(_sums_by(figures["days"], "day").items())
            ],
            **figures,
        )
        return NewDocument(
            subject,
            turn,
            now,
            actor.user_id,
            sum((part.total for part in sums.values()), ZERO),
            document,
            new_salt(),
            changes=len(figures["change_ids"]),
            changes_total=figures["changes_total"],
        )

    def _taken(self, views: Views, subject: Subject, turn: int) -> Refused:
        """Return the refusal of a version that another user made."""
        first = views.months.about(subject)[turn - 1]
        at = first.issued_at.astimezone(self.zone)
        by = name_of_user(views, first.user_id)
        return Refused(
            Reason(Code.MONTH_CLOSED, "turn", {"turn": turn, "by": by, "day": at.date(), "time": f"{at:%H:%M}"})
        )


@dataclass(frozen=True, slots=True)
class ReadMonth:
    """Read a closed month with the changes since.

    Months are not read from a replica, which may not have the one that was just closed.
    """

    read: Read
    write_charges: WriteChargesMessage | None = None

    @permitted(Permission.SEE_PRICES, Permission.READ_REPORTS)
    def __call__(self, actor: Actor, document_id: int) -> MonthView:
        with self.read() as views:
            return _view(views, _one(views, document_id), charges=self.write_charges is not None)


@dataclass(frozen=True, slots=True)
class ExportMonth:
    """Read a closed month for a PDF or workbook, which is logged."""

    begin: Begin
    read: Read
    clock: Clock
    write_charges: WriteChargesMessage | None = None

    @permitted(Permission.SEE_PRICES, Permission.READ_REPORTS)
    def __call__(self, actor: Actor, document_id: int) -> PrintedMonthView:
        printed_at = self.clock()
        with self.read() as views:
            frozen = _one(views, document_id)
            view = printed_month(views, frozen, printed_at, charges=self.write_charges is not None)
        with self.begin() as work:
            work.audit_log.append(_noted(actor, printed_at, AuditAction.MONTH_EXPORTED, frozen))
        return view


@dataclass(frozen=True, slots=True)
class ListMonths:
    """List the latest months of an area or of the hospital, closed or not.

    With ``before`` it lists those before that month. Raise ``InvalidQuery`` if it is none.
    """

    read: Read
    clock: Clock
    zone: tzinfo

    @permitted(Permission.SEE_PRICES, Permission.READ_REPORTS)
    def __call__(self, actor: Actor, area_id: int | None = None, before: str | None = None) -> MonthsView:
        now = self.clock()
        latest = day_of(now, self.zone).replace(day=1) if before is None else parse_month(before)
        if latest is None:
            raise InvalidQuery("before")
        months = [*islice(months_until(latest), 0 if before is None else 1, MAX_LISTED + (before is not None))]
        if not months:
            return MonthsView(items=[])
        with self.read() as views:
            closings = views.months.of_months(area_id, months[-1], months[0])
            changes = views.month_figures.change_sums(months[-1], last_day_of(months[0]), area_id)
            names = names_of_users(views, {one.user_id for one in closings})
        last = {one.subject.month: one for one in closings}
        return MonthsView(
            items=[self._summary(month, last.get(month), changes.get(month), names, now) for month in months]
        )

    def _summary(
        self,
        month: date,
        last: IssuedDocument | None,
        changes: ChangeSums | None,
        names: Mapping[int, str],
        now: datetime,
    ) -> MonthSummaryView:
        may_close = now >= may_close_from(month, self.zone)
        summary = MonthSummaryView(
            month=month_name(month), id=None, turn=0, at=None, by=None, total=None, changes=0, changes_total=ZERO,
            may_close=may_close,
        )  # fmt: skip
        if last is None:
            return summary
        found = changes or ChangeSums(0, ZERO)
        return {
            **summary,
            "id": last.id,
            "turn": last.turn,
            "at": last.issued_at,
            "by": names.get(last.user_id, ""),
            "total": last.total,
            "changes": found.changes - last.changes,
            "changes_total": found.total - last.changes_total,
        }


def printed_month(
    views: Views, frozen: FrozenDocument[Any], printed_at: datetime, *, charges: bool
) -> PrintedMonthView:
    """Return a closed month as printed then."""
    return PrintedMonthView(month=_view(views, frozen, charges=charges, until=printed_at), printed_at=printed_at)


def month_differences(views: Views) -> Iterator[MonthDifference]:
    """Yield where a month and its changes are not what its lines come to.

    Only last versions are compared: closing a month again corrects it.
    """
    for issued in views.months.latest_of_months():
        frozen = views.months.one(issued.id)
        assert frozen is not None, "it was listed"
        first, last = _days(issued.subject)
        now = views.month_figures.read(first, last, issued.subject.area_id)
        expected, found = _by_key(frozen.document["rows"]), _by_key(now["rows"])
        # Those of the same moment: others are noted meanwhile.
        known = set(now["change_ids"])
        for change in (change for change in _since(views, frozen) if change.id in known):
            key = _Key(change.area_id, change.product_id, change.unbilled, change.use_reason)
            figures = Figures(change.lines, change.quantity, change.returned, change.total, change.value)
            expected[key] = expected.get(key, NO_FIGURES).plus(figures)
        for key in dict.fromkeys((*expected, *found)):
            pair = expected.get(key, NO_FIGURES), found.get(key, NO_FIGURES)
            if pair[0] != pair[1]:
                yield MonthDifference(issued.id, first, key.area_id, key.product_id, *pair)


def proof_of_month(views: Views, issued: IssuedDocument) -> str | None:
    """Return the text of the symbol on the paper of a month."""
    return paper_label_text(LabelKind.DOCUMENT, issued.id, issued.turn, issued.digest, views.installation_number())


def _one(views: Views, document_id: int) -> FrozenDocument[FrozenMonth]:
    frozen = views.shown_months.one(document_id)
    if frozen is None:
        raise NotFound
    return frozen


def _noted(actor: Actor, at: datetime, action: AuditAction, frozen: FrozenDocument[Any]) -> AuditEntry:
    """Return the audit entry that names a month by its digest."""
    issued = frozen.issued
    changes: Changes = {"turn": (None, issued.turn), "document_digest": (None, issued.digest)}
    return entry_by_id(actor, at, action, issued.id, changes)


def _is_same(last: FrozenDocument[MonthDocument] | None, figures: MonthFigures) -> bool:
    """Return whether nothing has changed since the last version, except names."""
    if last is None:
        return False
    before = last.document
    return (
        before["change_ids"] == figures["change_ids"]
        and before["days"] == figures["days"]
        and _by_key(before["rows"]) == _by_key(figures["rows"])
    )


class _Key(NamedTuple):
    area_id: int | None
    product_id: int
    unbilled: str | None
    use_reason: str | None


def _by_key(rows: Iterable[MonthRow]) -> dict[_Key, Figures]:
    return {
        _Key(row["area_id"], row["product_id"], row["unbilled"], row["use_reason"]): _figures_of(row) for row in rows
    }


def _since(views: Views, frozen: FrozenDocument[Any]) -> list[MonthChange]:
    """Return the changes that a closed month does not contain."""
    contained = set(frozen.document["change_ids"])
    changes = views.month_figures.changes_of(*_days(frozen.issued.subject), frozen.issued.subject.area_id)
    return [change for change in changes if change.id not in contained]


def _days(subject: Subject) -> tuple[date, date]:
    month = cast("date", subject.month)
    return month, last_day_of(month)


def _figures_of(row: FiguresView) -> Figures:
    return Figures(row["lines"], row["quantity"], row["returned"], row["total"], row["value"])


def _sums_by(rows: Iterable[FiguresView], field: str) -> dict[object, Figures]:
    """Return the sums of rows by a field. There may be many rows."""
    sums: dict[object, list[Any]] = {}
    for row in rows:
        found = sums.setdefault(row[field], [0, ZERO_QUANTITY, ZERO_QUANTITY, ZERO, ZERO])  # type: ignore[literal-required]
        found[0] += row["lines"]
        found[1] += row["quantity"]
        found[2] += row["returned"]
        found[3] += row["total"]
        found[4] += row["value"]
    return {key: Figures(*found) for key, found in sums.items()}


def _figures_view(figures: Figures) -> FiguresView:
    return cast("FiguresView", figures._asdict())


def _view(views: Views, frozen: FrozenDocument[Any], *, charges: bool, until: datetime | None = None) -> MonthView:
    """Return a closed month with the changes since.

    For printing these are all those ``until`` a moment.
    """
    issued, document = frozen.issued, cast("FrozenMonth", frozen.document)
    days = _days(issued.subject)
    area_id = document["area_id"]
    changes = _since(views, frozen)
    made_here = views.month_figures.changes_made_in(*days, area_id)
    products = {cast("int", row["id"]): row["name"] or "" for row in document["products"]}
    return MonthView(
        id=issued.id,
        versions=[
            MonthVersionView(id=one.id, turn=one.turn, at=one.issued_at, total=one.total)
            for one in views.months.about(issued.subject)
        ],
        proof=proof_of_month(views, issued),
        area=None if area_id is None else MonthAreaView(id=area_id, name=document["area"]),
        month=month_name(document["month"]),
        turn=issued.turn,
        at=issued.issued_at,
        by=document["by"],
        total=issued.total,
        sums=document["sums"],
        accounts=_accounts(document, charges=charges),
        products=document["products"],
        areas=document["areas"],
        categories=document["categories"],
        days=document["by_day"],
        changes=_changes(views, changes, products, until),
        made_here=_changes(views, made_here, products, until),
    )


def _accounts(document: FrozenMonth, *, charges: bool) -> MonthAccountsView:
    accounts = document["accounts"]
    if not charges:
        return MonthAccountsView(**{**accounts, "charged": None, "charged_open": None, "unsent": None})
    return MonthAccountsView(**accounts, unsent=accounts["closed"]["total"] - accounts["charged"])


def _named(
    rows: Sequence[MonthRow], of_id: str, name: str, code: str | None = None, unit: str | None = None
) -> list[NamedFiguresView]:
    """Return the figures by an id with its names, the largest value first."""
    named: dict[object, Any] = {row[of_id]: row for row in rows}  # type: ignore[literal-required]
    found = [
        NamedFiguresView(
            id=cast("int | None", key),
            name=named[key][name],
            code=named[key][code] if code else None,
            unit=named[key][unit] if unit else None,
            **_figures_view(figures),
        )
        for key, figures in _sums_by(rows, of_id).items()
    ]
    return sorted(found, key=lambda one: (-one["value"], one["name"] or "", one["id"] or 0))


def _changes(
    views: Views, found: Sequence[MonthChange], products: Mapping[int, str], until: datetime | None
) -> MonthChangesView:
    """Return changes, with the frozen names of products that the month has."""
    every = [change for change in found if until is None or change.at <= until]
    changes = every[:MAX_CHANGES] if until is None else every
    people = names_of_users(views, {change.user_id for change in changes})
    named = {**views.names("product_id", {change.product_id for change in changes}), **products}
    return MonthChangesView(
        count=len(every),
        total=sum((change.total for change in every), ZERO),
        items=[
            MonthChangeView(
                day=change.day,
                at=change.at,
                by=people.get(change.user_id, ""),
                kind=change.kind,
                sheet_id=change.sheet_id,
                detail_id=change.detail_id,
                product=named.get(change.product_id, f"#{change.product_id}"),
                lines=change.lines,
                quantity=change.quantity,
                returned=change.returned,
                total=change.total,
                value=change.value,
            )
            for change in changes
        ],
    )
