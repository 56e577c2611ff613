"""Values that tests look for where they must not be, and that no time, id, hash or dump holds by chance."""

import re

# Prices of the two products of a test, of nine digits and cents. ``holds_amount`` looks for them and for their totals.
PRICE, OTHER_PRICE = "731379793.37", "411971791.19"
# For names and codes: neither base64 nor hexadecimal digits have its marks.
WORD = "*Canario*"

# A number that is no part of a word, an id or a time: 20:15:19.657313, 2026-05-04, 0b7c-7313.
_NUMBER = re.compile(r"(?<![\w.])(?<!\w-)(?<!\d:)\d[\d.,]*\d(?!\w)")


def holds_amount(text: str, amount: str) -> bool:
    """Tell whether that amount is among the text's numbers, with any separators or in cents."""
    return any(_digits(amount) in _digits(number) for number in _NUMBER.findall(text))


def _digits(number: str) -> str:
    return number.replace(",", "").replace(".", "")
