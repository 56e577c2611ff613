"""Products, their categories and their codes."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from domain.common.text import code_key

ONE = Decimal(1)
# The maximum number of decimals of a quantity.
MAX_DECIMALS = 3
MAX_OTHER_NAMES = 10
MAX_OTHER_NAME_LENGTH = 60


@dataclass(slots=True, kw_only=True)
class Category:
    """A group of products. ``code`` is the hospital's own and unique.

    ``id`` is 0 until the category is stored.
    """

    id: int = 0
    code: str
    name: str


@dataclass(slots=True, kw_only=True)
class Product:
    """A supply with its current price.

    ``code`` is the hospital's own and unique. ``gtin`` is the GS1 number of a single unit. ``decimals`` is the maximum
    number of decimals of its quantities. ``asks_lot`` and ``asks_serial`` say whether recording asks for a lot or a
    serial number; of an ``implant``, both or a reason. What is ``included_in_stay`` is recorded, but not charged.
    ``also_called`` are other names by which wards search for it. The ``plain_name`` is the one that a patient's family
    understands.
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
    implant: bool = False
    included_in_stay: bool = False
    also_called: tuple[str, ...] = ()
    plain_name: str | None = None

    @property
    def name_and_code(self) -> str:
        """Return text that distinguishes products of the same name."""
        code = self.code or self.gtin
        return f"{self.name} · {code}" if code else self.name


class CodeSystem(StrEnum):
    """The system that a product code belongs to."""

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
    """A product's code in a code system.

    A pack with the code contains ``units`` of the product. Codes are unique within their system. The product's own
    ``gtin`` is one of its codes, with one unit.
    """

    id: int = 0
    product_id: int
    system: CodeSystem
    code: str
    units: Decimal = ONE
    label: str | None = None

    @property
    def key(self) -> str:
        """The code's comparison key within its system."""
        return gtin_key(self.code) if self.system is CodeSystem.GTIN else code_key(self.code)


def gtin_key(digits: str) -> str:
    """Pad a GTIN to 14 digits; GTIN-8, -12 and -13 only lack leading zeros."""
    return digits.zfill(14)


def is_gtin(digits: str) -> bool:
    """Return whether it is a GTIN-8, -12, -13 or -14 with a right check digit.

    See GS1 General Specifications, 7.9. Fillers such as 0000000000000 and 555555555555 are rejected, although their
    check digit is right.
    """
    return len(digits) in (8, 12, 13, 14) and has_right_check_digit(digits) and not _is_filler(digits)


def has_right_check_digit(digits: str) -> bool:
    """Return whether the text is digits that end with the right check digit."""
    if not digits.isascii() or not digits.isdigit():
        return False
    weighted = (int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return sum(weighted) % 10 == 0


def _is_filler(digits: str) -> bool:
    """Return whether the number is a placeholder for an unknown GTIN.

    Its item number is all zeros, or it repeats one digit.
    """
    item_number = digits[-13:-1]
    return not item_number.strip("0") or len(set(digits.lstrip("0"))) == 1
