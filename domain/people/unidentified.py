"""Patients who are admitted before they are identified."""

from collections.abc import Collection
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused

# The maximum number of unidentified patients at a time.
MAX_UNIDENTIFIED = 999
MAX_AGE = 130


class Sex(StrEnum):
    """The sex of an unidentified patient, as far as it can be seen."""

    FEMALE = "female"
    MALE = "male"


# The name is data, as every name is: it is stored in the hospital's language.
_SEXES = {Sex.FEMALE: "mujer", Sex.MALE: "hombre"}


def unidentified_name(number: int, sex: Sex | None, age: int | None) -> str:
    """Return a name to say: ``Sin identificar 3 · hombre · ~40 años``."""
    parts = [f"Sin identificar {number}"]
    if sex is not None:
        parts.append(_SEXES[sex])
    if age is not None:
        parts.append("menos de 1 año" if age == 0 else "~1 año" if age == 1 else f"~{age} años")
    return " · ".join(parts)


def next_unidentified_number(taken: Collection[int]) -> int:
    """Return the number after the highest one that is taken.

    If that would be too high, return the lowest free one. Raise ``Refused`` (unidentified.too_many) if there is none.
    """
    following = max(taken, default=0) + 1
    if following <= MAX_UNIDENTIFIED:
        return following
    free = next((number for number in range(1, MAX_UNIDENTIFIED + 1) if number not in taken), None)
    if free is None:
        raise Refused(Reason(Code.UNIDENTIFIED_TOO_MANY, params={"most": MAX_UNIDENTIFIED}))
    return free
