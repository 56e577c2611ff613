"""A user's sessions: their duration, their list and ending them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from application.accounts.ports.identity import SignInMethod
from application.accounts.sessions.begin_session import MAX_SESSIONS
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.note_use import LONGEST, TOUCH_INTERVAL
from application.accounts.sessions.throttle import MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT
from application.accounts.sessions.user_agent import browser_of, system_of
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.views import SessionView
from application.audit.audit_log import AuditEntry
from application.common.store_errors import StoreUnavailable, UnavailableReason
from domain.common.errors import Code, NotFound, TooManyAttempts, Unauthenticated
from domain.common.policy import Actor
from tests.assertions import refused
from tests.builders import PASSWORD, ZONE, Ward, a_ward
from tests.stores import InMemoryStore
from tests.use_cases.stored import audit_log, kept, nothing_written

NURSE = Credentials(email="user@consumo.test", password=PASSWORD)
HERE = ("192.0.2.7", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0")
ELSEWHERE = ("198.51.100.9", "curl/8.5.0")


def use(ward: Ward, token: str) -> SignedIn:
    """Identify a request and store the use of the session, as the web does."""
    signed_in = ward.use_cases.session.identify(token)
    if not signed_in.use_is_noted:
        ward.use_cases.session.touch(signed_in.session_id)
    return signed_in


def signed_in(ward: Ward) -> SignedIn:
    return ward.use_cases.session.identify(ward.use_cases.session.sign_in(NURSE, *HERE))


def sessions(ward: Ward, signed_in: SignedIn) -> list[SessionView]:
    return ward.use_cases.session.list(signed_in, signed_in.actor.user_id)["items"]


def is_over(ward: Ward, token: str) -> bool:
    try:
        ward.use_cases.session.identify(token)
    except Unauthenticated:
        return True
    return False


def ended(ward: Ward) -> list[AuditEntry]:
    return [entry for entry in audit_log(ward) if entry.action == "session.ended"]


# --- duration --------------------------------------------------------------------------------------------------------


def test_a_used_session_is_extended(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(NURSE)
    for _ in range(4):
        ward.clock.advance(hours=11, minutes=59)
        assert use(ward, token).actor == ward.nurse
    ward.clock.advance(hours=12)
    assert is_over(ward, token)


def test_a_session_ends_after_its_maximum_duration(ward: Ward) -> None:
    token, began = ward.use_cases.session.sign_in(NURSE), ward.clock.now
    while ward.clock.now + timedelta(hours=6) < began + LONGEST:
        ward.clock.advance(hours=6)
        use(ward, token)
    ward.clock.now = began + LONGEST - timedelta(seconds=1)
    assert not is_over(ward, token)
    ward.clock.advance(seconds=1)
    assert is_over(ward, token)


def test_uses_are_stored_at_intervals(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(NURSE)
    with nothing_written(ward):
        for _ in range(10):
            ward.clock.advance(seconds=29)
            use(ward, token)
    ward.clock.advance(seconds=10)
    signed_in = use(ward, token)
    assert not signed_in.use_is_noted
    assert kept(ward).sessions[signed_in.session_id].used_at == ward.clock.now
    with nothing_written(ward):
        assert use(ward, token).use_is_noted
        # A concurrent request has stored the use already.
        ward.use_cases.session.touch(signed_in.session_id)


def test_a_use_from_a_clock_that_was_ahead_is_corrected(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(NURSE)
    ward.clock.advance(hours=5)
    use(ward, token)
    now = ward.clock.advance(hours=-5)
    session_id = use(ward, token).session_id
    session = kept(ward).sessions[session_id]
    assert (session.used_at, session.expires_at) == (now, now + timedelta(hours=12))


def test_no_use_of_an_ended_session_is_stored(ward: Ward) -> None:
    signed_in = use(ward, ward.use_cases.session.sign_in(NURSE))
    ward.use_cases.session.sign_out(signed_in)
    ward.clock.advance(hours=1)
    with nothing_written(ward):
        ward.use_cases.session.touch(signed_in.session_id)
        ward.use_cases.session.touch("no such one")


class _FullStore(InMemoryStore):
    full = False

    def begin(self) -> Any:
        if self.full:
            raise StoreUnavailable(UnavailableReason.FULL)
        return super().begin()


def test_requests_work_even_if_a_use_cannot_be_stored() -> None:
    store = _FullStore(ZONE)
    ward = a_ward(store)
    token = ward.use_cases.session.sign_in(NURSE)
    ward.clock.advance(hours=1)
    store.full = True
    assert use(ward, token).actor == ward.nurse
    store.full = False
    assert not use(ward, token).use_is_noted
    assert use(ward, token).use_is_noted


# --- list ------------------------------------------------------------------------------------------------------------


def test_the_list_has_address_client_and_times_of_sessions(ward: Ward) -> None:
    began = ward.clock.now
    here = ward.use_cases.session.sign_in(NURSE, *HERE)
    ward.clock.advance(hours=1)
    ward.use_cases.session.sign_in(NURSE, *ELSEWHERE)
    ward.use_cases.session.sign_in(Credentials(email="admin@consumo.test", password=PASSWORD))
    ward.clock.advance(hours=1)
    signed_in = use(ward, here)
    first, second = sessions(ward, signed_in)
    assert first == SessionView(
        id=signed_in.session_id,
        address=HERE[0],
        client=HERE[1],
        browser="Firefox",
        system="Windows",
        began_at=began,
        used_at=began + timedelta(hours=2),
        current=True,
        how=SignInMethod.PASSWORD,
        locked=False,
        device=None,
    )
    assert (second["address"], second["client"], second["browser"], second["current"]) == (*ELSEWHERE, None, False)
    assert second["began_at"] == second["used_at"] == began + timedelta(hours=1)


@pytest.mark.parametrize(
    ("client", "browser", "system"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
         "Safari/537.36", "Chrome", "Windows"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
         "Safari/537.36 Edg/142.0.0.0", "Edge", "Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 "
         "Safari/605.1.15", "Safari", "macOS"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/26.0 Mobile/15E148 Safari/604.1", "Safari", "iPhone"),
        ("Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 "
         "Mobile/15E148 Safari/604.1", "Chrome", "iPad"),
        ("Mozilla/5.0 (Linux; Android 14; SM-X210) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 "
         "Chrome/130.0.0.0 Safari/537.36", "Samsung Internet", "Android"),
        ("Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
         "Safari/537.36", "Chrome", "ChromeOS"),
        ("python-httpx/0.28.1", None, None),
        ("", None, None),
    ],
)  # fmt: skip
def test_browsers_and_systems_are_recognized(client: str, browser: str | None, system: str | None) -> None:
    assert (browser_of(client), system_of(client)) == (browser, system)


# --- ending ----------------------------------------------------------------------------------------------------------


def test_ending_one_session_does_not_affect_the_others(ward: Ward) -> None:
    here, there, third = (ward.use_cases.session.sign_in(NURSE, *where) for where in (HERE, ELSEWHERE, HERE))
    other = ward.use_cases.session.identify(there)
    ward.use_cases.session.end.one(ward.use_cases.session.identify(here), ward.nurse.user_id, other.session_id, *HERE)
    assert [is_over(ward, token) for token in (here, there, third)] == [False, True, False]
    (entry,) = ended(ward)
    assert (entry.user_id, entry.entity, entry.entity_id) == (ward.nurse.user_id, "user", ward.nurse.user_id)
    assert {name: after for name, (_, after) in entry.changes.items()} == {
        "address": HERE[0],
        "client": HERE[1],
        "session_address": ELSEWHERE[0],
        "session_client": ELSEWHERE[1],
    }


def test_ending_all_other_sessions_keeps_the_current_one(ward: Ward) -> None:
    here, *others = (ward.use_cases.session.sign_in(NURSE) for _ in range(4))
    admin = ward.use_cases.session.sign_in(Credentials(email="admin@consumo.test", password=PASSWORD))
    ward.use_cases.session.end.others(ward.use_cases.session.identify(here), ward.nurse.user_id)
    assert not is_over(ward, here)
    assert all(is_over(ward, token) for token in others)
    assert not is_over(ward, admin)
    assert len(ended(ward)) == len(others)


@pytest.mark.parametrize("who", ["supervisor", "admin"])
def test_managers_of_an_account_end_its_sessions(ward: Ward, who: str) -> None:
    by: Actor = getattr(ward, who)
    tokens = [ward.use_cases.session.sign_in(NURSE) for _ in range(3)]
    ends = ward.use_cases.session.end
    ends.one(SignedIn(by, "theirs"), ward.nurse.user_id, ward.use_cases.session.identify(tokens[0]).session_id, *HERE)
    assert [is_over(ward, token) for token in tokens] == [True, False, False]
    ends.others(SignedIn(by, "theirs"), ward.nurse.user_id, *HERE)
    assert all(is_over(ward, token) for token in tokens)
    assert {(entry.user_id, entry.entity_id) for entry in ended(ward)} == {(by.user_id, ward.nurse.user_id)}


PendingWrites = Callable[[Ward, Actor, int], object]
ENDINGS: list[PendingWrites] = [
    lambda ward, by, whose: ward.use_cases.session.end.others(SignedIn(by, "x"), whose),
    lambda ward, by, whose: ward.use_cases.session.end.one(SignedIn(by, "x"), whose, "x"),
]


@pytest.mark.parametrize("ending", ENDINGS, ids=["all", "one"])
def test_sessions_of_unmanaged_accounts_cannot_be_ended(ward: Ward, ending: PendingWrites) -> None:
    ward.use_cases.session.sign_in(Credentials(email="admin@consumo.test", password=PASSWORD))
    for by, whose, code in (
        (ward.nurse, ward.supervisor, Code.USER_NOT_OWN),
        (ward.supervisor, ward.admin, Code.USER_FOR_ADMINISTRATION),
    ):
        with nothing_written(ward), refused(code):
            ending(ward, by, whose.user_id)
    with nothing_written(ward), pytest.raises(NotFound):
        ending(ward, ward.admin, 999)
    with pytest.raises(NotFound):
        ward.use_cases.session.list(SignedIn(ward.supervisor, "x"), ward.admin.user_id)


def test_another_users_session_is_not_found_among_ones_own(ward: Ward) -> None:
    theirs = ward.use_cases.session.sign_in(Credentials(email="admin@consumo.test", password=PASSWORD))
    session_id = ward.use_cases.session.identify(theirs).session_id
    signed_in = ward.use_cases.session.identify(ward.use_cases.session.sign_in(NURSE))
    for unknown in (session_id, "no such one", "a\0b", ""):
        with nothing_written(ward), pytest.raises(NotFound):
            ward.use_cases.session.end.one(signed_in, ward.nurse.user_id, unknown)
    assert not is_over(ward, theirs)


def test_a_sign_in_beyond_the_limit_ends_the_oldest_session(ward: Ward) -> None:
    tokens = []
    for _ in range(MAX_SESSIONS):
        tokens.append(ward.use_cases.session.sign_in(NURSE, *ELSEWHERE))
        ward.clock.advance(minutes=1)
    assert not any(is_over(ward, token) for token in tokens)
    # The session that was used last is still the one that began first.
    ward.clock.advance(minutes=TOUCH_INTERVAL.seconds / 60)
    use(ward, tokens[0])
    last = ward.use_cases.session.sign_in(NURSE, *HERE)
    assert [is_over(ward, token) for token in [*tokens, last]] == [True, *[False] * MAX_SESSIONS]
    (entry,) = ended(ward)
    assert entry.changes["session_address"] == (None, ELSEWHERE[0])
    assert entry.changes["address"] == (None, HERE[0])
    assert len(sessions(ward, ward.use_cases.session.identify(last))) == MAX_SESSIONS


# --- confirming the password -----------------------------------------------------------------------------------------


def test_the_password_unlocks_and_confirms_the_session(ward: Ward) -> None:
    nurse = signed_in(ward)
    with ward.store.begin() as work:
        session = work.sessions.lock(nurse.session_id, ward.clock.now)
        assert session is not None
        work.sessions.save(replace(session, locked_at=ward.clock.now, confirmed_at=None, pin_failures=5))
    ward.use_cases.session.unlock(nurse, UnlockDraft(password=PASSWORD), *HERE)
    unlocked = kept(ward).sessions[nurse.session_id]
    assert (unlocked.locked_at, unlocked.confirmed_at, unlocked.pin_failures) == (None, ward.clock.now, 0)


def test_a_session_that_ended_meanwhile_is_not_unlocked(ward: Ward) -> None:
    nurse = signed_in(ward)
    ward.use_cases.session.sign_out(nurse)
    with nothing_written(ward), pytest.raises(Unauthenticated):
        ward.use_cases.session.unlock(nurse, UnlockDraft(password=PASSWORD), *HERE)


def test_a_wrong_password_is_logged_as_a_failed_sign_in(ward: Ward) -> None:
    with refused((Code.PASSWORD_WRONG, "password")):
        ward.use_cases.session.unlock(signed_in(ward), UnlockDraft(password="x"), *HERE)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.entity_id) == ("session.sign_in_failed", ward.nurse.user_id)
    assert entry.changes == {"address": (None, HERE[0]), "client": (None, HERE[1])}
    nurse = signed_in(ward)
    with nothing_written(ward), refused((Code.REQUIRED, "password")):
        ward.use_cases.session.unlock(nurse, UnlockDraft())


def test_confirmations_share_the_throttle_of_sign_ins(ward: Ward) -> None:
    nurse = signed_in(ward)
    for number in range(MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT):
        wrong = UnlockDraft(password=f"guess {number}")
        with refused((Code.PASSWORD_WRONG, "password")):
            ward.use_cases.session.unlock(nurse, wrong, *HERE)
    with pytest.raises(TooManyAttempts):
        ward.use_cases.session.unlock(nurse, UnlockDraft(password=PASSWORD), *HERE)
    with pytest.raises(TooManyAttempts):
        ward.use_cases.session.sign_in(NURSE, *HERE)
    assert "password" not in repr(UnlockDraft(password=PASSWORD))
