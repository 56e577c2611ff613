"""What the hospital uses up and bills: products and their categories."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from domain.text import unique_key

ONE = Decimal(1)
# How many decimals a quantity has at most.
MAX_DECIMALS = 3
MAX_OTHER_NAMES = 10
MAX_OTHER_NAME_LENGTH = 60


@dataclass(slots=True, kw_only=True)
class Category:
    """A group of products; ``code`` is the hospital's own and unique. ``id`` is 0 until it is stored."""

    id: int = 0
    code: str
    name: str


@dataclass(slots=True, kw_only=True)
class Product:
    """A supply with its price of today. ``code`` is the hospital's own and unique, ``gtin`` the GS1 number of one.

    Quantities of it have so many ``decimals`` at most; ``asks_lot`` and ``asks_serial`` tell what is asked for when it
    is recorded. ``also_called`` are other names by which wards search for it.
    """

    id: int = 0
    name: str
    price: Decimal
    category_id: int
    code: str | None = None
    gtin: str | None = None
    unit: str | None = None
    active: bool = True
    decimals: int = MAX_DECIMALS
    asks_lot: bool = False
    asks_serial: bool = False
    also_called: tuple[str, ...] = ()


class CodeSystem(StrEnum):
    """Who gave a product a code."""

    GTIN = "gtin"
    HIBC = "hibc"
    SUPPLIER = "supplier"
    UNSPSC = "unspsc"
    GMDN = "gmdn"
    CUM = "cum"
    CNIS = "cnis"
    BILLING = "billing"


@dataclass(slots=True, kw_only=True)
class ProductCode:
    """A code by which a product is known elsewhere; a pack with it holds so many ``units`` of the product.

    No two products share one of the same system. A product's own ``gtin`` is one of these, of one unit.
    """

    id: int = 0
    product_id: int
    system: CodeSystem
    code: str
    units: Decimal = ONE
    label: str | None = None

    @property
    def key(self) -> str:
        """What tells it from others of its system."""
        return gtin_key(self.code) if self.system is CodeSystem.GTIN else unique_key(self.code)


def gtin_key(digits: str) -> str:
    """The GTIN in 14 digits: one of 8, 12 or 13 is the same one without the zeros before it."""
    return digits.zfill(14)


def is_gtin(digits: str) -> bool:
    """Whether it is a GTIN-8, -12, -13 or -14 whose check digit is right (GS1 General Specifications, 7.9).

    Fillers such as 0000000000000 and 555555555555, whose check digit is right as well, are none.
    """
    return len(digits) in (8, 12, 13, 14) and has_right_check_digit(digits) and not _is_filler(digits)


def has_right_check_digit(digits: str) -> bool:
    """Whether all of it is digits, the last of which is the right check digit of those before it."""
    if not digits.isascii() or not digits.isdigit():
        return False
    weighted = (int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return sum(weighted) % 10 == 0


def _is_filler(digits: str) -> bool:
    """Whether an item number of zeros, or one digit over and over, stands for a GTIN that is not known."""
    item_number = digits[-13:-1]
    return not item_number.strip("0") or len(set(digits.lstrip("0"))) == 1
