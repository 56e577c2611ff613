"""Texts that a scanner typed for another keyboard layout than the computer's."""

# What arrives on a Spanish or Latin American keyboard when the scanner types for an American one, and what it meant.
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
# The same key is + or = on the two keyboards; at the beginning it is the + of HIBC, elsewhere the = of a link.
_PLUS_OR_EQUALS = "¡¿"
_FOR_AMERICAN = str.maketrans({**_AMERICAN, **dict.fromkeys(_PLUS_OR_EQUALS, "=")})
# The other way round: it types for a Spanish keyboard, and the computer has an American one.
_FOR_SPANISH = str.maketrans({meant: arrived for arrived, meant in _AMERICAN.items()} | {"]": "+", "\\": "ç"})
# No code has these. They stand where a hyphen, a colon, a plus or an equals sign was meant.
_NEVER_MEANT = frozenset("'ñÑçÇºª·¡¿´`¨")


def for_other_keyboards(text: str) -> tuple[str, ...]:
    """What the text would be if the scanner typed for another keyboard, the likeliest first; never the text itself."""
    american = text.translate(_FOR_AMERICAN)
    if text[:1] in _PLUS_OR_EQUALS:
        american = "+" + american[1:]
    return tuple(dict.fromkeys(other for other in (american, text.translate(_FOR_SPANISH)) if other != text))


def is_of_other_keyboard(text: str) -> bool:
    """Tell whether the text holds signs that no code has, as where a scanner types for another keyboard."""
    return not _NEVER_MEANT.isdisjoint(text)
