"""Restock lists of areas: tick what was put back, close the list, and print it.

The lists come from the details that count, so no stock is kept. They have no prices.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from application.audit.audit_log import AuditEntry, Changes, entry, entry_by_id, to_audit_value
from application.catalogue.views import AreaView
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.idempotency import IdempotencyKey, Replayable, answer_once
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.people.people import names_of_users
from application.restock.ports import ClosedSummary
from application.restock.views import (
    ClosedLineView,
    PutBackView,
    RestockDocumentView,
    RestockLineView,
    RestockListsView,
    RestockProductView,
    RestockSummaryView,
    RestockView,
    ShelfView,
    ShelvesView,
)
from application.restock.work import Begin, Read, UnitOfWork, Views
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.money import ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.restock.restock_list import (
    MAX_SHELF_LENGTH,
    ClosedLine,
    OpenLine,
    PutBack,
    RestockList,
    ShelfSetting,
    close_lines,
    sort_by_shelf,
)

# The maximum number of closed lists in one answer.
MAX_LISTED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBackDraft(Draft):
    """What was put back: the number of the list, and the needed quantity."""

    number: int | None = None
    quantity: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseRestockDraft(Draft):
    """The number of the list to close.

    With ``settle_rest`` it takes the lines that are not ticked, too: the next list begins empty.
    """

    number: int | None = None
    settle_rest: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfDraft(Draft):
    """Where an area keeps a product, and the fixed amount to put back."""

    shelf: str | None = None
    fixed_amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class ReadRestock:
    """Read the open list of an area, with the ticks of all users."""

    read: Read

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(self, actor: Actor, area_id: int) -> RestockView:
        with self.read() as views:
            view = _read_open(views, area_id)
        return redact_for(actor, view, RestockView)


@dataclass(frozen=True, slots=True)
class PutBackProduct:
    """Tick a product of the open list. A repeated call changes nothing.

    Refused if the list was closed meanwhile, because its closing may have taken the product, and for more than is
    needed: the next list would begin below zero.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(self, actor: Actor, area_id: int, product_id: int, draft: PutBackDraft) -> PutBackView:
        checks = Validator(draft.parse_errors)
        quantity = checks.quantity("quantity", draft.quantity)
        if draft.quantity == 0:
            checks.add_error(Code.QUANTITY_ZERO, "quantity")
        number = checks.required_id("number", draft.number)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            _lock_open(work, area_id, number)
            ticked = PutBack(area_id=area_id, product_id=product_id, quantity=quantity, user_id=actor.user_id, at=now)
            before = work.restock.ticked(area_id, product_id)
            if before is not None and (before.quantity, before.user_id) == (quantity, actor.user_id):
                return _ticked(before, names_of_users(work.views, {actor.user_id}))
            needed = max(work.restock.needed(area_id, product_id), ZERO_QUANTITY)
            if not needed and work.products.get(product_id) is None:
                raise NotFound
            if quantity > needed:
                raise Refused(Reason(Code.RESTOCK_MORE_THAN_NEEDED, "quantity", {"value": quantity, "needed": needed}))
            work.restock.put_back(ticked)
            work.audit_log.append(_tick_entry(actor, now, AuditAction.RESTOCK_TICKED, before, ticked))
            return _ticked(ticked, names_of_users(work.views, {actor.user_id}))


@dataclass(frozen=True, slots=True)
class UndoPutBack:
    """Remove the tick of a product on the open list."""

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(self, actor: Actor, area_id: int, product_id: int, number: int) -> None:
        with self.begin() as work:
            _lock_open(work, area_id, number)
            before = work.restock.ticked(area_id, product_id)
            if before is None:
                return
            work.restock.undo_put_back(area_id, product_id)
            work.audit_log.append(_tick_entry(actor, self.clock(), AuditAction.RESTOCK_UNTICKED, before, None))


