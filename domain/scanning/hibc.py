"""HIBC: check characters and spellings of codes (ANSI/HIBC 2.6)."""

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"


def check_character(text: str) -> str | None:
    """Return the check character for a symbol's text.

    None if the text contains a character that HIBC does not allow.
    """
    places = [_CHARACTERS.find(character) for character in text.upper()]
    return None if -1 in places else _CHARACTERS[sum(places) % len(_CHARACTERS)]


def is_checked(symbol: str) -> bool:
    """Return whether a symbol ends with the right check character."""
    return len(symbol) > 1 and check_character(symbol[:-1]) == symbol[-1].upper()


def hibc_spellings(code: str) -> tuple[str, ...]:
    """Return the spellings of a code with and without its check character.

    Catalogues and symbols differ in whether they include it. The first spelling is the code as given.
    """
    without = (code[:-1],) if is_checked(code) else ()
    return (code, *without, code + (check_character(code) or ""))
