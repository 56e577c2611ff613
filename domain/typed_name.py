"""What people type for a product that no search finds by it: proposals for the product's other names."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from domain.product import Product
from domain.text import fold_code, fold_product, product_words

MIN_LENGTH, MAX_LENGTH = 3, 40
# From how many times on it is proposed.
MIN_TIMES = 3
MAX_TYPED_NAMES = 50


@dataclass(slots=True, kw_only=True)
class TypedName:
    """A folded text that people typed in vain before they chose the product. Who typed it is not kept."""

    id: int = 0
    product_id: int
    name: str
    times: int = 1
    last_at: datetime
    dismissed: bool = False

    def is_proposed_for(self, product: Product) -> bool:
        """Tell whether it is proposed as one of the product's other names."""
        return self.times >= MIN_TIMES and not self.dismissed and not is_found_by(product, self.name)


def typed_name(text: str) -> str | None:
    """Return the text as it is noted; None where it is too short, too long, or consists mostly of digits."""
    name = fold_product(text)
    letters = sum(character.isalpha() for character in name)
    digits = sum(character.isdigit() for character in name)
    return name if MIN_LENGTH <= len(name) <= MAX_LENGTH and letters >= max(1, digits) else None


def is_found_by(product: Product, text: str) -> bool:
    """Tell whether searches find the product by the text: by its names, or by a part of its code."""
    names = [fold_product(name) for name in (product.name, *product.also_called)]
    if all(any(word in name for name in names) for word in product_words(text)):
        return True
    part = fold_code(text)
    return part != "" and part in fold_code(product.code or "")


def in_order(typed: Iterable[TypedName]) -> list[TypedName]:
    """Return them with the most frequent first, of equals the latest."""
    return sorted(typed, key=lambda one: (-one.times, -one.last_at.timestamp(), one.name))


def surplus(known: Iterable[TypedName]) -> list[TypedName]:
    """Return those that make room for one more: the least frequent, of equals the oldest.

    Dismissed ones stay longest: forgotten, they would be proposed again.
    """
    by_worth = sorted(in_order(known), key=lambda one: one.dismissed, reverse=True)
    return by_worth[MAX_TYPED_NAMES - 1 :]