@dataclass(frozen=True, slots=True)
class CloseRestockList:
    """Close the open list of an area: what was ticked is not needed any more.

    Of several users who close it at once, the first one does; the others are refused, with the name of the first.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(
        self,
        actor: Actor,
        area_id: int,
        draft: CloseRestockDraft,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[RestockDocumentView]:
        checks = Validator(draft.parse_errors)
        number = checks.required_id("number", draft.number)
        checks.raise_if_invalid()
        with self.begin() as work:
            return answer_once(
                work.idempotency_store,
                actor.user_id,
                idempotency_key,
                RestockDocumentView,
                lambda: self._close(work, actor, area_id, number, settle_rest=bool(draft.settle_rest)),
                self.clock,
            )

    def _close(
        self, work: UnitOfWork, actor: Actor, area_id: int, number: int, *, settle_rest: bool
    ) -> RestockDocumentView:
        now = self.clock()
        area = _lock_open(work, area_id, number)
        lines = sort_by_shelf(work.views.restock.open_lines(area_id))
        names = names_of_users(work.views, {line.put_back.user_id for line in lines if line.put_back})
        taken, left_over = close_lines(lines, names, settle_rest=settle_rest)
        closed = RestockList(
            area_id=area_id,
            area_name=area["name"],
            number=number,
            closed_at=now,
            closed_by=actor.user_id,
            left_over=left_over,
        )
        work.restock.close(closed, taken)
        work.audit_log.append(entry(actor, now, AuditAction.RESTOCK_LIST_CLOSED, after=closed, lines=str(len(taken))))
        return _document(work.views, closed, taken)


@dataclass(frozen=True, slots=True)
class ListClosedRestock:
    """List the closed lists of an area, the latest first."""

    read: Read

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(self, actor: Actor, area_id: int, before: int | None = None) -> RestockListsView:
        with self.read() as views:
            _area(views, area_id)
            found = views.restock.closed(area_id, before=before, most=MAX_LISTED + 1)
            return RestockListsView(items=_summaries(views, found[:MAX_LISTED]), more=len(found) > MAX_LISTED)


@dataclass(frozen=True, slots=True)
class ReadRestockDocument:
    """Read a closed list, as it was when it was closed."""

    read: Read

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(self, actor: Actor, list_id: int) -> RestockDocumentView:
        with self.read() as views:
            closed = views.restock.one(list_id)
            if closed is None:
                raise NotFound
            return _document(views, closed, views.restock.lines(list_id))


@dataclass(frozen=True, slots=True)
class ListShelves:
    """List the shelves and fixed amounts of an area, in shelf order."""

    read: Read

    @permitted(Permission.READ_SHEETS, Permission.RESTOCK)
    def __call__(self, actor: Actor, area_id: int) -> ShelvesView:
        with self.read() as views:
            _area(views, area_id)
            found = views.restock.settings(area_id)
        by_id = {one.setting.product_id: one for one in found}
        # The order is that of the list.
        lines = sort_by_shelf(
            OpenLine(
                product_id=one.setting.product_id,
                code=one.code,
                name=one.name,
                unit=one.unit,
                needed=Decimal(0),
                shelf=one.setting.shelf,
                fixed_amount=one.setting.fixed_amount,
            )
            for one in by_id.values()
        )
        return ShelvesView(
            items=[
                ShelfView(product=_product(line), shelf=line.shelf, fixed_amount=line.fixed_amount) for line in lines
            ]
        )


@dataclass(frozen=True, slots=True)
class SetShelf:
    """Set where an area keeps a product, and its fixed amount."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE, Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, area_id: int, product_id: int, draft: ShelfDraft) -> ShelfView:
        checks = Validator(draft.parse_errors)
        shelf = checks.optional_line("shelf", draft.shelf, longest=MAX_SHELF_LENGTH)
        amount = None if draft.fixed_amount is None else checks.quantity("fixed_amount", draft.fixed_amount)
        if draft.fixed_amount == 0:
            checks.add_error(Code.QUANTITY_ZERO, "fixed_amount")
        with self.begin() as work:
            product = work.products.get(product_id)
            if product is None or work.areas.get(area_id) is None:
                raise NotFound
            if amount is not None:
                checks.within_precision("fixed_amount", amount, product.decimals)
            checks.raise_if_invalid()
            before = work.restock.setting(area_id, product_id)
            after = ShelfSetting(area_id=area_id, product_id=product_id, shelf=shelf, fixed_amount=amount)
            work.restock.save_setting(after)
            changes = {
                name: (to_audit_value(getattr(before, name, None)), to_audit_value(getattr(after, name)))
                for name in ("shelf", "fixed_amount")
                if getattr(before, name, None) != getattr(after, name)
            }
            if changes:
                changes["product_id"] = (None, product_id)
                work.audit_log.append(entry_by_id(actor, self.clock(), AuditAction.SHELF_CHANGED, area_id, changes))
        view = RestockProductView(id=product.id, code=product.code, name=product.name, unit=product.unit)
        return ShelfView(product=view, shelf=shelf, fixed_amount=amount)


