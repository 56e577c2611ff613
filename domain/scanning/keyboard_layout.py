"""Scanned text that was typed for another keyboard layout."""

# Characters that arrive on a computer with a Spanish or Latin American keyboard when the scanner types for an American
# one, and the characters that were scanned.
_AMERICAN = {
    "'": "-",
    "?": "_",
    "-": "/",
    "_": "?",
    "(": "*",
    ")": "(",
    "=": ")",
    "+": "]",
    "*": "}",
    "/": "&",
    "&": "^",
    ";": "<",
    ":": ">",
    "ñ": ";",
    "Ñ": ":",
    '"': "@",
    "·": "#",
    "ç": "\\",
    "Ç": "|",
    "º": "`",
    "ª": "~",
}
# These two keys are + or = depending on the keyboard. At the beginning they are the + of HIBC, elsewhere the = of a
# link.
_PLUS_OR_EQUALS = "¡¿"
_FOR_AMERICAN = str.maketrans({**_AMERICAN, **dict.fromkeys(_PLUS_OR_EQUALS, "=")})
# The opposite case: the scanner types for a Spanish keyboard, and the computer has an American one.
_FOR_SPANISH = str.maketrans({meant: arrived for arrived, meant in _AMERICAN.items()} | {"]": "+", "\\": "ç"})
# Characters that no code contains. They arrive in place of a hyphen, a colon, a plus or an equals sign.
_IMPOSSIBLE_CHARACTERS = frozenset("'ñÑçÇºª·¡¿´`¨")


def for_other_keyboards(text: str) -> tuple[str, ...]:
    """Return the text as typed for other keyboards, the most likely first.

    The text itself is never included.
    """
    american = text.translate(_FOR_AMERICAN)
    if text[:1] in _PLUS_OR_EQUALS:
        american = "+" + american[1:]
    return tuple(dict.fromkeys(other for other in (american, text.translate(_FOR_SPANISH)) if other != text))


def is_of_other_keyboard(text: str) -> bool:
    """Return whether the text has characters that no code contains.

    They show that the scanner types for another keyboard.
    """
    return not _IMPOSSIBLE_CHARACTERS.isdisjoint(text)
