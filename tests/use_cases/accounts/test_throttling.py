"""Throttling of sign-ins: limits, windows and no hints about users."""

from contextlib import suppress
from datetime import timedelta

import pytest

from application.accounts.sessions import throttle as rules
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.throttle import THROTTLE_WINDOW
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.users.draft import UserDraft
from application.accounts.users.judge_password import PasswordTypedOnLink, TypedPassword
from domain.common.errors import Code, InvalidCredentials, TooManyAttempts
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import PASSWORD, QuickPasswords, Ward, a_ward
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, choose, secret_of, sign_in
from tests.use_cases.stored import kept, nothing_written

NURSE, UNKNOWN = "user@consumo.test", "unknown@consumo.test"
HERE, ELSEWHERE = "192.0.2.1", "2001:db8::7"


class CountingPasswords(QuickPasswords):
    """Passwords that count their checks."""

    def __init__(self) -> None:
        self.matched = 0

    def match(self, password: str, password_hash: str | None) -> bool:
        self.matched += 1
        return super().match(password, password_hash)


@pytest.fixture
def passwords() -> CountingPasswords:
    return CountingPasswords()


@pytest.fixture
def ward(passwords: CountingPasswords) -> Ward:
    return a_ward(passwords=passwords)


def fail(ward: Ward, email: str = NURSE, *, address: str = HERE, times: int = 1) -> None:
    """Fail to sign in with a wrong password, several times."""
    for number in range(times):
        with pytest.raises(InvalidCredentials):
            sign_in(ward, email, f"wrong {number}", address=address)


def seconds_to_wait(ward: Ward, email: str = NURSE, password: str = PASSWORD, *, address: str = HERE) -> int:
    """Return the retry delay of a throttled sign-in, in seconds."""
    with pytest.raises(TooManyAttempts) as throttled:
        sign_in(ward, email, password, address=address)
    return throttled.value.seconds


# --- limits ----------------------------------------------------------------------------------------------------------


def test_ten_failures_throttle_one_account_at_one_address(ward: Ward) -> None:
    fail(ward, times=10)
    assert seconds_to_wait(ward) == THROTTLE_WINDOW.total_seconds()
    # The owner at another address and another user at the same address can still sign in.
    assert sign_in(ward, NURSE, address=ELSEWHERE)
    assert sign_in(ward, "admin@consumo.test", address=HERE)


def test_nine_failures_do_not_throttle(ward: Ward) -> None:
    fail(ward, times=9)
    assert sign_in(ward, NURSE, address=HERE)


def test_an_account_is_the_same_ignoring_the_case_of_its_email(ward: Ward) -> None:
    for number in range(10):
        fail(ward, (NURSE, "USER@consumo.test", "  User@Consumo.Test ")[number % 3])
    assert seconds_to_wait(ward, NURSE.upper())


def test_an_address_is_throttled_except_for_users_known_there(ward: Ward, passwords: CountingPasswords) -> None:
    """A whole hospital may share an address.

    Users who signed in from it before still can.
    """
    sign_in(ward, NURSE, address=HERE)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
    hashed = passwords.matched
    for email in ("admin@consumo.test", UNKNOWN, "u0@consumo.test"):
        with nothing_written(ward):
            assert seconds_to_wait(ward, email) == THROTTLE_WINDOW.total_seconds()
    assert passwords.matched == hashed
    assert sign_in(ward, NURSE, address=HERE)
    assert sign_in(ward, "admin@consumo.test", address=ELSEWHERE)


def test_a_known_user_has_two_attempts_at_a_throttled_address(ward: Ward, passwords: CountingPasswords) -> None:
    sign_in(ward, NURSE, address=HERE)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
    fail(ward, NURSE, times=2)
    hashed = passwords.matched
    assert seconds_to_wait(ward, NURSE) == THROTTLE_WINDOW.total_seconds()
    assert passwords.matched == hashed
    assert sign_in(ward, NURSE, address=ELSEWHERE)


