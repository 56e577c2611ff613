"""Charges of closed sheets: what billing gets after each closing.

They are the difference between the charges that were sent before and the lines that the closing froze.
"""

import string
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from domain.common.money import ZERO

_DIGITS = string.digits + string.ascii_uppercase


class ChargeKind(StrEnum):
    """Whether a charge is added or taken back (HL7 table 0017)."""

    CHARGE = "CG"
    CREDIT = "CD"

    @property
    def sign(self) -> int:
        """The factor of the charge in a sum."""
        return 1 if self is ChargeKind.CHARGE else -1


class CreditReason(StrEnum):
    """Why a charge is taken back."""

    # The line has other values now.
    CHANGED = "changed"
    VOIDED = "voided"
    # The line is on another sheet now.
    MOVED = "moved"
    # The line does not exist any more, usually because its sheet was deleted.
    DELETED = "deleted"
    # The sheet belongs to another patient or another visit now.
    ACCOUNT_CHANGED = "other account"


@dataclass(frozen=True, slots=True, kw_only=True)
class BillingAccount:
    """A patient's billing account of one visit.

    Without a ``visit_number``, the sheet's number identifies the visit.
    """

    patient_id: int
    visit_number: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargedLine:
    """A line as it is sent to billing.

    Names are not compared: a new name alone causes no credit and no new charge.
    """

    detail_id: int
    product_id: int
    product_code: str | None
    product_name: str = field(compare=False)
    billing_code: str | None
    quantity: Decimal
    unit_price: Decimal
    total: Decimal
    occurred_at: datetime
    area_id: int | None
    area: str | None = field(compare=False)
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None

    @property
    def is_zero(self) -> bool:
        """Whether there is nothing to charge because everything was returned."""
        return not self.quantity and not self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedAccount:
    """The account and the lines of one closing.

    ``turn`` is the number of the closing on its sheet. Voided lines are not included.
    """

    sheet_id: int
    turn: int
    account: BillingAccount
    lines: tuple[ChargedLine, ...]


@dataclass(slots=True, kw_only=True)
class Charge:
    """A charge or a credit as it was sent to billing. It never changes.

    ``transaction_id`` stays the same however often the charge is sent: billing recognizes duplicates by it.
    ``reverses`` is the one of the charge that a credit takes back. ``note`` is the reason that a user gave. ``id`` is 0
    until the charge is stored.
    """

    id: int = 0
    transaction_id: str
    sheet_id: int
    turn: int
    kind: ChargeKind
    account: BillingAccount
    line: ChargedLine
    reverses: str | None = None
    reason: CreditReason | None = None
    note: str | None = None
    message_id: int = 0


def transaction_id(sheet_id: int, number: int) -> str:
    """Return the id of a sheet's charge or credit with this number.

    Both are written in base 36, so that the id has at most 12 characters up to sheet 78,364,164,095 and number
    1,679,615. Spreadsheets do not take it for a number or a day, because of the underscore.
    """
    return f"{_base36(sheet_id)}_{_base36(number)}"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


def open_charges(sent: Iterable[Charge]) -> list[Charge]:
    """Return the charges that no credit took back."""
    sent = list(sent)
    reversed_ids = {charge.reverses for charge in sent if charge.kind is ChargeKind.CREDIT}
    return [charge for charge in sent if charge.kind is ChargeKind.CHARGE and charge.transaction_id not in reversed_ids]


def due(sent: Iterable[Charge], closed: ClosedAccount) -> list[Charge]:
    """Return the charges and credits that bring billing up to this closing.

    ``sent`` are all earlier charges of the sheet. An unchanged line needs nothing. If a charged line is gone or has
    other values, its charge is credited with the charge's own quantity and price. New and changed lines are charged. If
    a line has both, the credit comes first.
    """
    sent = list(sent)
    lines = {line.detail_id: line for line in closed.lines if not line.is_zero}
    credited: list[tuple[Charge, CreditReason]] = []
    unchanged = set()
    for charge in open_charges(sent):
        line = lines.get(charge.line.detail_id)
        if charge.account != closed.account:
            credited.append((charge, CreditReason.ACCOUNT_CHANGED))
        elif line is None:
            credited.append((charge, CreditReason.DELETED))
        elif line != charge.line:
            credited.append((charge, CreditReason.CHANGED))
        else:
            unchanged.add(line.detail_id)
    due_charges = [
        Charge(
            transaction_id="",
            sheet_id=closed.sheet_id,
            turn=closed.turn,
            kind=ChargeKind.CREDIT,
            account=charge.account,
            line=charge.line,
            reverses=charge.transaction_id,
            reason=reason,
        )
        for charge, reason in credited
    ]
    due_charges += [
        Charge(
            transaction_id="",
            sheet_id=closed.sheet_id,
            turn=closed.turn,
            kind=ChargeKind.CHARGE,
            account=closed.account,
            line=line,
        )
        for line in lines.values()
        if line.detail_id not in unchanged
    ]
    due_charges.sort(key=lambda charge: (charge.line.detail_id, charge.kind is ChargeKind.CHARGE))
    return [
        replace(charge, transaction_id=transaction_id(closed.sheet_id, number))
        for number, charge in enumerate(due_charges, len(sent) + 1)
    ]


def balance(charges: Iterable[Charge]) -> Decimal:
    """Return the sum of the charges minus the credits."""
    return sum((charge.kind.sign * charge.line.total for charge in charges), ZERO)
