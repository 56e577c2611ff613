"""Pack data: lot, expiry and serial number."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from decimal import Decimal
from enum import StrEnum

from domain.catalogue.product import ONE, Product, gtin_key, is_gtin
from domain.catalogue.recall import RecallNotice
from domain.common.day import day_of
from domain.common.errors import Code
from domain.common.validation import Validator

LOT_LENGTH = 50
# A pack that expires within this many days gets a warning.
EXPIRY_WARNING_DAYS = 30
_FIRST_YEAR, _YEARS_AHEAD = 2000, 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Data that was scanned or read off a pack."""

    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None


EMPTY_PACK = Pack()


class Missing(StrEnum):
    """What an implant lacks."""

    BOTH = "lot_and_serial"
    LOT = "lot_only"
    SERIAL = "serial_only"

    @property
    def field(self) -> str:
        """The first field that is empty."""
        return "serial" if self is Missing.SERIAL else "lot"


def missing_of_implant(pack: Pack) -> Missing | None:
    """Return what an implant's pack lacks; None if it has lot and serial."""
    if pack.lot:
        return None if pack.serial else Missing.SERIAL
    return Missing.LOT if pack.serial else Missing.BOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class PackHistory:
    """Known facts about a pack.

    ``recall`` is the recall in force that covers it. ``sheet_with_serial`` is the id of the sheet on which its serial
    number was recorded.
    """

    recall: RecallNotice | None = None
    sheet_with_serial: int | None = None


def known_of_implant(product: Product, pack: Pack) -> dict[str, object]:
    """Return what is known of an incomplete implant, for its question."""
    known = {"product": product.name_and_code, "lot": pack.lot, "serial": pack.serial}
    return {name: value for name, value in known.items() if value}


def validate_pack(checks: Validator, pack: Pack, today: date) -> Pack:
    """Validate and normalize the pack data of a request."""
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
    checks: Validator,
    pack: Pack,
    product: Product,
    quantity: Decimal,
    known: PackHistory,
    today: date,
    *,
    zone: tzinfo,
    recall_reason: str | None,
    implant_reason: str | None,
    asks_implant: bool = True,
    asks_expired: bool = True,
) -> None:
    """Report problems with recording a pack.

    Except for a serial number with a quantity other than one, they are questions: a user may acknowledge them and
    record the pack anyway. A recall is asked about until ``recall_reason`` says why the pack was used, and the lot and
    serial number of an implant until ``implant_reason`` says why one is missing. ``asks_implant`` is false for clients
    that cannot answer and for what stays in no patient, ``asks_expired`` for what was thrown away as expired.
    """
    if pack.serial and quantity != ONE:
        checks.add_error(Code.SERIAL_QUANTITY, "quantity")
    if product.implant:
        if asks_implant and (missing := missing_of_implant(pack)):
            ask = checks.require_acknowledgement if implant_reason else checks.ask_again
            ask(Code.IMPLANT_INCOMPLETE, missing.field, **known_of_implant(product, pack))
    else:
        if product.asks_lot and not pack.lot:
            checks.require_acknowledgement(Code.LOT_REQUIRED, "lot")
        if product.asks_serial and not pack.serial:
            checks.require_acknowledgement(Code.SERIAL_REQUIRED, "serial")
    if known.recall is not None:
        ask = checks.require_acknowledgement if recall_reason else checks.ask_again
        ask(
            Code.LOT_RECALLED,
            "lot",
            recall_id=known.recall.recall_id,
            since=day_of(known.recall.opened_at, zone),
            reason=known.recall.reason,
            **({"lot": pack.lot} if pack.lot else {}),
        )
    if asks_expired and pack.expiry and pack.expiry < today:
        checks.require_acknowledgement(Code.LOT_EXPIRED, "expiry", day=pack.expiry)
    if known.sheet_with_serial is not None:
        checks.require_acknowledgement(Code.SERIAL_USED, "serial", sheet=known.sheet_with_serial)


def pack_warnings(pack: Pack, today: date) -> list[tuple[Code, Mapping[str, object]]]:
    """Return the warnings about a pack that is recorded."""
    if pack.expiry and 0 <= (pack.expiry - today).days <= EXPIRY_WARNING_DAYS:
        return [(Code.LOT_EXPIRES_SOON, {"expiry": pack.expiry})]
    return []
