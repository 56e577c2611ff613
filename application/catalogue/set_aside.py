"""Units of recalled lots that were set aside: not used, and not charged."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from application.audit.audit_log import entry
from application.catalogue.views import SetAsideListView, SetAsideView
from application.catalogue.work import Begin, BeginReadOnly, UnitOfWork, Views
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.entity_view import EntityView
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.use_case import permitted
from application.people.people import names_of_users
from domain.catalogue.recall import Recall, SetAside
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.money import ZERO_QUANTITY
from domain.common.policy import Actor, Permission
from domain.common.text import code_key
from domain.common.validation import Validator
from domain.scanning.lot import LOT_LENGTH

# The maximum number of entries in the list of one recall.
MAX_LISTED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsideDraft(Draft):
    """The units that were set aside, and where they were found."""

    quantity: Decimal | None = None
    lot: str | None = None
    room_id: int | None = None
    area_id: int | None = None


@dataclass(frozen=True, slots=True)
class SetAsideRecalled:
    """Store that units of a recalled lot were taken out of use.

    No sheet is charged. A recall that was closed meanwhile accepts them too, because the request may come from a device
    that had no network. With ``idempotency_key``, a repeated request stores nothing twice, however much later it
    arrives.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def __call__(
        self,
        actor: Actor,
        recall_id: int,
        draft: SetAsideDraft,
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[SetAsideView]:
        digest = idempotency_key.entry_digest(actor.user_id) if idempotency_key else None
        now = self.clock()
        with self.begin() as work:
            kept = idempotency_key and work.idempotency_store.recall(actor.user_id, idempotency_key, SetAsideView)
            if kept:
                return Replayable(kept, replayed=True)
            recall = work.recalls.lock(recall_id)
            if recall is None:
                raise NotFound
            before = work.set_aside.find("digest", digest) if digest else None
            if before is not None and before.recall_id != recall_id:
                raise Refused(Reason(Code.KEY_REUSED))
            stored = before or _store(work, actor, recall, draft, now, digest)
            view = _views(work.views, [stored])[0]
            if idempotency_key and before is None:
                work.idempotency_store.save(actor.user_id, idempotency_key, view, now)
            return Replayable(view, replayed=before is not None)


@dataclass(frozen=True, slots=True)
class ListSetAside:
    """List the units of a recall that were set aside, latest first."""

    begin_read_only: BeginReadOnly

    @permitted(Permission.MANAGE_RECALLS)
    def __call__(self, actor: Actor, recall_id: int) -> SetAsideListView:
        with self.begin_read_only() as work:
            if work.recalls.get(recall_id) is None:
                raise NotFound
            found = work.set_aside.find_many("recall_id", [recall_id])
            latest = sorted(found, key=lambda one: -one.id)[:MAX_LISTED]
            quantity = sum((one.quantity for one in found), ZERO_QUANTITY)
            return SetAsideListView(items=_views(work.views, latest), quantity=quantity)


def _store(
    work: UnitOfWork, actor: Actor, recall: Recall, draft: SetAsideDraft, now: datetime, digest: bytes | None
) -> SetAside:
    checks = Validator(draft.parse_errors)
    quantity = checks.quantity("quantity", draft.quantity)
    if draft.quantity == 0:
        checks.add_error(Code.QUANTITY_ZERO, "quantity")
    product = work.products.get(recall.product_id)
    assert product is not None, "a product with a recall exists"
    checks.within_precision("quantity", quantity, product.decimals)
    lot = checks.optional_line("lot", draft.lot, longest=LOT_LENGTH)
    if lot and recall.lot and code_key(lot) != code_key(recall.lot):
        checks.add_error(Code.LOT_NOT_RECALLED, "lot", lot=lot, recalled=recall.lot)
    room_id, area_id = draft.room_id or None, draft.area_id or None
    if room_id and work.rooms.get(room_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "room_id")
    if area_id and work.areas.get(area_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
    checks.raise_if_invalid()
    stored = SetAside(
        recall_id=recall.id,
        product_id=recall.product_id,
        lot=recall.lot or lot,
        quantity=quantity,
        user_id=actor.user_id,
        at=now,
        room_id=room_id,
        area_id=area_id,
        digest=digest,
    )
    work.set_aside.add(stored)
    work.audit_log.append(entry(actor, now, AuditAction.SET_ASIDE_RECORDED, after=stored))
    return stored


_SET_ASIDE = EntityView[SetAsideView](SetAsideView, SetAside, "by", "room", "area")


def _views(views: Views, found: list[SetAside]) -> list[SetAsideView]:
    named = names_of_users(views, {one.user_id for one in found})
    rooms = views.names("room_id", {one.room_id for one in found if one.room_id})
    areas = views.names("area_id", {one.area_id for one in found if one.area_id})
    return [
        _SET_ASIDE.of(
            one,
            by=named.get(one.user_id),
            room=rooms.get(one.room_id or 0),
            area=areas.get(one.area_id or 0),
        )
        for one in found
    ]
