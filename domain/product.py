"""What the hospital uses up and bills: products and their categories."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(slots=True, kw_only=True)
class Category:
    """A group of products; ``code`` is the hospital's own and unique. ``id`` is 0 until it is stored."""

    id: int = 0
    code: str
    name: str


@dataclass(slots=True, kw_only=True)
class Product:
    """A supply with its price of today. ``code`` is the hospital's own and unique, ``gtin`` the GS1 number."""

    id: int = 0
    name: str
    price: Decimal
    category_id: int
    code: str | None = None
    gtin: str | None = None
    unit: str | None = None
    active: bool = True


def is_gtin(digits: str) -> bool:
    """Whether it is a GTIN-8, -12, -13 or -14 whose check digit is right (GS1 General Specifications, 7.9)."""
    if len(digits) not in (8, 12, 13, 14) or not digits.isascii() or not digits.isdigit():
        return False
    weighted = (int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return sum(weighted) % 10 == 0
