"""The throttle (rate limit): how often secrets are tried, by whom and where, before any password is hashed.

A try is counted before it is known whether it succeeds, so that many at once are no more than were allowed. One that
succeeds is not counted after all.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from application.ports.unit_of_work import UnitOfWork
from domain.errors import TooManyAttempts
from domain.text import unique_key

THROTTLE_WINDOW = timedelta(minutes=15)

# So many failures within the window are allowed. An account is tried on from one address few times; from all addresses
# together so many times that a stranger hardly locks the owner out, and never for longer than the window.
MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT = 10
MAX_ATTEMPTS_PER_ACCOUNT = 200
# A whole hospital may come from one address: after this many failures only the accounts that signed in from there
# before may be tried, a few times each; all others are refused, so that made-up accounts cost no hash.
MAX_ATTEMPTS_PER_ADDRESS = 100
MAX_ATTEMPTS_PER_ACCOUNT_FROM_SUSPECT_ADDRESS = 2
# How long an account counts as known at an address after its last sign-in there.
KNOWN_ADDRESS_LASTS = timedelta(days=90)
# Emails that are asked for, and links that are followed and lead nowhere.
MAX_EMAILS_PER_ACCOUNT = 3
MAX_EMAILS_PER_ADDRESS = 30
MAX_WRONG_LINKS_PER_ADDRESS = 30
# Keys that are unknown or work no more.
MAX_WRONG_KEYS_PER_ADDRESS = 30
# Passwords that are judged while somebody types.
MAX_STRENGTH_CHECKS_PER_ACCOUNT = 200


@dataclass(frozen=True, slots=True)
class Limit:
    """So many tries of that kind are allowed within the window. Of what is tried only a digest is kept."""

    subject: str
    most: int

    def seconds_to_wait(self, work: UnitOfWork, now: datetime) -> int:
        """How long whoever tries has to wait; 0 where there is a try left."""
        tried = self._recent_attempts(work, now)
        if len(tried) < self.most:
            return 0
        free = tried[len(tried) - self.most] + THROTTLE_WINDOW
        return max(1, -int(-(free - now).total_seconds() // 1))

    def is_reached(self, work: UnitOfWork, now: datetime) -> bool:
        """Whether there is no try left."""
        return len(self._recent_attempts(work, now)) >= self.most

    def _recent_attempts(self, work: UnitOfWork, now: datetime) -> list[datetime]:
        # What was tried in the future was tried while a clock was wrong: nobody waits until it has come.
        return [at for at in work.failed_attempts.since(self.subject, now - THROTTLE_WINDOW) if at <= now]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try that counts as a failure until it has succeeded."""

    ids: tuple[int, ...]
    limits: tuple[Limit, ...]

    def succeeded(self, work: UnitOfWork) -> None:
        """Count it no more, and forget what failed before on the same account from the same address."""
        work.failed_attempts.remove(self.ids)
        work.failed_attempts.clear(self.limits[0].subject)


def is_known_address(work: UnitOfWork, user_id: int, address: str, now: datetime) -> bool:
    """Return whether that account signed in from that address before. An unknown account is looked up as 0, alike."""
    return bool(work.failed_attempts.since(_known_address(user_id, address), now))


def remember_address(work: UnitOfWork, user_id: int, address: str, now: datetime) -> None:
    """Note that the account signed in from that address: under the moment until which it is known there.

    Like a failed attempt, of which only a digest is kept, it is purged when its moment is past.
    """
    subject = _known_address(user_id, address)
    work.failed_attempts.clear(subject)
    work.failed_attempts.add([subject], now + KNOWN_ADDRESS_LASTS)


def _known_address(user_id: int, address: str) -> str:
    return digest(f"user {user_id} known at {address}")


def count_password_try(work: UnitOfWork, email: str, address: str, now: datetime, *, is_known: bool) -> Attempt:
    """Count a try to give the password of that account, which need not exist. Raise ``TooManyAttempts``.

    ``is_known`` says that the account signed in from that address before, or is signed in.
    """
    account = unique_key(email)
    limits = (
        _limit(f"{account} from {address}", MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT),
        _limit(f"on {account}", MAX_ATTEMPTS_PER_ACCOUNT),
        _limit(f"from {address}", MAX_ATTEMPTS_PER_ADDRESS),
    )
    on_account_from_here, on_account, from_here = limits
    work.failed_attempts.lock([limit.subject for limit in limits])
    if not is_known:
        return _counted(work, limits, limits, now)
    if from_here.is_reached(work, now):
        on_account_from_here = Limit(on_account_from_here.subject, MAX_ATTEMPTS_PER_ACCOUNT_FROM_SUSPECT_ADDRESS)
    return _counted(work, (on_account_from_here, on_account), limits, now)


def count_email(work: UnitOfWork, email: str, address: str, now: datetime) -> bool:
    """Count an email that is asked for; whether that account may still be written to. Raise ``TooManyAttempts``."""
    account = _limit(f"letter to {unique_key(email)}", MAX_EMAILS_PER_ACCOUNT)
    limits = (_limit(f"letter from {address}", MAX_EMAILS_PER_ADDRESS), account)
    work.failed_attempts.lock([limit.subject for limit in limits])
    # Nobody is told how many emails somebody else was sent.
    may_be_sent = not account.is_reached(work, now)
    _counted(work, limits[:1], limits, now)
    return may_be_sent


def count_link_try(work: UnitOfWork, address: str, now: datetime) -> Attempt:
    """Count a link that is followed. Raise ``TooManyAttempts``."""
    limits = (_limit(f"link from {address}", MAX_WRONG_LINKS_PER_ADDRESS),)
    work.failed_attempts.lock([limit.subject for limit in limits])
    return _counted(work, limits, limits, now)


def count_wrong_key(work: UnitOfWork, address: str, now: datetime) -> None:
    """Count a key that is unknown or works no more. Raise ``TooManyAttempts``."""
    limits = (_limit(f"key from {address}", MAX_WRONG_KEYS_PER_ADDRESS),)
    work.failed_attempts.lock([limit.subject for limit in limits])
    _counted(work, limits, limits, now)


def count_strength_check(work: UnitOfWork, user_id: int, now: datetime) -> None:
    """Count a password that is judged for that account before it is chosen. Raise ``TooManyAttempts``."""
    limits = (_limit(f"judged for {user_id}", MAX_STRENGTH_CHECKS_PER_ACCOUNT),)
    work.failed_attempts.lock([limit.subject for limit in limits])
    _counted(work, limits, limits, now)


def _counted(work: UnitOfWork, held: Sequence[Limit], limits: Sequence[Limit], now: datetime) -> Attempt:
    if seconds := max(limit.seconds_to_wait(work, now) for limit in held):
        raise TooManyAttempts(seconds)
    return Attempt(tuple(work.failed_attempts.add([limit.subject for limit in limits], now)), tuple(limits))


def _limit(what: str, most: int) -> Limit:
    return Limit(digest(what), most)


def digest(what: str) -> str:
    """Return what is stored of the subject of a try: a mistyped email may be a password."""
    return hashlib.sha256(what.encode()).hexdigest()
