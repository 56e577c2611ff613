"""Who is told by email that their account was changed, so that nobody takes it over unseen."""

from datetime import datetime

from application.ports.mail import MailMessage
from domain.user import User


def emails_about_change(before: User, after: User, at: datetime, language: str) -> list[MailMessage]:
    """One for another password and one for another email, both to the address from before.

    Whoever took the account would read those that go to the new one.
    """
    changes = {
        "password_changed": after.password_hash != before.password_hash,
        "email_changed": after.email != before.email,
    }
    return [MailMessage(before.email, occasion, language, at) for occasion, changed in changes.items() if changed]
