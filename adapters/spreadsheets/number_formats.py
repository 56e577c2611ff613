"""Number formats of workbooks (ECMA-376, 18.8.31), such as ``"MC-"0000``.

A shown text replaces the number only if every program and language shows the same: digits, with other characters
between them. Thousands, decimals and currencies are rendered as well as possible; fractions and exponents are not.
"""

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import NamedTuple

from application.imports.reading.cells import Cell, FormattedNumber

# Formats that workbooks refer to by number only. The currency of formats 5 to 8 depends on the computer.
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0", 6: "#,##0", 7: "#,##0.00", 8: "#,##0.00", 9: "0%",
    10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00",
    41: '#,##0;-#,##0;"-"', 42: '#,##0;-#,##0;"-"', 43: '#,##0.00;-#,##0.00;"-"', 44: '#,##0.00;-#,##0.00;"-"',
    48: "##0.0E+0",
}  # fmt: skip
_MAX_DIGITS, _MAX_CODE_LENGTH = 60, 255
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^]]*)\]|(?P<general>general)|(?P<exponent>E[+-])|'
    r"(?P<digit>[0#?])|(?P<end>;)|(?P<mark>[.,%@/])|(?P<bare>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_CONDITIONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<=": Decimal.__le__, ">=": Decimal.__ge__, "<>": Decimal.__ne__, "<": Decimal.__lt__, ">": Decimal.__gt__,
    "=": Decimal.__eq__,
}  # fmt: skip
_COLOUR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|colou?r ?\d+", re.IGNORECASE)
_CURRENCIES = frozenset("$€£¥₡₲₱₹")
_AMOUNT = re.compile(r"(?P<groups>#,##)?0\.(?P<decimals>0+)")
_OF_DATES = frozenset("ymdhsbge")


class _Part(NamedTuple):
    """A piece of a section.

    Its kind is a placeholder for a ``digit``, the ``general`` format, a ``mark``, or a literal ``text`` or
    ``currency``.
    """

    kind: str
    text: str


class _Amount(NamedTuple):
    """A number with decimals: prefix, suffix and Python's format."""

    before: str
    behind: str
    decimals: int
    python_format: str


class _Section(NamedTuple):
    """A section of a format; ``is_known`` if its numbers can be rendered.

    Most sections are an ``amount``.
    """

    parts: tuple[_Part, ...]
    condition: tuple[str, Decimal] | None
    is_known: bool
    amount: "_Amount | None" = None

    def has(self, kind: str, text: str = "") -> bool:
        """Return whether the section has such a piece."""
        return any(part.kind == kind and text in ("", part.text) for part in self.parts)


class NumberFormat(NamedTuple):
    """A number format: the sections for numbers, and one for texts if any."""

    code: str
    sections: tuple[_Section, ...]
    of_texts: _Section | None

    def cell(self, number: Decimal) -> Cell:
        """Return the number, with the text that the cell shows if it differs."""
        section, absolute = self._section(number)
        if section is None or not section.is_known:
            return FormattedNumber(number, f"{number:f}", unknown_format=self.code)
        number_shown = abs(number) if absolute else number
        if section.amount and number_shown.as_tuple().exponent >= -section.amount.decimals:  # type: ignore[operator]
            before, behind, _, python_format = section.amount
            sign = "-" if number_shown < 0 else ""
            text = f"{sign}{before}{format(abs(number_shown), python_format)}{behind}".strip()
            return number if text == f"{number:f}" else FormattedNumber(number, text)
        shown, is_literal = _rendered(section, number_shown)
        if shown == f"{number:f}":
            return number
        return shown if is_literal and shown.isdecimal() else FormattedNumber(number, shown, is_literal)

    def text(self, text: str) -> str:
        """Return the text that the cell shows for a text."""
        if self.of_texts is None or not self.of_texts.has("mark", "@"):
            return text
        return "".join(text if part.kind == "mark" else part.text for part in self.of_texts.parts)

    def _section(self, number: Decimal) -> tuple[_Section | None, bool]:
        """Return the section for a number, and whether it drops the sign.

        The section is None if it cannot be determined.
        """
        sections = self.sections
        if any(section.condition for section in sections):
            for section in sections[:-1]:
                operator, limit = section.condition or (">", Decimal(0))
                if number < 0 or _CONDITIONS[operator](number, limit):
                    return (None if number < 0 else section), False
            return (sections[-1] if len(sections) > 1 or number >= 0 else None), False
        if number < 0 and len(sections) > 1:
            return sections[1], True
        return sections[2 if number == 0 and len(sections) > 2 else 0], False


_GENERAL = _Section((_Part("general", ""),), None, is_known=True)


@lru_cache(1_024)
def number_format(code: str) -> NumberFormat | None:
    """Parse a format; None if it shows numbers and texts unchanged."""
    if not code.strip():
        return None
    sections = _sections(code[:_MAX_CODE_LENGTH])
    of_texts = sections.pop() if len(sections) > 3 or sections[-1].has("mark", "@") else None
    made = NumberFormat(code, tuple(sections or [_GENERAL]), of_texts)
    return None if made.sections == (_GENERAL,) and made.text("x") == "x" else made


