"""Guessing passwords: so many tries are borne, by whom and for how long, and what the throttle gives away: nothing."""

from contextlib import suppress
from datetime import timedelta

import pytest

from application.session import throttle as rules
from application.session.confirm_password import GivenPassword
from application.session.judge_password import PasswordTypedOnLink, TypedPassword
from application.session.sign_in import Credentials
from application.session.throttle import THROTTLE_WINDOW
from application.users.draft import UserDraft
from domain.errors import Code, InvalidCredentials, TooManyAttempts
from domain.policy import Role
from tests.assertions import refused
from tests.builders import PASSWORD, QuickPasswords, Ward, a_ward
from tests.use_cases.accounts import NEW_PASSWORD, choose, secret_of, sign_in
from tests.use_cases.stored import kept, nothing_written

NURSE, NOBODY = "user@consumo.test", "nobody@consumo.test"
HERE, ELSEWHERE = "192.0.2.1", "2001:db8::7"


class CountingPasswords(QuickPasswords):
    """Counts how often it was asked to match."""

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
    """Sign-ins that fail, as anybody's would."""
    for number in range(times):
        with pytest.raises(InvalidCredentials):
            sign_in(ward, email, f"wrong {number}", address=address)


def seconds_to_wait(ward: Ward, email: str = NURSE, password: str = PASSWORD, *, address: str = HERE) -> int:
    """How long whoever is throttled is told to wait."""
    with pytest.raises(TooManyAttempts) as throttled:
        sign_in(ward, email, password, address=address)
    return throttled.value.seconds


# --- how many --------------------------------------------------------------------------------------------------------


def test_ten_failures_are_borne_on_one_account_from_one_address(ward: Ward) -> None:
    fail(ward, times=10)
    assert seconds_to_wait(ward) == THROTTLE_WINDOW.total_seconds()
    # The owner, who comes from elsewhere, and the neighbour, who comes from here, are let in.
    assert sign_in(ward, NURSE, address=ELSEWHERE)
    assert sign_in(ward, "admin@consumo.test", address=HERE)


def test_nine_failures_hinder_nobody(ward: Ward) -> None:
    fail(ward, times=9)
    assert sign_in(ward, NURSE, address=HERE)


def test_an_account_is_the_same_whatever_the_case_of_its_email(ward: Ward) -> None:
    for number in range(10):
        fail(ward, (NURSE, "USER@consumo.test", "  User@Consumo.Test ")[number % 3])
    assert seconds_to_wait(ward, NURSE.upper())


def test_after_a_hundred_failures_an_address_is_refused_except_for_accounts_known_there(
    ward: Ward, passwords: CountingPasswords
) -> None:
    """A whole hospital may come from one address: people who signed in there before still can."""
    sign_in(ward, NURSE, address=HERE)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
    hashed = passwords.matched
    for email in ("admin@consumo.test", NOBODY, "u0@consumo.test"):
        with nothing_written(ward):
            assert seconds_to_wait(ward, email) == THROTTLE_WINDOW.total_seconds()
    assert passwords.matched == hashed
    assert sign_in(ward, NURSE, address=HERE)
    assert sign_in(ward, "admin@consumo.test", address=ELSEWHERE)


def test_an_account_known_at_a_refused_address_is_tried_only_twice_from_there(
    ward: Ward, passwords: CountingPasswords
) -> None:
    sign_in(ward, NURSE, address=HERE)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
    fail(ward, NURSE, times=2)
    hashed = passwords.matched
    assert seconds_to_wait(ward, NURSE) == THROTTLE_WINDOW.total_seconds()
    assert passwords.matched == hashed
    assert sign_in(ward, NURSE, address=ELSEWHERE)


def test_an_address_is_known_for_ninety_days_after_the_last_sign_in(ward: Ward) -> None:
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


