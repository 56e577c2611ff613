"""How texts are compared: in searches without case and accents, for uniqueness without case (contract, 2 and 5)."""

import unicodedata


def fold(text: str) -> str:
    """The text without case, accents and doubled blanks, as searches compare it: ``canula`` finds ``Cánula``."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def unique_key(text: str) -> str:
    """What two texts share when one of them must not exist beside the other: the same letters, whatever their case."""
    return unicodedata.normalize("NFC", text).casefold()


def is_writable(text: str) -> bool:
    """Whether every character can be stored and shown: no NUL, no other control character, no lone surrogate."""
    return text.isprintable() or all(c in "\n\r\t" or unicodedata.category(c) not in ("Cc", "Cs") for c in text)
