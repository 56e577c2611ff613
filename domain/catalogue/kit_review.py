"""Review of a kit: what was used of it, and what to change in it.

A *use* of a kit is the lines with equal sheet, author and time of use.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from domain.catalogue.kit import KitLine
from domain.common.money import ZERO_QUANTITY

# Uses since this many days are counted, if the user chooses no other time.
REVIEW_DAYS = 180
MAX_REVIEW_DAYS = 366
# Below this number of uses nothing is proposed: chance would decide.
MIN_USES = 20

# Parts of the uses, in percent.
_REMOVED_BELOW = 5
_OPTIONAL_BELOW = 60
_REQUIRED_FROM = 90
_USUAL_FROM = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductUse:
    """What the uses of a kit recorded of one product.

    ``used`` is the number of uses by the quantity that was kept and not thrown away; uses without any are left out.
    ``recorded`` includes what was ``returned`` or ``wasted``.
    """

    product_id: int
    used: Mapping[Decimal, int] = field(default_factory=dict)
    recorded: Decimal = ZERO_QUANTITY
    returned: Decimal = ZERO_QUANTITY
    wasted: Decimal = ZERO_QUANTITY

    @property
    def used_in(self) -> int:
        """In how many uses of the kit the product was used."""
        return sum(self.used.values())

    @property
    def median(self) -> Decimal | None:
        """The median of the used quantities; None if none was used.

        Of two, it is the lower one: a quantity that was used.
        """
        middle = (self.used_in + 1) // 2
        for quantity in sorted(self.used):
            middle -= self.used[quantity]
            if middle <= 0:
                return quantity
        return None


class KitAction(StrEnum):
    """What a proposal does with a product in a kit."""

    ADD = "add"
    CHANGE = "change"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class KitProposal:
    """A proposed change, and the line that results from it."""

    action: KitAction
    line: KitLine | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedProduct:
    """A product of a kit, or one that was recorded with it.

    ``line`` is None if the kit does not have it.
    """

    line: KitLine | None
    use: ProductUse
    proposal: KitProposal | None


def review_kit(
    lines: Iterable[KitLine], found: Iterable[ProductUse], uses: int, *, inactive: frozenset[int] = frozenset()
) -> list[ReviewedProduct]:
    """Compare the lines of a kit with its uses.

    The kit's products come first, in its order, then those that were recorded with it, by their number of uses. An
    ``inactive`` product is not proposed to be added.
    """
    by_product = {use.product_id: use for use in found}
    reviewed = []
    for line in lines:
        use = by_product.pop(line.product_id, ProductUse(product_id=line.product_id))
        reviewed.append(ReviewedProduct(line=line, use=use, proposal=_propose(line, use, uses)))
    for use in sorted(by_product.values(), key=lambda use: (-use.used_in, use.product_id)):
        proposal = None if use.product_id in inactive else _propose_new(use, uses)
        reviewed.append(ReviewedProduct(line=None, use=use, proposal=proposal))
    return reviewed


def _propose(line: KitLine, use: ProductUse, uses: int) -> KitProposal | None:
    """Return the proposal for a line of the kit."""
    if uses < MIN_USES:
        return None
    if 100 * use.used_in < _REMOVED_BELOW * uses:
        return KitProposal(action=KitAction.REMOVE, line=None)
    optional = line.optional
    if 100 * use.used_in < _OPTIONAL_BELOW * uses:
        optional = True
    elif 100 * use.used_in >= _REQUIRED_FROM * uses:
        optional = False
    # A quantity that more than half of the uses share is the median.
    median = use.median
    is_usual = median is not None and 100 * use.used[median] >= _USUAL_FROM * uses
    proposed = KitLine(
        product_id=line.product_id, quantity=median if median and is_usual else line.quantity, optional=optional
    )
    return None if proposed == line else KitProposal(action=KitAction.CHANGE, line=proposed)


def _propose_new(use: ProductUse, uses: int) -> KitProposal | None:
    """Return the proposal for a product that the kit does not have."""
    median = use.median
    if median is None or uses < MIN_USES or 100 * use.used_in < _USUAL_FROM * uses:
        return None
    return KitProposal(action=KitAction.ADD, line=KitLine(product_id=use.product_id, quantity=median))
