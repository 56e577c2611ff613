"""CSV injection: escape and unescape texts that look like formulas."""

import re

# Formulas begin with these characters. Full-width ones are included, as some keyboards type them, and so are tab and
# line breaks, which spreadsheets skip.
_BEGINS_A_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_BEHIND_APOSTROPHES = re.compile(rf"'*{_BEGINS_A_FORMULA.pattern}")


def is_like_a_formula(text: str) -> bool:
    """Return whether a spreadsheet would read the text as a formula.

    Escaped texts count too, so that they get another apostrophe.
    """
    return _BEHIND_APOSTROPHES.match(text) is not None


def guarded(text: str) -> str:
    """Escape a text that looks like a formula with an apostrophe.

    An escaped text gets another apostrophe, so that ``unguarded`` restores the original.
    """
    return f"'{text}" if is_like_a_formula(text) else text


def unguarded(text: str) -> str:
    """Remove the apostrophe that ``guarded`` added."""
    return text[1:] if text.startswith("'") and _BEHIND_APOSTROPHES.match(text, 1) else text
