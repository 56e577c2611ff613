"""Labels that the hospital prints with this system."""

import re

# CNS, the kind (patient, kit, product, stay, form, closing) and digits: letters that no keyboard layout changes.
_OWN = re.compile(r"CNS[PKRSFC][0-9]", re.IGNORECASE)


def is_own_label(text: str) -> bool:
    """Tell whether the text begins as our own labels do, a damaged one included."""
    return _OWN.match(text) is not None
