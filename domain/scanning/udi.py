"""The unique device identification (UDI) of a pack, as GS1 elements.

See GS1 General Specifications, 3.2 (application identifiers) and 4.14 (human-readable interpretation).
"""

import re
from datetime import date

from domain.catalogue.product import gtin_key

# A group separator ends an element of variable length, except the last one.
GROUP_SEPARATOR = "\x1d"
_MAX_VALUE = 20
# The characters of GS1 elements: GS1 General Specifications, 7.11, table 1.
_CHARACTERS = re.compile(r"[!-\"%-?A-Z_a-z]+")


def udi_elements(gtin: str | None, expiry: date | None, lot: str | None, serial: str | None) -> dict[str, str]:
    """Return the known elements by application identifier, in their order."""
    values = {
        "01": gtin_key(gtin) if gtin else None,
        "17": expiry.strftime("%y%m%d") if expiry else None,
        "10": lot,
        "21": serial,
    }
    return {ai: value for ai, value in values.items() if value}


def udi_text(elements: dict[str, str]) -> str:
    """Return the UDI as people read it, with identifiers in parentheses."""
    return "".join(f"({ai}){value}" for ai, value in elements.items())


def udi_symbol_text(elements: dict[str, str]) -> str | None:
    """Return the text of a GS1 symbol after its first FNC1.

    None if the GTIN is missing, or if GS1 does not allow a lot or serial number.
    """
    if "01" not in elements:
        return None
    variable = [value for ai, value in elements.items() if ai in ("10", "21")]
    if any(len(value) > _MAX_VALUE or not _CHARACTERS.fullmatch(value) for value in variable):
        return None
    text = "".join(f"{ai}{value}{GROUP_SEPARATOR if ai == '10' else ''}" for ai, value in elements.items())
    return text.removesuffix(GROUP_SEPARATOR)
