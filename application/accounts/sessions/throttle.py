"""Rate limits for attempts at passwords, PINs, badges and keys.

An attempt at what can be guessed is counted before its result is known, so that many concurrent ones cannot exceed the
limit. A successful attempt is removed again. Everything is checked before any password is hashed. Of what cannot be
guessed, only wrong attempts count, so that no stranger locks an owner out.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from application.accounts.work import UnitOfWork
from domain.common.errors import TooManyAttempts
from domain.common.text import unique_key

THROTTLE_WINDOW = timedelta(minutes=15)

# The allowed failures within the window. From one address few attempts at an account are allowed. From all addresses
# together there are enough that a stranger hardly locks the owner out, and never for longer than the window.
MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT = 10
MAX_ATTEMPTS_PER_ACCOUNT = 200
# A whole hospital may use one address. After this many failures, only accounts that signed in from there before may be
# tried, a few times each. All others are refused, so that made-up accounts cost no hash.
MAX_ATTEMPTS_PER_ADDRESS = 100
MAX_ATTEMPTS_PER_ACCOUNT_FROM_SUSPECT_ADDRESS = 2
# How long an account counts as known at an address after its last sign-in there.
KNOWN_ADDRESS_LASTS = timedelta(days=90)
# Emails that are requested.
MAX_EMAILS_PER_ACCOUNT = 3
MAX_EMAILS_PER_ADDRESS = 30
# Wrong proofs that cannot be guessed: keys that are unknown, revoked or expired, answers of passkeys, and refused
# answers of the identity provider. Above the limit another wrong one costs less, and a right one always passes: a whole
# hospital may use one address. Links are not counted at all, because a wrong one writes nothing.
MAX_WRONG_KEYS_PER_ADDRESS = 30
MAX_WRONG_PASSKEYS_PER_ADDRESS = 60
MAX_WRONG_OIDC_ANSWERS_PER_ADDRESS = 60
# Test emails of an administrator.
MAX_TEST_EMAILS_PER_ACCOUNT = 5
# PINs: over all devices of an account, and on a device for all accounts, against one guess for many people.
MAX_PINS_PER_ACCOUNT = 15
MAX_PINS_PER_DEVICE = 20
# Badges that are not the own one: for the user who asks, whose devices may be many, and on a device.
MAX_WRONG_BADGES = 30
# Passwords that are scored while the user types.
MAX_STRENGTH_CHECKS_PER_ACCOUNT = 200


@dataclass(frozen=True, slots=True)
class Limit:
    """A rate limit: up to ``most`` attempts within the window.

    Only a digest of the subject is stored.
    """

    subject: str
    most: int

    def seconds_to_wait(self, work: UnitOfWork, now: datetime) -> int:
        """Return the seconds until the next attempt, 0 if one is allowed now."""
        tried = self._recent_attempts(work, now)
        if len(tried) < self.most:
            return 0
        free = tried[len(tried) - self.most] + THROTTLE_WINDOW
        return max(1, -int(-(free - now).total_seconds() // 1))

    def is_reached(self, work: UnitOfWork, now: datetime) -> bool:
        """Return whether no attempt is left."""
        return len(self._recent_attempts(work, now)) >= self.most

    def _recent_attempts(self, work: UnitOfWork, now: datetime) -> list[datetime]:
        # Attempts with a time in the future come from a clock that was wrong. They are ignored, so that no user has to
        # wait for that time.
        return [at for at in work.failed_attempts.since(self.subject, now - THROTTLE_WINDOW) if at <= now]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that counts as a failure until it succeeds."""

    ids: tuple[int, ...]
    limits: tuple[Limit, ...]

    def succeeded(self, work: UnitOfWork) -> None:
        """Remove the attempt, and earlier failures of its first limit.

        For passwords these are the failures on the same account from the same address.
        """
        work.failed_attempts.remove(self.ids)
        work.failed_attempts.clear(self.limits[0].subject)

    def withdraw(self, work: UnitOfWork) -> None:
        """Remove the attempt, and no earlier failure."""
        work.failed_attempts.remove(self.ids)


def is_known_address(work: UnitOfWork, user_id: int, address: str, now: datetime) -> bool:
    """Return whether the account signed in from that address before.

    An unknown account is looked up as 0, so that it costs the same query.
    """
    return bool(work.failed_attempts.since(_known_address(user_id, address), now))


def remember_address(work: UnitOfWork, user_id: int, address: str, now: datetime) -> None:
    """Store that the account signed in from that address.

    It is stored with the time until which the account is known there. As for a failed attempt, only a digest is stored,
    and it is purged when its time is over.
    """
    subject = _known_address(user_id, address)
    work.failed_attempts.clear(subject)
    work.failed_attempts.add([subject], now + KNOWN_ADDRESS_LASTS)


def _known_address(user_id: int, address: str) -> str:
    return digest(f"user {user_id} known at {address}")


