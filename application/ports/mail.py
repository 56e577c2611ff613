"""Emails to users."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MailMessage:
    """An email: a personal link, or a notice that the account changed.

    A link has the ``occasion`` ``activation`` or ``reset``, and ``at`` is its expiry. A notice has ``password_changed``
    or ``email_changed``, and ``at`` is the time of the change.
    """

    to: str
    occasion: str
    language: str
    at: datetime
    url: str = ""


class Mailer(Protocol):
    """Sends emails. ``delivers`` is False if the hospital has no mail server."""

    @property
    def delivers(self) -> bool: ...

    def send(self, email: MailMessage) -> None:
        """Queue an email. It returns immediately, without confirming delivery."""
