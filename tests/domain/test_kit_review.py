"""Review of a kit: planted uses give exactly the planted proposals."""

import random
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.catalogue.kit import KitLine
from domain.catalogue.kit_review import MIN_USES, KitAction, KitProposal, ProductUse, ReviewedProduct, review_kit

D = Decimal
REMOVED = KitAction.REMOVE, None, None


def line(product_id: int, quantity: int = 1, *, optional: bool = False) -> KitLine:
    return KitLine(product_id=product_id, quantity=D(quantity), optional=optional)


def used(product_id: int, quantities: Iterable[int | Decimal]) -> ProductUse:
    """Return the use of a product, from the quantity of each use that has it."""
    return ProductUse(product_id=product_id, used=Counter(D(one) for one in quantities))


def proposed(reviewed: Iterable[ReviewedProduct]) -> dict[int, tuple[object, ...] | None]:
    return {one.use.product_id: told(one.proposal) if one.proposal else None for one in reviewed}


def told(proposal: KitProposal) -> tuple[object, ...]:
    line = proposal.line
    return (proposal.action, line.quantity, line.optional) if line else (proposal.action, None, None)


def change(quantity: int, *, optional: bool) -> tuple[object, ...]:
    return KitAction.CHANGE, D(quantity), optional


# Of 100 uses: how many have the product, its quantity there, its line in the kit, and what is proposed.
@pytest.mark.parametrize(
    ("uses", "quantity", "in_kit", "expected"),
    [
        (4, 1, line(1), REMOVED),
        (4, 1, line(1, optional=True), REMOVED),
        (0, 1, line(1), REMOVED),
        (5, 1, line(1), change(1, optional=True)),
        (5, 1, line(1, optional=True), None),
        (59, 1, line(1), change(1, optional=True)),
        (59, 2, line(1), change(1, optional=True)),
        (60, 1, line(1), None),
        (60, 2, line(1), change(2, optional=False)),
        (89, 1, line(1, optional=True), None),
        (89, 2, line(1, optional=True), change(2, optional=True)),
        (90, 1, line(1, optional=True), change(1, optional=False)),
        (90, 2, line(1, optional=True), change(2, optional=False)),
        (100, 1, line(1), None),
        (59, 2, None, None),
        (60, 2, None, (KitAction.ADD, D(2), False)),
    ],
)
def test_each_limit_counts_from_its_own_percent_on(
    uses: int, quantity: int, in_kit: KitLine | None, expected: object
) -> None:
    reviewed = review_kit([in_kit] if in_kit else [], [used(1, [quantity] * uses)], 100)
    assert proposed(reviewed) == {1: expected}


def test_another_quantity_is_proposed_for_most_uses_only() -> None:
    assert proposed(review_kit([line(1)], [used(1, [2] * 59 + [1] * 41)], 100)) == {1: None}
    assert proposed(review_kit([line(1)], [used(1, [2] * 60 + [1] * 40)], 100)) == {1: change(2, optional=False)}


def test_fewer_than_twenty_uses_propose_nothing() -> None:
    found = [used(1, [1]), used(3, [1] * (MIN_USES - 1))]
    assert proposed(review_kit([line(1), line(2)], found, MIN_USES - 1)) == {1: None, 2: None, 3: None}
    assert proposed(review_kit([line(2)], [], MIN_USES)) == {2: REMOVED}


def test_the_median_is_a_quantity_that_was_used() -> None:
    assert used(1, []).median is None
    assert used(1, [3, 1]).median == D(1)
    assert used(1, [3, 1, 2]).median == D(2)
    assert used(1, [1, 1, 5, 5, 5]).median == D(5)


def test_products_of_the_kit_come_first_then_the_most_used() -> None:
    found = [used(7, [1] * 3), used(8, [1] * 9), used(1, [1] * 20)]
    reviewed = review_kit([line(2), line(1)], found, 20)
    assert [(one.use.product_id, one.line is not None) for one in reviewed] == [
        (2, True), (1, True), (8, False), (7, False)
    ]  # fmt: skip


def test_an_inactive_product_is_not_proposed_to_be_added() -> None:
    found = [used(1, [1] * 20), used(2, [1] * 20)]
    reviewed = review_kit([line(1, 2)], found, 20, inactive=frozenset({1, 2}))
    assert proposed(reviewed) == {1: change(1, optional=False), 2: None}


# What is planted for a product: whether its line is optional, None for no line; the parts of the uses that have it, in
# percent; and whether most of them have another quantity.
PLANS = {
    "kept": (False, (70, 100), False),
    "kept optional": (True, (10, 85), False),
    "removed": (False, (0, 3), False),
    "optional": (False, (10, 55), False),
    "required": (True, (92, 100), False),
    "quantity": (False, (70, 100), True),
    "quantity of an optional one": (True, (70, 85), True),
    "required with a quantity": (True, (92, 100), True),
    "added": (None, (65, 100), False),
    "not added": (None, (1, 55), False),
}


@given(plans=st.lists(st.sampled_from(sorted(PLANS)), min_size=1, max_size=12), seed=st.integers(0, 2**32))
def test_planted_uses_give_exactly_the_planted_proposals(plans: list[str], seed: int) -> None:
    chance = random.Random(seed)
    uses = chance.randint(100, 300)
    lines, found, planted = [], [], {}
    for product_id, plan in enumerate(plans, start=1):
        optional, part, is_other = PLANS[plan]
        quantity = chance.randint(1, 9)
        count = round(uses * chance.uniform(*part) / 100)
        most = quantity + is_other
        # At most a few uses have yet another quantity, above or below.
        odd = chance.randint(0, count // 20)
        found.append(used(product_id, [most] * (count - odd) + [chance.choice([D("0.5"), D(20)]) for _ in range(odd)]))
        if optional is not None:
            lines.append(line(product_id, quantity, optional=optional))
        planted[product_id] = {
            "removed": REMOVED,
            "optional": change(quantity, optional=True),
            "required": change(quantity, optional=False),
            "quantity": change(most, optional=False),
            "quantity of an optional one": change(most, optional=True),
            "required with a quantity": change(most, optional=False),
            "added": (KitAction.ADD, D(most), False),
        }.get(plan)
    reviewed = review_kit(lines, found, uses)
    assert proposed(reviewed) == planted
    accepted = [one.proposal.line if one.proposal else one.line for one in reviewed]
    again = review_kit([one for one in accepted if one], found, uses)
    assert all(one.proposal is None for one in again), "a kit that follows its review needs no other one"
