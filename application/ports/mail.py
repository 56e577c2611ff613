"""What is mailed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MailMessage:
    """What is mailed: a link and until when it works (``occasion`` is ``activation`` or ``reset``), or that the account
    was changed and when (``password_changed``, ``email_changed``).
    """

    to: str
    occasion: str
    language: str
    at: datetime
    url: str = ""


class Mailer(Protocol):
    """Sends emails, if the hospital has set up how: only then it ``delivers``."""

    @property
    def delivers(self) -> bool: ...

    def send(self, email: MailMessage) -> None:
        """Hand an email over; returns at once, whether or not it will arrive."""
