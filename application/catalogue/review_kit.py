"""Review a kit: what was used of it, and what to change in it."""

from dataclasses import dataclass
from datetime import timedelta, tzinfo

from application.catalogue.kits import ensure_may_change, ensure_visible
from application.catalogue.views import KitProductView, KitProposalView, KitReviewItemView, KitReviewView
from application.catalogue.work import Read
from application.common.clock import Clock
from application.common.redaction import redact_for
from application.common.use_case import permitted
from domain.catalogue.kit import KitLine
from domain.catalogue.kit_review import MAX_REVIEW_DAYS, REVIEW_DAYS, KitProposal, ReviewedProduct, review_kit
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class ReviewKit:
    """Compare a kit with its uses of the last days, and propose changes.

    Nothing is changed: a proposal is accepted with the kit's form. There are no prices.
    """

    read_for_reports: Read
    clock: Clock
    zone: tzinfo

    @permitted(Permission.MANAGE_OWN_KITS)
    def __call__(self, actor: Actor, kit_id: int, *, days: int | None = None) -> KitReviewView:
        checks = Validator()
        count = REVIEW_DAYS if days is None else days
        if not 1 <= count <= MAX_REVIEW_DAYS:
            checks.add_error(Code.NUMBER_OUT_OF_RANGE, "days", least=1, most=MAX_REVIEW_DAYS, value=count)
        checks.raise_if_invalid()
        since = day_of(self.clock(), self.zone) - timedelta(days=count)
        with self.read_for_reports() as views:
            kit = ensure_visible(views.kits.one(kit_id), actor)
            ensure_may_change(kit["user_id"], actor)
            found = views.kits.uses(kit_id, since=since)
        lines = [
            KitLine(product_id=line["product_id"], quantity=line["quantity"], optional=line["optional"])
            for line in kit["lines"]
        ]
        products = {product["id"]: product for product in found.products}
        products |= {line["product_id"]: line["product"] for line in kit["lines"]}
        inactive = frozenset(found_id for found_id, product in products.items() if not product["active"])
        reviewed = review_kit(lines, found.of_products, found.uses, inactive=inactive)
        items = [_item(one, products[one.use.product_id]) for one in reviewed]
        return redact_for(actor, KitReviewView(since=since, uses=found.uses, items=items), KitReviewView)


def _item(reviewed: ReviewedProduct, product: KitProductView) -> KitReviewItemView:
    line, use = reviewed.line, reviewed.use
    return KitReviewItemView(
        product=product,
        in_kit=line is not None,
        quantity=line.quantity if line else None,
        optional=line.optional if line else None,
        used_in=use.used_in,
        median=use.median,
        recorded=use.recorded,
        returned=use.returned,
        wasted=use.wasted,
        proposal=_proposal(reviewed.proposal) if reviewed.proposal else None,
    )


def _proposal(proposal: KitProposal) -> KitProposalView:
    line = proposal.line
    return KitProposalView(
        action=proposal.action, quantity=line.quantity if line else None, optional=line.optional if line else None
    )
