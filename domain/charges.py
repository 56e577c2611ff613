"""What of closed sheets is charged: the difference between what was told to whoever bills and what a closing froze."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from domain.money import ZERO


class ChargeKind(StrEnum):
    """What a charge does to an account (HL7 table 0017)."""

    CHARGE = "CG"
    CREDIT = "CD"

    @property
    def sign(self) -> int:
        """How it counts in a sum."""
        return 1 if self is ChargeKind.CHARGE else -1


class CreditReason(StrEnum):
    """Why a charge is taken back."""

    # The line says something else now.
    CHANGED = "changed"
    VOIDED = "voided"
    # The line stands on another sheet now.
    MOVED = "moved"
    # The line is gone, mostly with its sheet.
    DELETED = "deleted"
    # The sheet is that of another patient, or of another visit.
    ACCOUNT_CHANGED = "other account"


@dataclass(frozen=True, slots=True, kw_only=True)
class BillingAccount:
    """A patient's account of a visit; the sheet's number stands for it where there is no ``visit_number``."""

    patient_id: int
    visit_number: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargedLine:
    """What a line says to whoever bills. Names may change without anything being charged anew."""

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
        """Whether there is nothing to charge: all of it came back."""
        return not self.quantity and not self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedAccount:
    """What a closing froze, the ``turn``-th of its sheet: whose account it is, and the lines that count."""

    sheet_id: int
    turn: int
    account: BillingAccount
    lines: tuple[ChargedLine, ...]


@dataclass(slots=True, kw_only=True)
class Charge:
    """A line that was charged, or a charge that was taken back. What was told stays as it was told.

    ``reverses`` is the ``transaction_id`` of the charge that a credit takes back; ``note`` says in somebody's words
    why. ``id`` is 0 until it is stored.
    """

    id: int = 0
    sheet_id: int
    turn: int
    kind: ChargeKind
    account: BillingAccount
    line: ChargedLine
    reverses: str | None = None
    reason: CreditReason | None = None
    note: str | None = None
    message_id: int = 0

    @property
    def transaction_id(self) -> str:
        """By which whoever bills tells it from every other one, however often it is sent."""
        suffix = "R" if self.kind is ChargeKind.CREDIT else ""
        return f"{self.sheet_id}-{self.line.detail_id}-{self.turn}{suffix}"


def open_charges(sent: Iterable[Charge]) -> list[Charge]:
    """The charges that nothing took back."""
    sent = list(sent)
    reversed_ids = {charge.reverses for charge in sent if charge.kind is ChargeKind.CREDIT}
    return [charge for charge in sent if charge.kind is ChargeKind.CHARGE and charge.transaction_id not in reversed_ids]


def due(sent: Iterable[Charge], closed: ClosedAccount) -> list[Charge]:
    """What has to be told so that all that was ``sent`` of this sheet comes to what the closing froze.

    A line that is as it was charged needs nothing. A charge whose line is gone, or says something else, is taken back
    as it was charged: a credit of its own quantity and price. What is new is charged. Where a line has both, the credit
    comes first.
    """
    lines = {line.detail_id: line for line in closed.lines if not line.is_zero}
    told: list[Charge] = []
    unchanged = set()
    for charge in open_charges(sent):
        line = lines.get(charge.line.detail_id)
        if charge.account != closed.account:
            reason = CreditReason.ACCOUNT_CHANGED
        elif line is None:
            reason = CreditReason.DELETED
        elif line != charge.line:
            reason = CreditReason.CHANGED
        else:
            unchanged.add(line.detail_id)
            continue
        told.append(
            Charge(
                sheet_id=closed.sheet_id,
                turn=closed.turn,
                kind=ChargeKind.CREDIT,
                account=charge.account,
                line=charge.line,
                reverses=charge.transaction_id,
                reason=reason,
            )
        )
    told += [
        Charge(sheet_id=closed.sheet_id, turn=closed.turn, kind=ChargeKind.CHARGE, account=closed.account, line=line)
        for line in lines.values()
        if line.detail_id not in unchanged
    ]
    return sorted(told, key=lambda charge: (charge.line.detail_id, charge.kind is ChargeKind.CHARGE))


def balance(charges: Iterable[Charge]) -> Decimal:
    """What they come to: what was charged, without what was taken back."""
    return sum((charge.kind.sign * charge.line.total for charge in charges), ZERO)
