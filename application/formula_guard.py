"""CSV injection: what keeps spreadsheets from taking a text for a formula, and how it is taken off again."""

import re

# Formulas begin with these: in full width too, where that is how one types, and behind blanks that are passed over.
_BEGINS_A_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_BEHIND_APOSTROPHES = re.compile(rf"'*{_BEGINS_A_FORMULA.pattern}")


def is_like_a_formula(text: str) -> bool:
    """Whether a spreadsheet would take the text for a formula, or for one that was kept from being one."""
    return _BEHIND_APOSTROPHES.match(text) is not None


def guarded(text: str) -> str:
    """The text, which no spreadsheet takes for a formula: with an apostrophe before what is like one.

    One more goes before what looks as if it had one, so that ``unguarded`` gives back what there was.
    """
    return f"'{text}" if is_like_a_formula(text) else text


def unguarded(text: str) -> str:
    """The text without the apostrophe that ``guarded`` put before it."""
    return text[1:] if text.startswith("'") and _BEHIND_APOSTROPHES.match(text, 1) else text
