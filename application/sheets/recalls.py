"""Recalls, and where recalled lots were used."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.audit.audit_log import access_entry, entry
from application.catalogue.views import RECALL_SORTS, RecallQuery, RecallView
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import DETAIL, RECALL, AuditAction
from application.common.paging import Page
from application.common.use_case import permitted, retried
from application.common.views import View
from application.records.list_reader import ListReader
from application.sheets.detail_access import DetailAccess
from application.sheets.detail_views import DETAIL_SORTS, DetailQuery, ExportedDetailView
from application.sheets.used_for import UsedFor
from application.sheets.work import Begin, UnitOfWork, Views
from domain.catalogue.recall import Recall
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import MAX_REASON_LENGTH, Validator
from domain.scanning.lot import LOT_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallDraft(Draft):
    """The form of a recall.

    Without a ``lot`` it covers all of the product. ``closed`` ends it.
    """

    product_id: int | None = None
    lot: str | None = None
    reason: str | None = None
    closed: bool | None = None


@dataclass(frozen=True, slots=True)
class OpenRecall:
    """Open a recall of a lot, or of a whole product."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_RECALLS)
    def __call__(self, actor: Actor, draft: RecallDraft) -> Recall:
        now = self.clock()
        with self.begin() as work:
            product_id, lot, reason = _validate(work, draft)
            recall = Recall(product_id=product_id, lot=lot, reason=reason, opened_at=now, opened_by=actor.user_id)
            if draft.closed:
                recall.close(now, actor)
            work.recalls.add(recall)
            work.audit_log.append(entry(actor, now, AuditAction.RECALL_OPENED, after=recall))
        return recall


@dataclass(frozen=True, slots=True)
class UpdateRecall:
    """Update a recall, close it, or put it in force again."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_RECALLS)
    def __call__(self, actor: Actor, recall_id: int, draft: RecallDraft) -> Recall:
        now = self.clock()
        with self.begin() as work:
            before = work.recalls.lock(recall_id)
            if before is None:
                raise NotFound
            product_id, lot, reason = _validate(work, draft)
            recall = replace(before, product_id=product_id, lot=lot, reason=reason)
            if draft.closed:
                recall.close(now, actor)
            else:
                recall.reactivate()
            if recall != before:
                work.recalls.save(recall)
                ended = recall.closed_at is not None and before.closed_at is None
                action = AuditAction.RECALL_CLOSED if ended else AuditAction.RECALL_UPDATED
                work.audit_log.append(entry(actor, now, action, before=before, after=recall))
        return recall


class ListUsedLines(ListReader[ExportedDetailView, DetailQuery]):
    """Details with their patients, for recalls.

    ``ListRecalledDetails`` logs each call itself; a narrowed list names the sheets, too.
    """

    kind = DETAIL
    permission = Permission.MANAGE_RECALLS
    item_type = ExportedDetailView
    sorts = DETAIL_SORTS
    access = DetailAccess

    def view(self, views: Views) -> View[ExportedDetailView, DetailQuery]:
        """Return the view that names the patients."""
        return views.exported_details


@dataclass(frozen=True, slots=True)
class ListRecalledDetails:
    """List the details that used a recalled lot.

    They show patients, so each access is logged.
    """

    begin: Begin
    clock: Clock
    used_lines: ListUsedLines

    @retried
    def page(self, actor: Actor, query: DetailQuery, recall_id: int) -> Page[ExportedDetailView]:
        """Read a page."""
        return self.used_lines.page(actor, self._of(actor, query, recall_id))

    @retried
    def iterate(self, actor: Actor, query: DetailQuery, recall_id: int) -> Iterator[ExportedDetailView]:
        """Iterate over all of them in batches."""
        return self.used_lines.iterate(actor, self._of(actor, query, recall_id))

    def _of(self, actor: Actor, query: DetailQuery, recall_id: int) -> DetailQuery:
        actor.require(Permission.MANAGE_RECALLS)
        with self.begin() as work:
            recall = work.recalls.get(recall_id)
            if recall is None:
                raise NotFound
            work.audit_log.append(access_entry(actor, self.clock(), AuditAction.RECALL_READ, recall_id))
        used_for = query.used_for or UsedFor.ALL  # a recalled lot may be anywhere
        return replace(query, product_id=recall.product_id, lot=recall.lot, used_for=used_for)


@dataclass(frozen=True, slots=True)
class AcknowledgeRecalledUse:
    """Mark the use of a recalled lot as seen, for all users' overviews."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_RECALLS)
    def __call__(self, actor: Actor, detail_id: int) -> None:
        now = self.clock()
        with self.begin() as work:
            detail = work.details.get(detail_id)
            if detail is None:
                raise NotFound
            if work.recalled_uses.acknowledge(detail_id, now, actor.user_id):
                action = AuditAction.DETAIL_RECALL_SEEN
                seen = access_entry(actor, now, action, detail_id)
                work.audit_log.append(replace(seen, sheet_id=detail.sheet_id))


def _validate(work: UnitOfWork, draft: RecallDraft) -> tuple[int, str | None, str]:
    """Validate the draft, and return product, lot and reason.

    Raise ``Refused`` with all errors.
    """
    checks = Validator(draft.parse_errors)
    product_id = checks.required_id("product_id", draft.product_id)
    lot = checks.optional_line("lot", draft.lot, longest=LOT_LENGTH)
    reason = checks.required_line("reason", draft.reason, longest=MAX_REASON_LENGTH)
    if product_id and work.products.get(product_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "product_id")
    checks.raise_if_invalid()
    return product_id, lot, reason


class ListRecalls(ListReader[RecallView, RecallQuery]):
    """The recalls, the newest first."""

    kind = RECALL
    permission = Permission.MANAGE_RECALLS
    item_type = RecallView
    sorts = RECALL_SORTS