def test_a_try_whose_limits_are_reached_together_waits_for_the_last_of_them(ward: Ward) -> None:
    fail(ward, NOBODY, times=10)
    ward.clock.advance(minutes=5)
    for number in range(90):
        fail(ward, f"u{number}@consumo.test")
    ward.clock.advance(minutes=5)
    assert seconds_to_wait(ward, NOBODY) == 5 * 60
    ward.clock.advance(minutes=5)
    fail(ward, NOBODY, times=10)
    assert seconds_to_wait(ward, NOBODY) == THROTTLE_WINDOW.total_seconds()


def test_two_hundred_failures_are_borne_on_one_account_from_all_addresses(ward: Ward) -> None:
    for number in range(200):
        fail(ward, address=f"198.51.100.{number}")
    assert seconds_to_wait(ward, address=ELSEWHERE) == THROTTLE_WINDOW.total_seconds()
    assert sign_in(ward, "admin@consumo.test", address=ELSEWHERE)


def test_the_limits_are_what_these_tests_take_them_for() -> None:
    limits = (
        rules.MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT,
        rules.MAX_ATTEMPTS_PER_ADDRESS,
        rules.MAX_ATTEMPTS_PER_ACCOUNT,
    )
    assert (*limits, THROTTLE_WINDOW) == (10, 100, 200, timedelta(minutes=15))


# --- for how long ----------------------------------------------------------------------------------------------------


def test_the_throttle_ends_with_its_window_and_not_before(ward: Ward) -> None:
    fail(ward, times=10)
    ward.clock.advance(minutes=14, seconds=59)
    assert seconds_to_wait(ward) == 1
    ward.clock.advance(seconds=0.5)
    assert seconds_to_wait(ward) == 1
    ward.clock.advance(seconds=0.5)
    assert sign_in(ward, NURSE, address=HERE)


def test_whoever_waits_as_long_as_was_said_is_let_in(ward: Ward) -> None:
    fail(ward, times=9)
    ward.clock.advance(seconds=100.25)
    fail(ward)
    seconds = seconds_to_wait(ward)
    assert seconds == 800
    ward.clock.advance(seconds=seconds)
    assert sign_in(ward, NURSE, address=HERE)


def test_the_window_slides_each_failure_is_forgotten_in_its_time(ward: Ward) -> None:
    for _ in range(10):
        fail(ward)
        ward.clock.advance(minutes=1)
    assert seconds_to_wait(ward) == 5 * 60
    ward.clock.advance(minutes=5)
    fail(ward)
    assert seconds_to_wait(ward) == 60


def test_tries_while_throttled_do_not_make_it_longer(ward: Ward) -> None:
    fail(ward, times=10)
    ward.clock.advance(minutes=10)
    for _ in range(50):
        assert seconds_to_wait(ward, password="wrong") == 5 * 60
    ward.clock.advance(minutes=5)
    assert sign_in(ward, NURSE, address=HERE)


def test_a_stranger_who_goes_on_trying_does_not_keep_the_owner_out(ward: Ward) -> None:
    for _ in range(40):
        ward.clock.advance(minutes=1)
        try:
            sign_in(ward, NURSE, "wrong", address=HERE)
        except (InvalidCredentials, TooManyAttempts):
            assert sign_in(ward, NURSE, address=ELSEWHERE)


# --- what frees ------------------------------------------------------------------------------------------------------


def test_a_success_clears_what_failed_there_before(ward: Ward) -> None:
    fail(ward, times=9)
    sign_in(ward, NURSE, address=HERE)
    fail(ward, times=9)
    assert sign_in(ward, NURSE, address=HERE)


def test_a_success_clears_nothing_that_failed_elsewhere(ward: Ward) -> None:
    fail(ward, times=10)
    sign_in(ward, NURSE, address=ELSEWHERE)
    assert seconds_to_wait(ward)


