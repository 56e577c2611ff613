"""Kits of the hospital and of users.

Users manage their own kits. Supervisors manage those of the hospital.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from application.audit.audit_log import AuditEntry, entry
from application.catalogue.views import KIT_SORTS, KitQuery, KitView
from application.catalogue.work import Begin, UnitOfWork
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import KIT, AuditAction
from application.common.paging import Page
from application.common.use_case import permitted
from application.records.crud import ensure_unique
from application.records.list_reader import ListReader
from domain.catalogue.kit import MAX_OWN, Kit, KitLine, required_permission, validate_lines
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class KitLineDraft(Draft):
    """The form of a line of a kit."""

    product_id: int | None = None
    quantity: Decimal | None = None
    optional: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KitDraft(Draft):
    """The form of a kit. It is the user's ``own`` or the hospital's."""

    name: str | None = None
    area_id: int | None = None
    own: bool | None = None
    lines: tuple[KitLineDraft, ...] | None = None


@dataclass(frozen=True, slots=True)
class CreateKit:
    """Create a kit for the user or the hospital."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_OWN_KITS)
    def __call__(self, actor: Actor, draft: KitDraft) -> Kit:
        now = self.clock()
        with self.begin() as work:
            kit = _validate(work, actor, draft, before=None)
            work.kits.add(kit)
            work.audit_log.append(
                _with_product_names(work, entry(actor, now, AuditAction.KIT_CREATED, after=kit), None, kit)
            )
        return kit


@dataclass(frozen=True, slots=True)
class UpdateKit:
    """Change a kit or its owner. Recorded lines do not change."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_OWN_KITS)
    def __call__(self, actor: Actor, kit_id: int, draft: KitDraft, expected: frozenset[int] | None = None) -> Kit:
        now = self.clock()
        with self.begin() as work:
            before = _locked(work, actor, kit_id, expected)
            kit = _validate(work, actor, draft, before=before)
            if kit != before:
                kit.version += 1
                work.kits.save(kit)
                change = entry(actor, now, AuditAction.KIT_UPDATED, before=before, after=kit)
                work.audit_log.append(_with_product_names(work, change, before, kit))
        return kit


@dataclass(frozen=True, slots=True)
class DeleteKit:
    """Delete a kit.

    If recorded details refer to it, it is made inactive instead, and its name stays.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_OWN_KITS)
    def __call__(self, actor: Actor, kit_id: int, expected: frozenset[int] | None = None) -> None:
        now = self.clock()
        with self.begin() as work:
            kit = _locked(work, actor, kit_id, expected)
            work.audit_log.append(
                _with_product_names(work, entry(actor, now, AuditAction.KIT_DELETED, before=kit), kit, None)
            )
            retire_kit(work, kit)


class ListKits(ListReader[KitView, KitQuery]):
    """The kits, by name."""

    kind = KIT
    permission = Permission.READ_SHEETS
    item_type = KitView
    sorts = KIT_SORTS


@dataclass(frozen=True, slots=True)
class BrowseKits:
    """List and read the hospital's kits and the user's own."""

    kits: ListKits

    @permitted(Permission.ADD_DETAILS)
    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def page(self, actor: Actor, query: KitQuery) -> Page[KitView]:
        """Read a page."""
        return self.kits.page(actor, replace(query, user_id=actor.user_id, active=True))

    @permitted(Permission.ADD_DETAILS)
    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def iterate(self, actor: Actor, query: KitQuery) -> Iterator[KitView]:
        """Iterate over all of them."""
        return self.kits.iterate(actor, replace(query, user_id=actor.user_id, active=True))

    @permitted(Permission.ADD_DETAILS)
    @permitted(Permission.READ_SHEETS, Permission.ADD_DETAILS)
    def one(self, actor: Actor, kit_id: int) -> KitView:
        """Read one kit. Raise ``NotFound`` for another user's own kit."""
        return ensure_visible(self.kits.one(actor, kit_id), actor)


def ensure_visible(kit: KitView | None, actor: Actor) -> KitView:
    """Return the kit. Raise ``NotFound`` for another user's own one."""
    if kit is None or kit["user_id"] not in (None, actor.user_id):
        raise NotFound
    return kit


