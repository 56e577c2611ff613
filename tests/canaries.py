"""Distinctive values that tests search for where they must not appear.

No time, id, hash or dump contains them by chance.
"""

import re

# Prices of two products, with nine digits and cents. ``holds_amount`` finds them and their totals.
PRICE, OTHER_PRICE = "731379793.37", "411971791.19"
# For names and codes: base64 and hexadecimal text contains no asterisk.
WORD = "*Canario*"

# A number that is not part of a word, an id or a time such as 20:15:19.657313, 2026-05-04, 0b7c-7313.
_NUMBER = re.compile(r"(?<![\w.])(?<!\w-)(?<!\d:)\d[\d.,]*\d(?!\w)")


def holds_amount(text: str, amount: str) -> bool:
    """Whether the text contains the amount, with any separators or in cents."""
    return any(_digits(amount) in _digits(number) for number in _NUMBER.findall(text))


def _digits(number: str) -> str:
    return number.replace(",", "").replace(".", "")
