"""What a pack tells besides what it holds: lot, expiry and serial number."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from string import ascii_lowercase, ascii_uppercase

from domain.errors import Code
from domain.product import ONE, Product, gtin_key, is_gtin
from domain.validation import Validator

LOT_LENGTH = 50
# What expires within so many days is worth a second look.
EXPIRY_WARNING_DAYS = 30
_FIRST_YEAR, _YEARS_AHEAD = 2000, 50

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def lot_key(lot: str) -> str:
    """What two spellings of one lot share: they are told apart without regard to case, of English letters alone."""
    return lot.translate(_LOWER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What was scanned or read off a pack."""

    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None


EMPTY_PACK = Pack()


@dataclass(frozen=True, slots=True, kw_only=True)
class PackHistory:
    """What is known of a pack: why it is recalled, if it is, and the sheet on which its serial number stands."""

    recall: str | None = None
    serial_on: int | None = None


def validate_pack(checks: Validator, pack: Pack, today: date) -> Pack:
    """The pack as filled in, and what is wrong with it noted."""
    gtin, expiry = checks.optional_line("gtin", pack.gtin), pack.expiry
    if gtin and not is_gtin(gtin):
        checks.add_error(Code.GTIN_INVALID, "gtin")
        gtin = None
    if expiry and not _FIRST_YEAR <= expiry.year <= today.year + _YEARS_AHEAD:
        checks.add_error(Code.DATE_YEAR_UNCLEAR, "expiry")
        expiry = None
    return Pack(
        gtin=gtin_key(gtin) if gtin else None,
        lot=checks.optional_line("lot", pack.lot, longest=LOT_LENGTH),
        expiry=expiry,
        serial=checks.optional_line("serial", pack.serial, longest=LOT_LENGTH),
    )


def check_pack(
    checks: Validator, pack: Pack, product: Product, quantity: Decimal, known: PackHistory, today: date
) -> None:
    """Note what speaks against recording that pack. What was used may be recorded all the same, by who says so."""
    if pack.serial and quantity != ONE:
        checks.add_error(Code.SERIAL_QUANTITY, "quantity")
    if product.asks_lot and not pack.lot:
        checks.require_acknowledgement(Code.LOT_REQUIRED, "lot")
    if product.asks_serial and not pack.serial:
        checks.require_acknowledgement(Code.SERIAL_REQUIRED, "serial")
    if known.recall is not None:
        checks.require_acknowledgement(Code.LOT_RECALLED, "lot", reason=known.recall)
    if pack.expiry and pack.expiry < today:
        checks.require_acknowledgement(Code.LOT_EXPIRED, "expiry", day=pack.expiry)
    if known.serial_on is not None:
        checks.require_acknowledgement(Code.SERIAL_USED, "serial", sheet=known.serial_on)


def pack_warnings(pack: Pack, today: date) -> list[tuple[Code, Mapping[str, object]]]:
    """What is worth a second look about a pack that is recorded."""
    if pack.expiry and 0 <= (pack.expiry - today).days <= EXPIRY_WARNING_DAYS:
        return [(Code.LOT_EXPIRES_SOON, {"expiry": pack.expiry})]
    return []