def test_signing_in_to_the_own_account_gives_no_more_tries_on_others(ward: Ward) -> None:
    """A guesser with an account signs in now and then."""
    for number in range(99):
        fail(ward, f"u{number}@consumo.test")
    sign_in(ward, NURSE, address=HERE)
    fail(ward, "u99@consumo.test")
    assert seconds_to_wait(ward, "admin@consumo.test")


def test_a_form_that_lacks_something_is_no_try(ward: Ward) -> None:
    for _ in range(20):
        with nothing_written(ward), refused((Code.REQUIRED, "password")):
            ward.use_cases.sign_in(Credentials(email=NURSE), HERE)
    assert kept(ward).failed_attempts == {}


def test_what_failed_while_the_clock_was_wrong_hinders_nobody_once_it_is_right(ward: Ward) -> None:
    right = ward.clock()
    ward.clock.advance(days=30)
    fail(ward, times=10)
    assert seconds_to_wait(ward) == THROTTLE_WINDOW.total_seconds()
    ward.clock.now = right
    assert sign_in(ward, NURSE, address=HERE)
    fail(ward, times=10)
    assert seconds_to_wait(ward) == THROTTLE_WINDOW.total_seconds()


# --- what is given away ----------------------------------------------------------------------------------------------


def answers_to(ward: Ward, email: str, tries: int = 25) -> list[object]:
    """What a guesser is told, try by try, while the clock goes on."""
    told: list[object] = []
    for number in range(tries):
        ward.clock.advance(seconds=7)
        try:
            sign_in(ward, email, f"wrong {number}", address=HERE)
        except TooManyAttempts as throttled:
            told.append(throttled.seconds)
        except InvalidCredentials as refusal:
            told.append(refusal.args)
    return told


def test_an_account_that_does_not_exist_is_throttled_like_one_that_does() -> None:
    accounts = (NURSE, NOBODY, "deleted@consumo.test", "invited@consumo.test", "not an email")
    answers = []
    for email in accounts:
        ward = a_ward()
        deleted = ward.register("deleted@consumo.test", Role.USER)
        ward.use_cases.delete_user(ward.admin, deleted.user_id)
        ward.use_cases.invite_user(ward.admin, UserDraft(email="invited@consumo.test", role=1), "es")
        answers.append(answers_to(ward, email))
    assert answers == [answers[0]] * len(accounts)
    assert answers[0][:11] == [()] * 10 + [int(THROTTLE_WINDOW.total_seconds()) - 10 * 7]


@pytest.mark.parametrize("email", [NURSE, NOBODY])
def test_every_try_that_is_borne_costs_one_hash_and_one_that_is_not_costs_none(
    ward: Ward, passwords: CountingPasswords, email: str
) -> None:
    fail(ward, email, times=10)
    assert passwords.matched == 10
    for password in (PASSWORD, "wrong"):
        with nothing_written(ward):
            seconds_to_wait(ward, email, password)
    assert passwords.matched == 10


def test_of_a_failure_neither_email_nor_address_nor_password_is_kept(ward: Ward) -> None:
    """A mistyped email may be a password."""
    fail(ward, "tres gasas y una vend", times=2)
    failed_attempts = kept(ward).failed_attempts
    # Under account and address, account, and address; and by the number of the entry.
    assert len(failed_attempts) == 2 * 4
    assert {at for _, at in failed_attempts.values()} == {ward.clock.now}
    for said in ("gasas", "wrong", HERE):
        assert said not in repr(failed_attempts)


def test_a_failure_begins_no_session_and_is_noted_with_where_it_came_from(ward: Ward) -> None:
    before = kept(ward).sessions
    fail(ward)
    fail(ward, NOBODY)
    assert kept(ward).sessions == before
    noted = [(one.action, one.user_id, one.entity_id, one.changes["address"]) for one in kept(ward).audit_log[-2:]]
    assert noted == [
        ("session.sign_in_failed", None, ward.nurse.user_id, (None, HERE)),
        ("session.sign_in_failed", None, 0, (None, HERE)),
    ]


