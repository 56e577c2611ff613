"""Labels that the hospital prints with this system."""

import re

from domain.product import has_right_check_digit

# CNS, the kind (patient, kit, product, stay, form, closing) and digits: letters that no keyboard layout changes.
_OWN = re.compile(r"CNS[PKRSFC][0-9]", re.IGNORECASE)


def is_own_label(text: str) -> bool:
    """Tell whether the text begins as our own labels do, a damaged one included."""
    return _OWN.match(text) is not None


_STAY = re.compile(r"CNSS([0-9]{1,19})([0-9])", re.IGNORECASE | re.ASCII)
_MAX_ID = 2**63 - 1


def stay_label(sheet_id: int) -> str:
    """Return the text of the label that stands for a sheet: ``CNSS``, its id and a check digit as GTINs have it."""
    check = next(digit for digit in "0123456789" if has_right_check_digit(f"{sheet_id}{digit}"))
    return f"CNSS{sheet_id}{check}"


def sheet_of_label(text: str) -> int | None:
    """Return the id of the sheet that a label stands for; None for every other text and for a damaged label."""
    found = _STAY.fullmatch(text)
    if not found or not has_right_check_digit(found[1] + found[2]):
        return None
    sheet_id = int(found[1])
    return sheet_id if 0 < sheet_id <= _MAX_ID else None