def test_an_address_is_known_for_ninety_days_after_a_sign_in(ward: Ward) -> None:
    sign_in(ward, NURSE, address=HERE)
    ward.clock.advance(days=60)
    sign_in(ward, NURSE, address=HERE)
    ward.clock.advance(days=60)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
    assert sign_in(ward, NURSE, address=HERE)
    ward.clock.advance(days=90)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
    assert seconds_to_wait(ward, NURSE)


def test_the_delay_is_the_longest_of_several_limits(ward: Ward) -> None:
    fail(ward, UNKNOWN, times=10)
    ward.clock.advance(minutes=5)
    for number in range(90):
        fail(ward, f"u{number}@consumo.test")
    ward.clock.advance(minutes=5)
    assert seconds_to_wait(ward, UNKNOWN) == 5 * 60
    ward.clock.advance(minutes=5)
    fail(ward, UNKNOWN, times=10)
    assert seconds_to_wait(ward, UNKNOWN) == THROTTLE_WINDOW.total_seconds()


def test_two_hundred_failures_throttle_an_account_everywhere(ward: Ward) -> None:
    for number in range(200):
        fail(ward, address=f"198.51.100.{number}")
    assert seconds_to_wait(ward, address=ELSEWHERE) == THROTTLE_WINDOW.total_seconds()
    assert sign_in(ward, "admin@consumo.test", address=ELSEWHERE)


def test_the_limits_have_the_values_used_in_these_tests() -> None:
    limits = (
        rules.MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT,
        rules.MAX_ATTEMPTS_PER_ADDRESS,
        rules.MAX_ATTEMPTS_PER_ACCOUNT,
    )
    assert (*limits, THROTTLE_WINDOW) == (10, 100, 200, timedelta(minutes=15))


# --- windows ---------------------------------------------------------------------------------------------------------


def test_throttling_ends_exactly_with_its_window(ward: Ward) -> None:
    fail(ward, times=10)
    ward.clock.advance(minutes=14, seconds=59)
    assert seconds_to_wait(ward) == 1
    ward.clock.advance(seconds=0.5)
    assert seconds_to_wait(ward) == 1
    ward.clock.advance(seconds=0.5)
    assert sign_in(ward, NURSE, address=HERE)


def test_a_sign_in_after_the_given_delay_succeeds(ward: Ward) -> None:
    fail(ward, times=9)
    ward.clock.advance(seconds=100.25)
    fail(ward)
    seconds = seconds_to_wait(ward)
    assert seconds == 800
    ward.clock.advance(seconds=seconds)
    assert sign_in(ward, NURSE, address=HERE)


def test_the_window_slides_with_each_failure(ward: Ward) -> None:
    for _ in range(10):
        fail(ward)
        ward.clock.advance(minutes=1)
    assert seconds_to_wait(ward) == 5 * 60
    ward.clock.advance(minutes=5)
    fail(ward)
    assert seconds_to_wait(ward) == 60


def test_attempts_while_throttled_do_not_extend_the_delay(ward: Ward) -> None:
    fail(ward, times=10)
    ward.clock.advance(minutes=10)
    for _ in range(50):
        assert seconds_to_wait(ward, password="wrong") == 5 * 60
    ward.clock.advance(minutes=5)
    assert sign_in(ward, NURSE, address=HERE)


def test_repeated_attempts_elsewhere_do_not_lock_the_owner_out(ward: Ward) -> None:
    for _ in range(40):
        ward.clock.advance(minutes=1)
        try:
            sign_in(ward, NURSE, "wrong", address=HERE)
        except (InvalidCredentials, TooManyAttempts):
            assert sign_in(ward, NURSE, address=ELSEWHERE)


# --- clearing failures -----------------------------------------------------------------------------------------------


def test_a_success_clears_earlier_failures_at_its_address(ward: Ward) -> None:
    fail(ward, times=9)
    sign_in(ward, NURSE, address=HERE)
    fail(ward, times=9)
    assert sign_in(ward, NURSE, address=HERE)


def test_a_success_does_not_clear_failures_elsewhere(ward: Ward) -> None:
    fail(ward, times=10)
    sign_in(ward, NURSE, address=ELSEWHERE)
    assert seconds_to_wait(ward)


