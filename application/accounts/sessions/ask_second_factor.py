"""Ask for a passkey after the password."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from application.accounts.ports.passkeys import Json, Passkeys, SecondFactorTickets
from application.accounts.sessions.challenges import new_challenge
from application.accounts.work import UnitOfWork
from domain.accounts.passkey import CHALLENGE_TTL, SecretPurpose
from domain.accounts.user import User


class SecondFactorAsked(Exception):
    """The password was right, and a passkey is asked for.

    ``ticket`` proves the password; ``options`` are for the browser.
    """

    def __init__(self, ticket: str, options: Json) -> None:
        super().__init__()
        self.ticket = ticket
        self.options = options


@dataclass(frozen=True, slots=True)
class AskSecondFactor:
    """Ask for a passkey of a user whose password was right.

    Accounts without a passkey are not asked, nor is any account while passkeys are unavailable. The result is raised
    after the unit of work, which stores the challenge.
    """

    passkeys: Passkeys
    tickets: SecondFactorTickets

    def __call__(self, work: UnitOfWork, user: User, now: datetime) -> SecondFactorAsked | None:
        known = work.passkeys.of_user(user.id) if self.passkeys.available else []
        if not known:
            return None
        challenge = new_challenge(work, SecretPurpose.SECOND_FACTOR, user.id, now)
        ticket = self.tickets.issue(user.id, password_stamp(user), now + CHALLENGE_TTL)
        return SecondFactorAsked(ticket, self.passkeys.request_options(challenge, known))


def password_stamp(user: User) -> str:
    """Return what changes with the password, so that old tickets end."""
    return hashlib.sha256((user.password_hash or "").encode()).hexdigest()[:32]
