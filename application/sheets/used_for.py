"""For whom lines were used: filters of lists and reports, and their three parts."""

from enum import StrEnum


class UsedFor(StrEnum):
    """Which lines count: those of patients, of areas, waste, or all."""

    PATIENTS = "patients"
    AREA = "area"
    WASTED = "wasted"
    ALL = "all"


class Part(StrEnum):
    """The part of all use to which a line belongs: each belongs to one.

    A line that was thrown away is in the last part, on sheets of patients and of areas alike.
    """

    TREATMENT = "treatment"
    AREA = "area"
    WASTED = "wasted"
