"""Exact amounts and quantities, and the one rounding rule (docs/contract.md, "Values").

Money is a ``Decimal`` in the hospital's currency with 2 decimals, rounded half up. A quantity is a ``Decimal`` with at
most 3 decimals. Neither is ever a binary floating-point number.
"""

from decimal import ROUND_HALF_UP, Context, Decimal

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
QUANTITY_STEP = Decimal("0.001")
ZERO_QUANTITY = 0 * QUANTITY_STEP

# As many of the largest lines as a sheet takes (``domain.sheet.MAX_LINES``) come to 90 quadrillion, which 64 bits
# hold in cents: no total reaches a limit, so no answer depends on a price (docs/adr/0027-no-limit-by-price.md).
MAX_PRICE = Decimal("999999999.99")
MAX_QUANTITY = Decimal("9999.999")
MAX_LINE_TOTAL = Decimal("9999999999999.99")

# Reckoning does not depend on the decimal context that a caller happens to have.
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)


def to_cents(amount: Decimal) -> Decimal:
    """The amount with 2 decimals, rounded half up."""
    return amount.quantize(CENT, context=_EXACT)


def line_total(unit_price: Decimal, quantity: Decimal) -> Decimal:
    """What a line costs: unit price times quantity, in cents."""
    return to_cents(_EXACT.multiply(unit_price, quantity))
