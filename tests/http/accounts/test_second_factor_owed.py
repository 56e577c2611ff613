"""What a session may do from the day on which its role needs a passkey."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.builders import SettableClock
from tests.http.hospital import ZONE, Hospital, hospital_on
from tests.http.routes import CALLERS, EVERY_CALL, Call, to_each_role
from tests.http.security.test_who_may_do_what import code_of

OWED = "second_factor_required"
FIRST_DAY = datetime(2026, 11, 2, tzinfo=ZONE)
USER = "/api/users/{user_id}"
# The own account with its passkeys, and the session. Accounts of others are answered as ward staff are answered.
LEFT = {
    ("POST", "/api/auth/logout"),
    ("GET", "/api/auth/oidc/logout-url"),
    ("POST", "/api/auth/lock"),
    ("POST", "/api/auth/unlock"),
    ("POST", "/api/auth/unlock/options"),
    ("POST", "/api/auth/nonce"),
    ("PUT", "/api/auth/device"),
    ("DELETE", "/api/auth/pin"),
    ("POST", "/api/auth/badge"),
    ("GET", f"{USER}/badges"),
    ("POST", f"{USER}/badges"),
    ("DELETE", f"{USER}/badges/{{badge_id}}"),
    ("GET", f"{USER}/sessions"),
    ("DELETE", f"{USER}/sessions"),
    ("DELETE", f"{USER}/sessions/{{session_id}}"),
    ("GET", "/api/auth/profile"),
    ("GET", "/api/staff/profile"),
    ("PUT", "/api/staff/profile"),
    ("PUT", "/api/users/account/ward"),
    ("GET", USER),
    ("PUT", USER),
    ("POST", "/api/auth/password-strength"),
    ("POST", "/api/auth/passkeys/options"),
    ("POST", "/api/auth/passkeys"),
    ("GET", f"{USER}/passkeys"),
    ("PUT", f"{USER}/passkeys/{{passkey_id}}"),
    ("DELETE", f"{USER}/passkeys/{{passkey_id}}"),
    # How many entries still wait.
    ("PUT", "/api/devices/{device_id}/outbox"),
}
# The first passkey takes a link from an administrator, because a password may be stolen; the last one is kept.
REFUSED = {"passkeys.begin_registration": "passkey.link_required", "passkeys.remove (own)": "passkey.last"}

# They work on devices where the owner gave the second factor, so a stolen password must not make them.
OWING_NOTHING = {"session.set_pin", "badges.add (own)"}


@pytest.fixture
def clock() -> SettableClock:
    """A clock that stands shortly before passkeys are needed."""
    return SettableClock(FIRST_DAY - timedelta(seconds=10))


@pytest.fixture
def hospital(database: str, tmp_path: Path, clock: SettableClock) -> Iterator[Hospital]:
    """A hospital in which every role needs a passkey from the first day on."""
    day = FIRST_DAY.date().isoformat()
    with hospital_on(database, tmp_path, clock=clock, SECOND_FACTOR="1,2,10", SECOND_FACTOR_FROM=day) as hospital:
        yield hospital


def expected(call: Call, name: str) -> set[str | None]:
    """The code of the refusal, or None if the caller may."""
    if (call.method, call.route) not in LEFT or call.use_case in OWING_NOTHING:
        # A role that may never do it may be told so.
        return {OWED, call.refusal(name)} & {OWED, "forbidden", "only_for_keys"}
    if call.use_case in REFUSED:
        return {REFUSED[call.use_case]}
    is_own = "(own)" in call.use_case or "{user_id}" not in call.route or call.use_case == "account.change"
    return {call.refusal(name if is_own else "nurse")}


@pytest.mark.parametrize(("call", "names"), to_each_role(LEFT), ids=str)
def test_a_session_that_owes_its_passkey_reaches_the_account(
    hospital: Hospital, clock: SettableClock, call: Call, names: tuple[str, ...]
) -> None:
    for name in names:
        clock.now = FIRST_DAY - timedelta(seconds=10)
        caller = CALLERS[name](hospital)
        path, body = call.prepare(hospital, caller)
        clock.now = FIRST_DAY
        before = hospital.rows()
        answer = caller.call(call.method, path, body)
        codes = expected(call, name)
        if None in codes:
            assert answer.status_code == call.answers[name], (name, answer.text)
            continue
        assert call.method == "HEAD" or code_of(answer) in codes, (name, answer.text)
        if (call.method, call.route) not in LEFT:
            assert answer.status_code == 403, (name, answer.text)
            assert hospital.rows() == before, name


def test_every_call_that_is_left_is_in_the_table() -> None:
    assert {(call.method, call.route) for call in EVERY_CALL} >= LEFT
