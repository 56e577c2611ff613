"""Exact amounts and quantities, and the one rounding rule (docs/contract.md, "Values").

Money is a ``Decimal`` in the hospital's currency with 2 decimals, rounded half up. A quantity is a ``Decimal`` with at
most 3 decimals. Neither is ever a binary floating-point number.
"""

from decimal import ROUND_HALF_UP, Context, Decimal

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
QUANTITY_STEP = Decimal("0.001")
NO_QUANTITY = 0 * QUANTITY_STEP
MOST_MONEY = Decimal("999999999999.99")
MOST_QUANTITY = Decimal("999999.999")

# Reckoning does not depend on the decimal context that a caller happens to have.
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)


def to_cents(amount: Decimal) -> Decimal:
    """The amount with 2 decimals, rounded half up."""
    return amount.quantize(CENT, context=_EXACT)


def line_total(unit_price: Decimal, quantity: Decimal) -> Decimal:
    """What a line costs: unit price times quantity, in cents."""
    return to_cents(_EXACT.multiply(unit_price, quantity))
