"""HIBC: how its codes are checked and spelt (ANSI/HIBC 2.6)."""

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"


def check_character(text: str) -> str | None:
    """Return the character that ends a symbol of that text; None where it holds what no symbol does."""
    places = [_CHARACTERS.find(character) for character in text.upper()]
    return None if -1 in places else _CHARACTERS[sum(places) % len(_CHARACTERS)]


def is_checked(symbol: str) -> bool:
    """Tell whether the last character is the right check character of those before it."""
    return len(symbol) > 1 and check_character(symbol[:-1]) == symbol[-1].upper()


def hibc_spellings(code: str) -> tuple[str, ...]:
    """The same code as catalogues and symbols have it: as it stands, with its check character and without it."""
    without = (code[:-1],) if is_checked(code) else ()
    return (code, *without, code + (check_character(code) or ""))
