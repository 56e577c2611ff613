"""Email notices of account changes.

They make an account takeover noticeable.
"""

from datetime import datetime

from application.common.mail import MailMessage
from domain.accounts.user import User


def emails_about_change(before: User, after: User, at: datetime, language: str) -> list[MailMessage]:
    """Return the notices of a new password and a new email.

    Both go to the previous address: an attacker would read notices that go to the new one.
    """
    changes = {
        "password_changed": after.password_hash != before.password_hash,
        "email_changed": after.email != before.email,
    }
    return [MailMessage(before.email, occasion, language, at) for occasion, changed in changes.items() if changed]