def ensure_may_change(owner_id: int | None, actor: Actor) -> None:
    """Raise ``Refused`` unless the actor may change this owner's kits."""
    if not actor.can(required_permission(owner_id)):
        raise Refused(Reason(Code.KIT_FOR_SUPERVISION))


def retire_kit(work: UnitOfWork, kit: Kit) -> None:
    """Delete a kit, or make it inactive if details refer to it."""
    if work.kits.reference_count(kit.id):
        work.kits.save(kit.retired())
    else:
        work.kits.remove(kit)


def _with_product_names(work: UnitOfWork, change: AuditEntry, before: Kit | None, after: Kit | None) -> AuditEntry:
    """Return the audit entry with the current names of the products."""
    if "lines" not in change.changes:
        return change
    ids = {line.product_id for kit in (before, after) if kit for line in kit.lines}
    names = {product.id: product.name for product in work.products.find_many("id", ids)}

    def describe_lines(kit: Kit | None) -> str | None:
        lines = kit.lines if kit else ()
        return "; ".join(line.describe(names.get(line.product_id, str(line.product_id))) for line in lines) or None

    return replace(change, changes=change.changes | {"lines": (describe_lines(before), describe_lines(after))})


def _locked(work: UnitOfWork, actor: Actor, kit_id: int, expected: frozenset[int] | None) -> Kit:
    """Return the kit, locked, if the actor may change it."""
    kit = work.kits.lock(kit_id)
    if kit is None or not kit.is_visible_to(actor):
        raise NotFound
    ensure_may_change(kit.user_id, actor)
    kit.ensure_version(expected)
    return kit


def _validate(work: UnitOfWork, actor: Actor, draft: KitDraft, *, before: Kit | None) -> Kit:
    """Validate the draft. Raise ``Refused`` with all errors."""
    # The owner stays unless the request says otherwise.
    own = draft.own if draft.own is not None or before is None else before.user_id is not None
    user_id = actor.user_id if own else None
    kit = replace(before, user_id=user_id) if before else Kit(name="", user_id=user_id)
    checks = Validator(draft.parse_errors)
    if not actor.can(required_permission(user_id)):
        checks.add_error(Code.KIT_FOR_SUPERVISION, "own")
    kit.name = checks.required_line("name", draft.name)
    kit.area_id = draft.area_id or None
    if kit.area_id and work.areas.get(kit.area_id) is None:
        checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
    kit.lines = _lines(work, checks, draft.lines or (), before)
    ensure_unique(work, checks, KIT, kit)
    if kit.user_id and (before is None or before.user_id is None):
        # Lock the user, so that two concurrent requests cannot both create the last kit that is allowed.
        work.users.lock(kit.user_id)
        if len(work.kits.owned_by(kit.user_id)) >= MAX_OWN:
            checks.add_error(Code.KITS_TOO_MANY, most=MAX_OWN)
    checks.raise_if_invalid()
    return kit


def _lines(
    work: UnitOfWork, checks: Validator, drafts: tuple[KitLineDraft, ...], before: Kit | None
) -> tuple[KitLine, ...]:
    known = {line.product_id: line.quantity for line in before.lines} if before else {}
    found = {
        one.id: one for one in work.products.find_many("id", {each.product_id for each in drafts if each.product_id})
    }
    lines = []
    for place, draft in enumerate(drafts):
        of_line = Validator(draft.parse_errors)
        product_id = of_line.required_id("product_id", draft.product_id)
        product = found.get(product_id)
        if product_id and product is None:
            of_line.add_error(Code.REFERENCE_UNKNOWN, "product_id")
        elif product and not product.active and product_id not in known:
            of_line.add_error(Code.PRODUCT_INACTIVE, "product_id")
        quantity = of_line.quantity("quantity", draft.quantity)
        if product and quantity != known.get(product_id):
            of_line.within_precision("quantity", quantity, product.decimals)
        checks.add(of_line.reasons, within=f"lines.{place}")
        lines.append(KitLine(product_id=product_id, quantity=quantity, optional=bool(draft.optional)))
    validate_lines(checks, lines)
    return tuple(lines)