def test_a_success_gives_no_more_attempts_on_other_accounts(ward: Ward) -> None:
    """An attacker with an account could sign in from time to time."""
    for number in range(99):
        fail(ward, f"u{number}@consumo.test")
    sign_in(ward, NURSE, address=HERE)
    fail(ward, "u99@consumo.test")
    assert seconds_to_wait(ward, "admin@consumo.test")


def test_an_incomplete_form_is_no_attempt(ward: Ward) -> None:
    for _ in range(20):
        with nothing_written(ward), refused((Code.REQUIRED, "password")):
            ward.use_cases.session.sign_in(Credentials(email=NURSE), HERE)
    assert kept(ward).failed_attempts == {}


def test_failures_with_a_wrong_clock_do_not_throttle_later(ward: Ward) -> None:
    right = ward.clock()
    ward.clock.advance(days=30)
    fail(ward, times=10)
    assert seconds_to_wait(ward) == THROTTLE_WINDOW.total_seconds()
    ward.clock.now = right
    assert sign_in(ward, NURSE, address=HERE)
    fail(ward, times=10)
    assert seconds_to_wait(ward) == THROTTLE_WINDOW.total_seconds()


# --- hints and audit entries -----------------------------------------------------------------------------------------


def answers_to(ward: Ward, email: str, tries: int = 25) -> list[object]:
    """Return the answers to repeated wrong sign-ins, seven seconds apart."""
    reported: list[object] = []
    for number in range(tries):
        ward.clock.advance(seconds=7)
        try:
            sign_in(ward, email, f"wrong {number}", address=HERE)
        except TooManyAttempts as throttled:
            reported.append(throttled.seconds)
        except InvalidCredentials as refusal:
            reported.append(refusal.args)
    return reported


def test_missing_accounts_are_throttled_like_existing_ones() -> None:
    accounts = (NURSE, UNKNOWN, "deleted@consumo.test", "invited@consumo.test", "not an email")
    answers = []
    for email in accounts:
        ward = a_ward()
        deleted = ward.register("deleted@consumo.test", Role.USER)
        ward.use_cases.users.delete(ward.admin, deleted.user_id)
        ward.use_cases.users.invite(ward.admin, UserDraft(email="invited@consumo.test", role=1), "es")
        answers.append(answers_to(ward, email))
    assert answers == [answers[0]] * len(accounts)
    assert answers[0][:11] == [()] * 10 + [int(THROTTLE_WINDOW.total_seconds()) - 10 * 7]


@pytest.mark.parametrize("email", [NURSE, UNKNOWN])
def test_an_attempt_costs_one_hash_and_a_throttled_one_none(
    ward: Ward, passwords: CountingPasswords, email: str
) -> None:
    fail(ward, email, times=10)
    assert passwords.matched == 10
    for password in (PASSWORD, "wrong"):
        with nothing_written(ward):
            seconds_to_wait(ward, email, password)
    assert passwords.matched == 10


def test_failures_store_no_email_address_or_password(ward: Ward) -> None:
    """The text in the email field may be a password typed in the wrong place."""
    fail(ward, "tres gasas y una vend", times=2)
    failed_attempts = kept(ward).failed_attempts
    # One per account and address, per account, per address, and for the number of the audit entry.
    assert len(failed_attempts) == 2 * 4
    assert {at for _, at in failed_attempts.values()} == {ward.clock.now}
    for said in ("gasas", "wrong", HERE):
        assert said not in repr(failed_attempts)


def test_a_failure_starts_no_session_and_is_logged_with_address(ward: Ward) -> None:
    before = kept(ward).sessions
    fail(ward)
    fail(ward, UNKNOWN)
    assert kept(ward).sessions == before
    noted = [(one.action, one.user_id, one.entity_id, one.changes["address"]) for one in kept(ward).audit_log[-2:]]
    assert noted == [
        ("session.sign_in_failed", None, ward.nurse.user_id, (None, HERE)),
        ("session.sign_in_failed", None, 0, (None, HERE)),
    ]


