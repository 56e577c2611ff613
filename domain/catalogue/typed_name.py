"""Typed names: proposals for other names of a product.

They are texts that users type for a product when no search finds it by them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from domain.catalogue.product import Product
from domain.common.text import fold_code, fold_product, product_words

MIN_LENGTH, MAX_LENGTH = 3, 40
# The number of times from which a text is proposed.
MIN_TIMES = 3
MAX_TYPED_NAMES = 50


@dataclass(slots=True, kw_only=True)
class TypedName:
    """A folded text that users typed in vain before they chose the product.

    It is not stored who typed it.
    """

    id: int = 0
    product_id: int
    name: str
    times: int = 1
    last_at: datetime
    dismissed: bool = False

    def is_proposed_for(self, product: Product) -> bool:
        """Return whether the text is proposed as another name of the product."""
        return self.times >= MIN_TIMES and not self.dismissed and not is_found_by(product, self.name)


def typed_name(text: str) -> str | None:
    """Fold the text; None if too short, too long, or mostly digits."""
    name = fold_product(text)
    letters = sum(character.isalpha() for character in name)
    digits = sum(character.isdigit() for character in name)
    return name if MIN_LENGTH <= len(name) <= MAX_LENGTH and letters >= max(1, digits) else None


def is_found_by(product: Product, text: str) -> bool:
    """Return whether searches find the product by the text.

    Searches look at its names and parts of its code.
    """
    names = [fold_product(name) for name in (product.name, *product.also_called)]
    if all(any(word in name for name in names) for word in product_words(text)):
        return True
    part = fold_code(text)
    return part != "" and part in fold_code(product.code or "")


def in_order(typed: Iterable[TypedName]) -> list[TypedName]:
    """Sort by frequency, then by time, the latest first."""
    return sorted(typed, key=lambda one: (-one.times, -one.last_at.timestamp(), one.name))


def surplus(known: Iterable[TypedName]) -> list[TypedName]:
    """Return the typed names to delete to make room for one more.

    They are the least frequent and among those the oldest. Dismissed ones are kept longest: once deleted, they would be
    proposed again.
    """
    by_worth = sorted(in_order(known), key=lambda one: one.dismissed, reverse=True)
    return by_worth[MAX_TYPED_NAMES - 1 :]
