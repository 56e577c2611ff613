"""Emails to users."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MailMessage:
    """An email: a personal link, a notice that the account changed, or a test.

    A link has the ``occasion`` ``activation`` or ``reset``, and ``at`` is its expiry. A notice has
    ``password_changed``, ``email_changed``, ``oidc_linked``, ``passkey_registered``, ``passkey_removed``,
    ``passkey_link`` or ``passkey_clone``, and ``at`` is the time of the change. A ``test`` has the time of the request.
    """

    to: str
    occasion: str
    language: str
    at: datetime
    url: str = ""


class MailFailure(StrEnum):
    """Why the mail server did not accept an email."""

    UNREACHABLE = "unreachable"
    NOT_ENCRYPTED = "not_encrypted"
    LOGIN_REFUSED = "login_refused"
    REFUSED = "refused"


class Mailer(Protocol):
    """Sends emails. ``delivers`` is False if the hospital has no mail server."""

    @property
    def delivers(self) -> bool: ...

    def send(self, email: MailMessage) -> None:
        """Queue an email. It returns immediately, without confirming delivery."""

    def deliver(self, email: MailMessage) -> MailFailure | None:
        """Send an email now. Return why the mail server did not accept it."""
