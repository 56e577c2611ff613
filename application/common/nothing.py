"""Placeholders for missing values: NULL, S/D, 0000-00-00 and epoch dates."""

import re
from datetime import date
from enum import Enum

from domain.common.text import fold


class Nothing(Enum):
    """How certain it is that a cell is a placeholder."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


# Marks that are not text, and errors that mean "not available".
_MARKS = re.compile(
    r"[-\N{HYPHEN}-\N{HORIZONTAL BAR}\N{MINUS SIGN}_.\N{HORIZONTAL ELLIPSIS}\N{MIDDLE DOT}\N{BULLET}*/\s]+|\\N|"
    r"[(<\[{](?:null|none|nil|nulo|vac[ií]os?|vac[ií]as?|empty|blank|en blanco)[)>\]}]",
    re.IGNORECASE,
)
# Errors of spreadsheets as texts, in any language, and cells that were too narrow. #N/A is a placeholder instead.
_ERRORS = re.compile(
    r"#[¡¿]?[^\W\d_][\w/ ]{1,30}[!?]|#(?:GETTING|OBTENIENDO)_(?:DATA|DATOS)|#{3,}|Err:\d{3}", re.IGNORECASE
)
# Words that are almost always placeholders. However, some people are called Null or None.
_LIKELY = frozenset(
    [
        "null", "none", "nan", "-nan", "nat", "<nat>",
        "nil", "nulo", "nula", "undefined", "missing", "n/a", "n.a.", "n/d", "n.d.",
        "s/d", "s.d.", "s/c", "n/c", "#n/a", "#n/d", "n/r", "not available", "not applicable", "no aplica",
        "no disponible", "sin dato", "sin datos", "sin informacion", "sin registro",
        "no consta", "no registra", "no informado", "no informa", "no especificado", "no tiene", "no data", "ninguno",
        "ninguna", "<na>", "dato no disponible", "sin especificar", "unspecified",
    ]
)  # fmt: skip
# Placeholders in a code column.
_NO_CODE = frozenset(["s/n", "sin numero", "sin codigo", "sin clave", "sin expediente", "sin historia"])
# Letters that may also be a code, an area or a unit.
_POSSIBLE = frozenset(["na", "nd", "sd", "sn", "nc"])
_MAX_LENGTH = 30
# Placeholders that programs combine with names, with their exact case: a person may be called Null.
_WITHIN_A_NAME = frozenset(
    ["NULL", "null", "(null)", "None", "nan", "NaN", "NaT", "<NA>", "undefined", "\\N", "N/A", "#N/A", "S/D"]
)
# Dates of zeros or blanks: 0000-00-00 00:00:00, 00/00/0000, "  /  /    ", __/__/____.
_NO_DAY = re.compile(r"[\s0/\-.:_T,Z]+|<?NaT>?", re.IGNORECASE)
_ZEROS = re.compile(r"0+", re.ASCII)

# The first and last dates of calendars in programs, which programs write if there is no date.
_EDGES = frozenset(
    [
        date(1, 1, 1), date(1, 1, 3), date(100, 1, 1), date(1000, 1, 1), date(1582, 10, 14), date(1582, 10, 15),
        date(1600, 1, 1), date(1600, 12, 31), date(1601, 1, 1), date(1753, 1, 1), date(1800, 1, 1), date(1840, 12, 31),
        date(1858, 11, 17), date(1899, 12, 29), date(1899, 12, 30), date(1899, 12, 31), date(1900, 1, 1),
        date(1900, 1, 2), date(1901, 1, 1), date(1904, 1, 1), date(2078, 12, 31), date(2079, 6, 6), date(2099, 12, 31),
        date(2100, 1, 1), date(2100, 12, 31), date(2199, 12, 31), date(2200, 1, 1), date(2999, 12, 31),
        date(4000, 1, 1), date(8888, 12, 31), date(9998, 12, 31),
        date(9999, 1, 1), date(9999, 9, 9), date(9999, 12, 30), date(9999, 12, 31),
    ]
)  # fmt: skip
# Epoch dates. People were born on these days, but no imported admission was on one.
FIRST_DAY_OF_CLOCKS = date(1970, 1, 1)
_FIRST_DAYS_OF_CLOCKS = frozenset([date(1969, 12, 31), FIRST_DAY_OF_CLOCKS, date(1970, 1, 2), date(1980, 1, 1)])
# In a group of this size about one person is born on a given date.
_ONE_IN = 5_000


def nothing_said(text: str, *, is_code: bool = False) -> Nothing | None:
    """Return how certain it is that the text is a placeholder, or None."""
    if not 0 < len(text) <= _MAX_LENGTH or text[-1].isdigit():
        return None
    if _MARKS.fullmatch(text):
        return Nothing.CERTAIN
    folded = fold(text)
    if is_code and folded in _NO_CODE:
        return Nothing.LIKELY
    return Nothing.LIKELY if folded in _LIKELY else Nothing.POSSIBLE if folded in _POSSIBLE else None


def without_nothing(name: str) -> str:
    """Remove placeholders for unknown parts from a person's name."""
    # A comma separates surnames and given names.
    parts = [part.split() for part in name.split(",")]
    if all(word not in _WITHIN_A_NAME for part in parts for word in part):
        return name
    return ", ".join(" ".join(word for word in part if word not in _WITHIN_A_NAME) for part in parts)


def is_error(text: str) -> bool:
    """Return whether the text is an error of a spreadsheet, such as #REF!."""
    return bool(_ERRORS.fullmatch(text))


def is_no_day(text: str) -> bool:
    """Return whether the date consists of zeros or blanks."""
    return bool(_NO_DAY.fullmatch(text))


def is_of_zeros(text: str) -> bool:
    """Return whether the number consists of zeros."""
    return bool(_ZEROS.fullmatch(text))


def may_mean_no_day(day: date, *, is_birthday: bool) -> bool:
    """Return whether programs write this date as a placeholder.

    A person may be born on an epoch date, so those do not count for birthdays.
    """
    return day in _EDGES or (not is_birthday and day in _FIRST_DAYS_OF_CLOCKS)


def comes_too_often(count: int, rows: int) -> bool:
    """Return whether a birthday is more frequent than chance explains."""
    return count > 1 and count * _ONE_IN > rows