def failures_noted(ward: Ward, address: str = HERE) -> list[object]:
    """The number that each entry about a failed sign-in from that address tells; 1 for those that tell none."""
    return [
        entry.changes.get("failures", (None, 1))[1]
        for entry in kept(ward).audit_log
        if entry.action == "session.sign_in_failed" and entry.changes["address"] == (None, address)
    ]


def test_of_many_failures_of_one_address_the_first_ten_are_noted_and_then_their_number(ward: Ward) -> None:
    ward.clock.now = ward.clock.now.replace(minute=0, second=0, microsecond=0)
    for number in range(100):
        fail(ward, f"u{number}@consumo.test")
        ward.clock.advance(seconds=1)
    assert failures_noted(ward) == [1] * 10 + [20, 40, 80]
    fail(ward, "u1@consumo.test", address=ELSEWHERE)
    assert failures_noted(ward, ELSEWHERE) == [1]
    # From then on they are counted from the beginning.
    ward.clock.advance(minutes=15)
    for number in range(12):
        fail(ward, f"u{number}@consumo.test")
    assert failures_noted(ward) == [1] * 10 + [20, 40, 80] + [1] * 10


def test_tries_at_a_steady_pace_do_not_leave_an_entry_each(ward: Ward) -> None:
    """A window that slides would hold 80 failures each time."""
    ward.clock.now = ward.clock.now.replace(minute=0, second=0, microsecond=0)
    for number in range(3 * 80):
        fail(ward, f"u{number}@consumo.test")
        ward.clock.advance(seconds=11.25)
    assert failures_noted(ward) == 3 * ([1] * 10 + [20, 40, 80])


def test_known_and_unknown_accounts_are_noted_alike(ward: Ward) -> None:
    fail(ward, NURSE, times=5)
    fail(ward, NOBODY, times=10)
    for number in range(5):
        fail(ward, f"u{number}@consumo.test")
    log = kept(ward).audit_log[-11:]
    assert [entry.entity_id for entry in log] == [ward.nurse.user_id] * 5 + [0] * 6
    assert log[-1].changes == {"address": (None, HERE), "client": (None, ""), "failures": (None, 20)}


def test_wrong_confirmations_count_among_the_failures_of_their_address(ward: Ward) -> None:
    for number in range(19):
        fail(ward, f"u{number}@consumo.test")
    with refused((Code.PASSWORD_WRONG, "password")):
        ward.use_cases.confirm_password(ward.nurse, GivenPassword(password="wrong"), HERE)
    assert failures_noted(ward) == [1] * 10 + [20]


def test_many_tries_at_once_are_no_more_than_were_allowed(ward: Ward, passwords: CountingPasswords) -> None:
    """Each is counted before it is hashed: here all of them begin before the first one has ended."""
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


def test_a_throttled_right_password_begins_no_session(ward: Ward) -> None:
    fail(ward, times=10)
    with nothing_written(ward):
        assert seconds_to_wait(ward, password=PASSWORD)
        assert seconds_to_wait(ward, password=NEW_PASSWORD)


def test_passwords_are_judged_so_often_for_one_account_and_no_more(ward: Ward) -> None:
    typed = TypedPassword(password=NEW_PASSWORD)
    for _ in range(rules.MAX_STRENGTH_CHECKS_PER_ACCOUNT):
        ward.use_cases.judge_password.own(ward.nurse, typed)
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        ward.use_cases.judge_password.own(ward.nurse, typed)
    link = ward.use_cases.hand_out_reset_link(ward.admin, ward.nurse.user_id)
    on_link = PasswordTypedOnLink(token=secret_of(link), password=NEW_PASSWORD)
    with pytest.raises(TooManyAttempts):
        ward.use_cases.judge_password.on_link(on_link)
    assert ward.use_cases.judge_password.own(ward.admin, typed).weakness is None
    # Whoever typed so long may still choose one, and sign in.
    choose(ward, link)
    assert sign_in(ward, NURSE, NEW_PASSWORD)
