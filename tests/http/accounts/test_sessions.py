"""Listing and ending sessions, and POST /api/auth/unlock."""

from contextlib import closing

import pytest

from adapters.security.tokens import JwtTokens
from adapters.sql.store import SqlStore
from application.accounts.sessions.identify import Identify
from domain.accounts.passkey import SecondFactorRule
from domain.common.errors import Unauthenticated
from tests.builders import SettableClock
from tests.http.accounts.signed_in import LOGIN, OWN, is_signed_in
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, SECRET_KEY, SHEETS, ZONE, Caller, Hospital, refused
from tests.http.server.test_statements import listening

UNLOCK = "/api/auth/unlock"


def signed_in(hospital: Hospital, caller: Caller, agent: str) -> Caller:
    """The caller, signed in with the password and that User-Agent."""
    credentials = {"email": hospital.email(caller), "password": PASSWORD}
    answer = hospital.stranger.post(LOGIN, credentials, user_agent=agent)
    token = answer.json()["access_token"]
    return Caller(caller.client, caller.user_id, caller.staff_id, {"Authorization": f"Bearer {token}"})


def sessions_path(caller: Caller) -> str:
    return f"/api/users/{caller.user_id}/sessions"


def test_a_user_lists_own_sessions_and_ends_the_others(hospital: Hospital) -> None:
    here = signed_in(hospital, hospital.nurse, "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")
    there = signed_in(hospital, hospital.nurse, "curl/8.5.0")
    items = here.get(sessions_path(here)).json()["items"]
    assert {(it["browser"], it["system"], it["current"]) for it in items} == {
        ("Firefox", "Linux", True),
        (None, None, False),
    }
    assert {it["client"] for it in items} >= {"curl/8.5.0"}
    other = next(it for it in items if it["client"] == "curl/8.5.0")
    assert here.delete(f"{sessions_path(here)}/{other['id']}").status_code == 204
    assert not is_signed_in(there)
    assert here.delete(f"{sessions_path(here)}/{other['id']}").status_code == 404
    assert here.delete(f"{sessions_path(here)}/%00").status_code == 404
    assert here.delete(sessions_path(here)).status_code == 204
    assert is_signed_in(here)
    assert not is_signed_in(hospital.nurse)


@ON_EVERY_DATABASE
def test_an_ended_session_is_invalid_in_every_process(hospital: Hospital) -> None:
    there = signed_in(hospital, hospital.nurse, "curl/8.5.0")
    token = there.headers["Authorization"].removeprefix("Bearer ")
    with closing(SqlStore(hospital.database_url, ZONE)) as store:
        identify = Identify(store.read, store.begin, JwtTokens(SECRET_KEY), hospital.clock, ZONE, SecondFactorRule())
        assert identify(token).actor.user_id == hospital.nurse.user_id
        assert hospital.admin.delete(sessions_path(there)).status_code == 204
        with pytest.raises(Unauthenticated):
            identify(token)


@ON_EVERY_DATABASE
def test_a_sessions_use_is_stored_seldom_and_never_by_polling(timed_hospital: Hospital, clock: SettableClock) -> None:
    hospital = timed_hospital
    sheet = f"{SHEETS}/{hospital.open_sheet()}"
    known = hospital.nurse.get(sheet).headers["etag"]
    clock.advance(minutes=6)
    before = hospital.rows()["sessions"]
    assert hospital.nurse.get(sheet, if_none_match=known).status_code == 304
    assert hospital.rows()["sessions"] == before
    with listening(hospital) as asked:
        hospital.nurse.get(OWN)
    assert [statement.split()[0] for statement in asked] == [*["SELECT"] * 5, "UPDATE"]
    assert hospital.rows()["sessions"] != before
    with listening(hospital) as asked:
        hospital.nurse.get(OWN)
    assert [statement.split()[0] for statement in asked] == ["SELECT"] * 4


def test_only_the_own_password_unlocks_the_screen(hospital: Hospital) -> None:
    assert hospital.nurse.post(UNLOCK, {"password": PASSWORD}).status_code == 204
    assert refused(hospital.nurse.post(UNLOCK, {"password": "x"})) == [("password", "password.wrong")]
    assert refused(hospital.nurse.post(UNLOCK, {})) == [("password", "required")]
    for _ in range(9):
        hospital.nurse.post(UNLOCK, {"password": "x"})
    answer = hospital.nurse.post(UNLOCK, {"password": PASSWORD})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
