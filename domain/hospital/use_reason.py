"""Reasons why a supply is not used for treatment."""

from enum import StrEnum


class UseReason(StrEnum):
    """Why a supply was not used for treatment: it was thrown away."""

    OPENED = "opened"
    DROPPED = "dropped"
    DEFECTIVE = "defective"
    EXPIRED = "expired"


WASTE = (UseReason.OPENED, UseReason.DROPPED, UseReason.DEFECTIVE, UseReason.EXPIRED)