def failures_noted(ward: Ward, address: str = HERE) -> list[object]:
    """Return the ``failures`` of each entry for an address, 1 if it has none."""
    return [
        entry.changes.get("failures", (None, 1))[1]
        for entry in kept(ward).audit_log
        if entry.action == "session.sign_in_failed" and entry.changes["address"] == (None, address)
    ]


def test_ten_failures_at_an_address_are_logged_then_counted(ward: Ward) -> None:
    ward.clock.now = ward.clock.now.replace(minute=0, second=0, microsecond=0)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
        ward.clock.advance(seconds=1)
    assert failures_noted(ward) == [1] * 10 + [20, 40, 80]
    fail(ward, "u1@consumo.test", address=ELSEWHERE)
    assert failures_noted(ward, ELSEWHERE) == [1]
    # After the window, counting starts again.
    ward.clock.advance(minutes=15)
    for number in range(12):
        fail(ward, f"u{number}@consumo.test")
    assert failures_noted(ward) == [1] * 10 + [20, 40, 80] + [1] * 10


def test_failures_at_a_steady_pace_are_not_logged_one_by_one(ward: Ward) -> None:
    """A sliding window would always contain 80 failures."""
    ward.clock.now = ward.clock.now.replace(minute=0, second=0, microsecond=0)
    for number in range(3 * 80):
        fail(ward, f"u{number}@consumo.test")
        ward.clock.advance(seconds=11.25)
    assert failures_noted(ward) == 3 * ([1] * 10 + [20, 40, 80])


def test_known_and_unknown_accounts_are_logged_alike(ward: Ward) -> None:
    fail(ward, NURSE, times=5)
    fail(ward, UNKNOWN, times=10)
    for number in range(5):
        fail(ward, f"u{number}@consumo.test")
    log = kept(ward).audit_log[-11:]
    assert [entry.entity_id for entry in log] == [ward.nurse.user_id] * 5 + [0] * 6
    assert log[-1].changes == {"address": (None, HERE), "client": (None, ""), "failures": (None, 20)}


def test_wrong_confirmations_count_as_failures_of_their_address(ward: Ward) -> None:
    for number in range(19):
        fail(ward, f"u{number}@consumo.test")
    with refused((Code.PASSWORD_WRONG, "password")):
        ward.use_cases.session.unlock(SignedIn(ward.nurse, ""), UnlockDraft(password="wrong"), HERE)
    assert failures_noted(ward) == [1] * 10 + [20]


def test_concurrent_attempts_do_not_exceed_the_limit(ward: Ward, passwords: CountingPasswords) -> None:
    """An attempt is counted before it is hashed.

    Here, all attempts begin before the first one ends.
    """
    started = []

    def match(password: str, password_hash: str | None) -> bool:
        started.append(password)
        if len(started) < 64:
            with suppress(InvalidCredentials, TooManyAttempts):
                sign_in(ward, NURSE, f"wrong {len(started)}", address=HERE)
        return False

    passwords.match = match  # type: ignore[method-assign]
    fail(ward)
    assert len(started) == 10


def test_a_throttled_right_password_starts_no_session(ward: Ward) -> None:
    fail(ward, times=10)
    with nothing_written(ward):
        assert seconds_to_wait(ward, password=PASSWORD)
        assert seconds_to_wait(ward, password=NEW_PASSWORD)


def test_password_strength_checks_are_limited_per_account(ward: Ward) -> None:
    typed = TypedPassword(password=NEW_PASSWORD)
    for _ in range(rules.MAX_STRENGTH_CHECKS_PER_ACCOUNT):
        ward.use_cases.account.check_password.own(ward.nurse, typed)
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        ward.use_cases.account.check_password.own(ward.nurse, typed)
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    on_link = PasswordTypedOnLink(token=secret_of(link), password=NEW_PASSWORD)
    with pytest.raises(TooManyAttempts):
        ward.use_cases.account.check_password.on_link(on_link)
    assert ward.use_cases.account.check_password.own(ward.admin, typed).weakness is None
    # The user can still choose a password and sign in.
    choose(ward, link)
    assert sign_in(ward, NURSE, NEW_PASSWORD)