def count_password_try(work: UnitOfWork, email: str, address: str, now: datetime, *, is_known: bool) -> Attempt:
    """Count an attempt at the password of an account, or raise.

    Raise ``TooManyAttempts`` above a limit. The account need not exist. ``is_known`` means that the account signed in
    from that address before, or is signed in.
    """
    account = unique_key(email)
    limits = (
        _on_account_from(account, address),
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


def forget_password_tries(work: UnitOfWork, email: str, address: str) -> None:
    """Forget the failures on an account from an address."""
    work.failed_attempts.clear(_on_account_from(unique_key(email), address).subject)


def _on_account_from(account: str, address: str) -> Limit:
    return _limit(f"{account} from {address}", MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT)


def count_email(work: UnitOfWork, email: str, address: str, now: datetime) -> bool:
    """Count a requested email. Return whether the account may get it.

    Raise ``TooManyAttempts`` above the limit of the address.
    """
    account = _limit(f"letter to {unique_key(email)}", MAX_EMAILS_PER_ACCOUNT)
    limits = (_limit(f"letter from {address}", MAX_EMAILS_PER_ADDRESS), account)
    work.failed_attempts.lock([limit.subject for limit in limits])
    # The limit of the account is not reported: it would reveal how many emails another user got.
    may_be_sent = not account.is_reached(work, now)
    _counted(work, limits[:1], limits, now)
    return may_be_sent


def count_wrong_key(work: UnitOfWork, address: str, now: datetime) -> None:
    """Count an invalid API key. Raise ``TooManyAttempts`` above the limit."""
    _count_wrong(work, _limit(f"key from {address}", MAX_WRONG_KEYS_PER_ADDRESS), now)


def count_wrong_passkey(work: UnitOfWork, address: str, now: datetime) -> None:
    """Count an invalid answer of a passkey, or raise ``TooManyAttempts``."""
    _count_wrong(work, _limit(f"passkey from {address}", MAX_WRONG_PASSKEYS_PER_ADDRESS), now)


def count_wrong_oidc_answer(work: UnitOfWork, address: str, now: datetime) -> None:
    """Count a refused answer of the provider, or raise ``TooManyAttempts``."""
    _count_wrong(work, _limit(f"oidc from {address}", MAX_WRONG_OIDC_ANSWERS_PER_ADDRESS), now)


def _count_wrong(work: UnitOfWork, limit: Limit, now: datetime) -> None:
    work.failed_attempts.lock([limit.subject])
    _counted(work, (limit,), (limit,), now)


def count_pin_try(work: UnitOfWork, user_id: int, device: str, now: datetime) -> Attempt:
    """Count an attempt at the PIN of an account on a device.

    Raise ``TooManyAttempts`` above the limit of either.
    """
    limits = (_limit(f"pin of {user_id}", MAX_PINS_PER_ACCOUNT), _limit(f"pin on {device}", MAX_PINS_PER_DEVICE))
    work.failed_attempts.lock([limit.subject for limit in limits])
    return _counted(work, limits, limits, now)


def count_badge_try(work: UnitOfWork, user_id: int, device: str | None, now: datetime) -> Attempt:
    """Count a comparison with the badges of all users.

    Raise ``TooManyAttempts`` above the limit of the user who asks or of the device, if there is one.
    """
    subjects = [f"badge by {user_id}", *([f"badge on {device}"] if device else [])]
    limits = [_limit(subject, MAX_WRONG_BADGES) for subject in subjects]
    work.failed_attempts.lock([limit.subject for limit in limits])
    return _counted(work, limits, limits, now)


def count_strength_check(work: UnitOfWork, user_id: int, now: datetime) -> None:
    """Count a password that is scored. Raise ``TooManyAttempts``.

    The limit applies to each account.
    """
    limits = (_limit(f"judged for {user_id}", MAX_STRENGTH_CHECKS_PER_ACCOUNT),)
    work.failed_attempts.lock([limit.subject for limit in limits])
    _counted(work, limits, limits, now)


def count_test_email(work: UnitOfWork, user_id: int, now: datetime) -> None:
    """Count a test email. Raise ``TooManyAttempts`` above the limit."""
    limits = (_limit(f"test letter of {user_id}", MAX_TEST_EMAILS_PER_ACCOUNT),)
    work.failed_attempts.lock([limit.subject for limit in limits])
    _counted(work, limits, limits, now)


def _counted(work: UnitOfWork, held: Sequence[Limit], limits: Sequence[Limit], now: datetime) -> Attempt:
    if seconds := max(limit.seconds_to_wait(work, now) for limit in held):
        raise TooManyAttempts(seconds)
    return Attempt(tuple(work.failed_attempts.add([limit.subject for limit in limits], now)), tuple(limits))


def _limit(what: str, most: int) -> Limit:
    return Limit(digest(what), most)


def digest(what: str) -> str:
    """Return the digest under which a subject is stored.

    A mistyped email may be a password, so it is not stored as it is.
    """
    return hashlib.sha256(what.encode()).hexdigest()
