"""Labels that the hospital prints with this application."""

import re

from domain.product import has_right_check_digit

# CNS, the kind (patient, kit, product, stay, form, closing) and digits. No keyboard layout changes these letters.
_OWN_LABEL = re.compile(r"CNS[PKRSFC][0-9]", re.IGNORECASE)


def is_own_label(text: str) -> bool:
    """Return whether the text begins like one of our labels, even damaged."""
    return _OWN_LABEL.match(text) is not None


_SHEET_LABEL = re.compile(r"CNSS([0-9]{1,19})([0-9])", re.IGNORECASE | re.ASCII)
_MAX_ID = 2**63 - 1


def stay_label(sheet_id: int) -> str:
    """Return the label text of a sheet.

    It is ``CNSS``, the id and a check digit that is computed as for GTINs.
    """
    check = next(digit for digit in "0123456789" if has_right_check_digit(f"{sheet_id}{digit}"))
    return f"CNSS{sheet_id}{check}"


def sheet_of_label(text: str) -> int | None:
    """Return the sheet id of a label, or None for any other text.

    A damaged label with a wrong check digit gives None too.
    """
    found = _SHEET_LABEL.fullmatch(text)
    if not found or not has_right_check_digit(found[1] + found[2]):
        return None
    sheet_id = int(found[1])
    return sheet_id if 0 < sheet_id <= _MAX_ID else None
