"""Exact amounts and quantities, and the rounding rule.

See docs/contract.md, "Values". Money is a ``Decimal`` in the hospital's currency with 2 decimals, rounded half up. A
quantity is a ``Decimal`` with at most 3 decimals. Neither is ever a binary floating-point number.
"""

from decimal import ROUND_HALF_UP, Context, Decimal

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
QUANTITY_STEP = Decimal("0.001")
ZERO_QUANTITY = 0 * QUANTITY_STEP

# A sheet full of the largest lines (``domain.sheets.sheet.MAX_LINES``) totals 90 quadrillion, which fits into 64 bits
# as cents. So no total reaches a limit, and no answer depends on a price (docs/adr/0001-exact-numbers.md).
MAX_PRICE = Decimal("999999999.99")
MAX_QUANTITY = Decimal("9999.999")
MAX_LINE_TOTAL = Decimal("9999999999999.99")

# An explicit context makes results independent of the caller's decimal context.
_DECIMAL_CONTEXT = Context(prec=60, rounding=ROUND_HALF_UP)


def to_cents(amount: Decimal) -> Decimal:
    """Round an amount half up to 2 decimals."""
    return amount.quantize(CENT, context=_DECIMAL_CONTEXT)


def line_total(unit_price: Decimal, quantity: Decimal) -> Decimal:
    """Return unit price times quantity, in cents."""
    return to_cents(_DECIMAL_CONTEXT.multiply(unit_price, quantity))