def _sections(code: str) -> list[_Section]:
    sections: list[_Section] = []
    parts: list[_Part] = []
    condition: tuple[str, Decimal] | None = None
    is_known = True
    for token in _TOKEN.finditer(f"{code};"):
        text = token[0]
        if token["end"]:
            is_known = is_known and _can_be_rendered(parts)
            sections.append(_Section(tuple(parts), condition, is_known, _amount(parts) if is_known else None))
            parts, condition, is_known = [], None, True
        elif token["digit"]:
            parts.append(_Part("digit", text))
        elif token["general"]:
            parts.append(_Part("general", ""))
        elif token["mark"]:
            parts.append(_Part("mark", text))
        elif token["exponent"]:
            is_known = False
        elif (bracket := token["bracket"]) is not None:
            if found := _CONDITION.fullmatch(bracket.strip()):
                condition = found[1], Decimal(found[2])
            elif bracket.startswith("$"):
                # A locale can be given without a currency.
                currency = bracket[1:].partition("-")[0]
                parts += [_Part("currency", currency)] if currency else []
            elif not _COLOUR.fullmatch(bracket.strip()):
                is_known = False
        else:
            is_known = is_known and (token["bare"] or "").lower() not in _OF_DATES
            literal = token["bare"] or token["escaped"] or token["quoted"] or ""
            parts.append(_Part("text" if _CURRENCIES.isdisjoint(literal) else "currency", literal))
    return sections


def _amount(parts: Sequence[_Part]) -> _Amount | None:
    """Return the amount format, such as ``$#,##0.00``, if the parts are one.

    Most numbers of a workbook are amounts.
    """
    core = [index for index, part in enumerate(parts) if part.kind in ("digit", "mark")]
    if not core or core != list(range(core[0], core[-1] + 1)):
        return None
    found = _AMOUNT.fullmatch("".join(parts[index].text for index in core))
    if found is None:
        return None
    before, behind = ("".join(part.text for part in some) for some in (parts[: core[0]], parts[core[-1] + 1 :]))
    decimals = len(found["decimals"])
    return _Amount(before, behind, decimals, f"{',' if found['groups'] else ''}.{decimals}f")


def _can_be_rendered(parts: Sequence[_Part]) -> bool:
    """Return whether the parts are one number with at most one decimal point.

    Fractions cannot be rendered.
    """
    marks = [part.text for part in parts if part.kind == "mark"]
    digits = sum(part.kind == "digit" for part in parts)
    numbers = sum(part.kind == "general" for part in parts) + (digits > 0)
    return numbers <= 1 and digits <= _MAX_DIGITS and marks.count(".") <= 1 and not (digits and "/" in marks)


def _rendered(section: _Section, number: Decimal) -> tuple[str, bool]:
    """Render the number, and return whether the text is literal.

    A literal text is the same in every program, and contains the whole number.
    """
    parts = section.parts
    point = next((index for index, part in enumerate(parts) if part == ("mark", ".")), len(parts))
    places = [index for index, part in enumerate(parts) if part.kind == "digit"]
    whole, decimals = [index for index in places if index < point], [index for index in places if index > point]
    commas = [index for index, part in enumerate(parts) if part == ("mark", ",")]
    groups = any(whole[0] < comma < whole[-1] for comma in commas if whole)
    thousands = sum(comma > whole[-1] for comma in commas if whole)
    hundreds = sum(part == ("mark", "%") for part in parts)
    scaled = abs(number).scaleb(2 * hundreds - 3 * thousands)
    rounded = scaled.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    texts = [part.text if part.kind in ("text", "currency") or part.text in ("%", "/") else "" for part in parts]
    digits, _, fraction = f"{rounded:f}".partition(".")
    digits = digits.lstrip("0")
    if whole:
        missing = len(whole) - len(digits)
        filling = "".join({"0": "0", "?": " "}.get(parts[index].text, "\0") for index in whole[: max(missing, 0)])
        digits = filling + digits
        ahead = len(digits) - len(whole)
        for place, index in enumerate(whole):
            texts[index] = digits[: ahead + 1] if place == 0 else digits[ahead + place]
        if groups:
            for index in whole:
                texts[index] = ""
            texts[whole[-1]] = _grouped(digits.replace("\0", ""))
    if decimals:
        kept = len(decimals)
        while kept and parts[decimals[kept - 1]].text != "0" and fraction[kept - 1] == "0":
            kept -= 1
        for place, index in enumerate(decimals[:kept]):
            texts[index] = fraction[place]
    if point < len(parts):
        texts[point] = "."
    for index, part in enumerate(parts):
        if part.kind == "general":
            texts[index] = f"{scaled:f}"
    sign = "-" if number < 0 else ""
    shown = f"{sign}{''.join(texts)}".replace("\0", "").strip()
    says_all = (bool(whole) and rounded == abs(number)) or section.has("general")
    is_literal = says_all and point == len(parts) and not (groups or thousands or hundreds or section.has("currency"))
    return shown, is_literal


def _grouped(digits: str) -> str:
    """Separate the thousands by commas, including leading zeros."""
    ahead = len(digits) % 3
    return ",".join(
        filter(None, [digits[:ahead], *(digits[place : place + 3] for place in range(ahead, len(digits), 3))])
    )
