"""Kits: what is used together again and again, such as to place an IV line, so that one gesture records all of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from domain.errors import Code, VersionConflict
from domain.policy import Actor, Permission
from domain.validation import Validator

MOST_LINES = 60
# Whoever has more of their own does not find them any more.
MAX_OWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KitLine:
    """A product and how much of it is usual; an ``optional`` one is offered and mostly not used."""

    product_id: int
    quantity: Decimal
    optional: bool = False

    def of(self, product: str) -> str:
        """The line in words, of a product of that name."""
        told = f"{self.quantity.normalize():f} × {product}"
        return f"({told})" if self.optional else told


@dataclass(slots=True, kw_only=True)
class Kit:
    """Lines that are offered together. It has no price: what is recorded takes the products' prices of that moment.

    The hospital's kits have no ``user_id``; of these ``area_id`` is where they are used most. One that recorded lines
    name is not deleted but no longer ``active``. Changing a kit changes nothing that was recorded.
    """

    id: int = 0
    name: str
    area_id: int | None = None
    user_id: int | None = None
    active: bool = True
    lines: tuple[KitLine, ...] = ()
    version: int = 1

    @property
    def required_permission(self) -> Permission:
        """What it takes to create, change or delete it."""
        return Permission.MANAGE_KITS if self.user_id is None else Permission.MANAGE_OWN_KITS

    def is_visible_to(self, actor: Actor) -> bool:
        """Whether this person may know of it: the hospital's is everybody's, a person's own is nobody else's."""
        return self.active and self.user_id in (None, actor.user_id)

    def out_of_use(self) -> "Kit":
        """What stays of it for the details that name it; it keeps nothing else from being deleted."""
        return replace(self, active=False, area_id=None, lines=(), version=self.version + 1)

    def must_be_version(self, expected: frozenset[int] | None) -> None:
        """Raise ``VersionConflict`` unless this is one of the versions that the caller goes by."""
        if expected is not None and self.version not in expected:
            raise VersionConflict


def validate_lines(checks: Validator, lines: Iterable[KitLine]) -> None:
    """Refuse a kit without lines, one with too many, and a product that stands in it twice."""
    lines = tuple(lines)
    if not lines:
        checks.add_error(Code.REQUIRED, "lines")
    if len(lines) > MOST_LINES:
        checks.add_error(Code.LINES_TOO_MANY, "lines", most=MOST_LINES)
    for place in _repeated(line.product_id for line in lines):
        checks.add_error(Code.KIT_PRODUCT_TWICE, f"lines.{place}.product_id")


def _repeated(product_ids: Iterable[int]) -> Iterator[int]:
    """The places at which something stands that stood before. What was not chosen yet repeats nothing."""
    seen: set[int] = set()
    for place, product_id in enumerate(product_ids):
        if product_id in seen:
            yield place
        elif product_id:
            seen.add(product_id)