def _tick_entry(
    actor: Actor, at: datetime, action: AuditAction, before: PutBack | None, after: PutBack | None
) -> AuditEntry:
    """Create an entry about a tick, with the user who set the one before."""
    [one, *_] = [tick for tick in (before, after) if tick]
    changes: Changes = {
        "product_id": (None, one.product_id),
        "quantity": (
            to_audit_value(before.quantity) if before else None,
            to_audit_value(after.quantity) if after else None,
        ),
    }
    if before and before.user_id != actor.user_id:
        changes["user_id"] = (before.user_id, after.user_id if after else None)
    return entry_by_id(actor, at, action, one.area_id, changes)


def _area(views: Views, area_id: int) -> AreaView:
    area = views.areas.one(area_id)
    if area is None:
        raise NotFound
    return area


def _lock_open(work: UnitOfWork, area_id: int, number: int) -> AreaView:
    """Lock the open list; raise ``Refused`` unless it has that number."""
    area = _area(work.views, area_id)
    open_number = work.restock.lock(area_id)
    last = work.views.restock.last(area_id)
    if number == open_number:
        return area
    if last is None or number > open_number:
        raise Refused(Reason(Code.NUMBER_OUT_OF_RANGE, "number", {"least": 1, "most": open_number, "value": number}))
    by = names_of_users(work.views, {last.closed_by}).get(last.closed_by, "")
    raise Refused(Reason(Code.RESTOCK_CLOSED, "number", {"number": last.number, "by": by}))


def _read_open(views: Views, area_id: int) -> RestockView:
    area = _area(views, area_id)
    last = views.restock.last(area_id)
    lines = sort_by_shelf(views.restock.open_lines(area_id))
    user_ids = {line.put_back.user_id for line in lines if line.put_back} | ({last.closed_by} if last else set())
    names = names_of_users(views, user_ids)
    return RestockView(
        area=area,
        number=last.number + 1 if last else 1,
        since=last.closed_at if last else None,
        last_by=names.get(last.closed_by, "") if last else None,
        items=[_line(line, names) for line in lines],
    )


def _line(line: OpenLine, names: dict[int, str]) -> RestockLineView:
    ticked = line.put_back
    return RestockLineView(
        product=_product(line),
        shelf=line.shelf,
        needed=line.needed,
        fixed_amount=line.fixed_amount,
        put_back=None if ticked is None else _ticked(ticked, names),
    )


def _ticked(ticked: PutBack, names: dict[int, str]) -> PutBackView:
    return PutBackView(quantity=ticked.quantity, by=names.get(ticked.user_id, ""), at=ticked.at)


def _product(line: OpenLine | ClosedLine) -> RestockProductView:
    return RestockProductView(id=line.product_id, code=line.code, name=line.name, unit=line.unit)


def _summaries(views: Views, found: Iterable[ClosedSummary]) -> list[RestockSummaryView]:
    listed = list(found)
    names = names_of_users(views, {one.closed.closed_by for one in listed})
    return [
        RestockSummaryView(
            id=one.closed.id,
            area_id=one.closed.area_id,
            area=one.closed.area_name,
            number=one.closed.number,
            closed_at=one.closed.closed_at,
            by=names.get(one.closed.closed_by, ""),
            lines=one.lines,
            left_over=one.closed.left_over,
        )
        for one in listed
    ]


def _document(views: Views, closed: RestockList, lines: list[ClosedLine]) -> RestockDocumentView:
    [summary] = _summaries(views, [ClosedSummary(closed, len(lines))])
    return RestockDocumentView(
        **summary,
        items=[
            ClosedLineView(
                product=_product(line),
                shelf=line.shelf,
                quantity=line.quantity,
                put_back=line.put_back,
                by=line.put_back_by,
                at=line.put_back_at,
            )
            for line in lines
        ],
    )
