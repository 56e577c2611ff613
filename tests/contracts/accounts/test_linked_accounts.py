"""Contract of every store: accounts and sessions of an identity provider."""

from datetime import timedelta
from functools import partial

import pytest

from application.accounts.ports.identity import Session, SignInMethod
from application.accounts.sign_in.finish_oidc_sign_in import OidcSignedIn
from domain.accounts.user import User
from domain.common.errors import Code, Refused
from domain.common.policy import Role
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.oidc.stub_provider import ISSUER, an_identity


def linked(ward: Ward, subject: str) -> User | None:
    with ward.store.begin() as work:
        return work.users.find_linked(ISSUER, subject)


def test_a_linked_user_is_found_also_when_deleted(ward: Ward) -> None:
    ward.use_cases.account.link_oidc.link(ward.nurse, an_identity("n-1"))
    found = linked(ward, "n-1")
    assert found is not None
    assert (found.id, found.oidc_issuer, found.oidc_subject) == (ward.nurse.user_id, ISSUER, "n-1")
    assert linked(ward, "n-2") is None
    with ward.store.begin() as work:
        assert work.users.find_linked("https://other.test", "n-1") is None
    assert ward.use_cases.users.reader.one(ward.admin, found.id)["oidc_linked"] is True
    ward.use_cases.users.delete(ward.admin, found.id)
    assert linked(ward, "n-1") is not None


def test_a_user_without_password_is_told(ward: Ward) -> None:
    done = ward.use_cases.session.finish_oidc.admit(an_identity())
    actor = ward.use_cases.session.identify(done.token).actor
    account = ward.use_cases.account.read(actor)
    assert (account["has_password"], account["oidc_linked"]) == (False, True)
    own = ward.use_cases.account.read(ward.nurse)
    assert (own["has_password"], own["oidc_linked"]) == (True, False)


def test_sessions_are_found_by_that_of_the_provider(ward: Ward) -> None:
    now = ward.clock.now
    hour = timedelta(hours=1)
    with ward.store.begin() as work:
        for session_id, sid, lasts in (("a", "s-1", hour), ("b", "s-1", hour), ("c", "s-1", -hour), ("d", "s-2", hour)):
            session = Session(
                id=session_id, user_id=ward.nurse.user_id, expires_at=now + lasts, how=SignInMethod.OIDC, oidc_sid=sid
            )
            work.sessions.add(session)
    with ward.store.begin() as work:
        assert [(one.id, one.oidc_sid) for one in work.sessions.of_provider_session("s-1", now)] == [
            ("a", "s-1"),
            ("b", "s-1"),
        ]
        work.sessions.revoke("a")
    with ward.store.begin() as work:
        assert [one.id for one in work.sessions.of_provider_session("s-1", now)] == ["b"]


@pytest.mark.parametrize("email", ["new@hospital.test", "user@consumo.test"])
def test_two_first_sign_ins_at_once_make_one_account(ward: Ward, email: str) -> None:
    identity = an_identity("n-1", email)
    outcomes = at_once([lambda: ward.use_cases.session.finish_oidc.admit(identity)] * 6)
    assert [type(outcome) for outcome in outcomes] == [OidcSignedIn] * 6, outcomes
    users = {ward.use_cases.session.identify(outcome.token).actor.user_id for outcome in outcomes}
    found = linked(ward, "n-1")
    assert found is not None
    assert users == {found.id}


@pytest.mark.parametrize("email", ["new@hospital.test", "user@consumo.test"])
def test_one_of_two_subjects_with_one_email_is_admitted(ward: Ward, email: str) -> None:
    finish = ward.use_cases.session.finish_oidc
    outcomes = at_once([partial(finish.admit, an_identity(f"n-{number % 2}", email)) for number in range(6)])
    admitted = [isinstance(outcome, OidcSignedIn) for outcome in outcomes]
    assert {tuple(admitted[0::2]), tuple(admitted[1::2])} == {(True,) * 3, (False,) * 3}, outcomes
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert [one.reasons[0].code for one in refusals] == [Code.OIDC_UNLINKED] * 3
    assert (linked(ward, "n-0") is None) is not (linked(ward, "n-1") is None)


def test_the_word_of_the_provider_is_stored(ward: Ward) -> None:
    second = ward.register("second@consumo.test", Role.ADMIN)
    with ward.store.begin() as work:
        user, administrators = work.users.lock_with_administrators(second.user_id)
        assert user is not None
        assert user in administrators
        user.oidc_refused_at = ward.clock.now
        work.users.save(user)
    with ward.store.begin() as work:
        user, administrators = work.users.lock_with_administrators(second.user_id)
        assert user is not None
        assert user.oidc_refused_at == ward.clock.now
        assert [one.id for one in administrators] == [ward.admin.user_id]
        assert [one.id for one in work.users.administrators()] == [ward.admin.user_id]
