"""Reasons why a supply is not used for a patient's treatment."""

from enum import StrEnum


class UseReason(StrEnum):
    """Why a supply was not used for a patient's treatment."""

    # Only in an area.
    CRASH_CART = "crash_cart"
    CLEANING = "cleaning"
    TRAINING = "training"
    OTHER = "other"
    # It was thrown away.
    OPENED = "opened"
    DROPPED = "dropped"
    DEFECTIVE = "defective"
    EXPIRED = "expired"

    @property
    def is_waste(self) -> bool:
        """Whether the supply was thrown away."""
        return self in WASTE


WASTE = (UseReason.OPENED, UseReason.DROPPED, UseReason.DEFECTIVE, UseReason.EXPIRED)
