"""Kits: supplies that are recorded together, such as for an IV line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from domain.common.errors import Code, VersionConflict
from domain.common.policy import Actor, Permission
from domain.common.text import counted
from domain.common.validation import Validator

MAX_LINES = 60
# The limit of a user's own kits: with more of them, the right one is hard to find.
MAX_OWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KitLine:
    """A product and its usual quantity in a kit.

    An ``optional`` product is offered but usually not used.
    """

    product_id: int
    quantity: Decimal
    optional: bool = False

    def describe(self, product: str) -> str:
        """Format the line with the product's name."""
        text = counted(f"{self.quantity.normalize():f}", product)
        return f"({text})" if self.optional else text


@dataclass(slots=True, kw_only=True)
class Kit:
    """Lines that are offered together.

    A kit has no price: a recorded line gets the product's price at that time. The hospital's kits have no ``user_id``;
    their ``area_id`` is the area in which they are used most. A kit that recorded lines refer to is not deleted but
    made inactive. Changing a kit does not change recorded lines.
    """

    id: int = 0
    name: str
    area_id: int | None = None
    user_id: int | None = None
    active: bool = True
    lines: tuple[KitLine, ...] = ()
    version: int = 1

    def is_visible_to(self, actor: Actor) -> bool:
        """Return whether the actor may see the kit.

        The hospital's kits are visible to all users, a user's own kits only to that user.
        """
        return self.active and self.user_id in (None, actor.user_id)

    def retired(self) -> "Kit":
        """Return the inactive kit that remains for the details that refer to it.

        It refers to no area and no product, so that those can be deleted.
        """
        return replace(self, active=False, area_id=None, lines=(), version=self.version + 1)

    def ensure_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``VersionConflict`` unless the caller expects this version."""
        if expected is not None and self.version not in expected:
            raise VersionConflict


def required_permission(owner_id: int | None) -> Permission:
    """Return the permission to change and review the kits of an owner.

    The hospital's kits have none.
    """
    return Permission.MANAGE_KITS if owner_id is None else Permission.MANAGE_OWN_KITS


def validate_lines(checks: Validator, lines: Iterable[KitLine]) -> None:
    """Report a kit without lines, with too many, or with duplicate products."""
    lines = tuple(lines)
    if not lines:
        checks.add_error(Code.REQUIRED, "lines")
    if len(lines) > MAX_LINES:
        checks.add_error(Code.LINES_TOO_MANY, "lines", most=MAX_LINES)
    for place in _duplicate_positions(line.product_id for line in lines):
        checks.add_error(Code.KIT_PRODUCT_TWICE, f"lines.{place}.product_id")


def _duplicate_positions(product_ids: Iterable[int]) -> Iterator[int]:
    """Yield the positions of repeated products. An id of 0 is not chosen yet."""
    seen: set[int] = set()
    for place, product_id in enumerate(product_ids):
        if product_id in seen:
            yield place
        elif product_id:
            seen.add(product_id)
