"""The second factor: asked for after the password, or demanded by role."""

from dataclasses import replace
from datetime import timedelta

import pytest

from application.accounts.ports.identity import SignInMethod
from application.accounts.sessions.ask_second_factor import SecondFactorAsked
from application.accounts.sessions.throttle import MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT
from application.accounts.sign_in.register_passkey import PasskeyLinkToken
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.users.draft import UserDraft
from domain.common.errors import (
    Code,
    Forbidden,
    InvalidCredentials,
    NotFound,
)
from domain.common.policy import Limit, Permission
from tests.assertions import refused
from tests.builders import NOON, PASSWORD, ZONE, Ward, a_ward
from tests.passkey_device import Device
from tests.use_cases.accounts.passkeys import (
    ADMIN_EMAIL,
    EMAIL,
    IN_FORCE,
    RULE,
    asked,
    give,
    last_action,
    link_of,
    register,
    register_by_link,
    registered,
    sign_in,
    stored,
    unlock,
    with_password,
)
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, choose, secret_of, works
from tests.use_cases.stored import audit_log, kept, nothing_written


@pytest.fixture
def strict() -> Ward:
    """A ward whose nurses and administrators need a passkey today."""
    return a_ward(second_factor=IN_FORCE)


def test_a_passkey_is_asked_for_after_the_password(ward: Ward) -> None:
    device = registered(ward)
    sessions = set(kept(ward).sessions)
    challenge = asked(ward)
    assert set(kept(ward).sessions) == sessions
    assert [one["id"] for one in challenge.options["allowCredentials"]] == [device.get(challenge.options)["id"]]
    signed_in = give(ward, challenge, device)
    assert kept(ward).sessions[signed_in.session_id].how is SignInMethod.PASSWORD_AND_PASSKEY
    assert audit_log(ward)[-1].changes["how"] == (None, "password+passkey")


def test_the_second_factor_is_one_of_the_account(ward: Ward) -> None:
    registered(ward)
    other = Device()
    register(ward, with_password(ward, ADMIN_EMAIL), other)
    with refused((Code.PASSKEY_OF_ANOTHER, "credential")):
        give(ward, asked(ward), other)
    assert last_action(ward) == "session.second_factor_failed"


def test_a_ticket_is_for_the_password_of_now(ward: Ward) -> None:
    device = registered(ward)
    before = asked(ward)
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    with pytest.raises(SecondFactorAsked):
        choose(ward, link)
    with nothing_written(ward), refused((Code.PASSKEY_CHALLENGE, "credential")):
        give(ward, before, device)
    give(ward, asked(ward, password=NEW_PASSWORD), device)


def test_a_ticket_expires(ward: Ward) -> None:
    device = registered(ward)
    challenge = asked(ward)
    ward.clock.now += timedelta(minutes=5)
    with nothing_written(ward), refused((Code.PASSKEY_CHALLENGE, "credential")):
        give(ward, challenge, device)


def test_tickets_and_access_tokens_are_not_interchangeable(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(Credentials(email=EMAIL, password=PASSWORD))
    device = registered(ward)
    challenge = asked(ward)
    assert not works(ward, challenge.ticket)
    with nothing_written(ward), refused((Code.PASSKEY_CHALLENGE, "credential")):
        give(ward, SecondFactorAsked(token, challenge.options), device)


def test_failures_are_forgotten_with_the_passkey_alone(ward: Ward) -> None:
    device = registered(ward)
    for _ in range(MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT - 1):
        with pytest.raises(InvalidCredentials):
            with_password(ward, password="wrong")
        asked(ward)
    failures = len(kept(ward).failed_attempts)
    give(ward, asked(ward), device)
    assert len(kept(ward).failed_attempts) < failures
    with pytest.raises(InvalidCredentials):
        with_password(ward, password="wrong")


def test_a_password_link_asks_for_the_passkey_too(ward: Ward) -> None:
    device = registered(ward)
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    with pytest.raises(SecondFactorAsked) as raised:
        choose(ward, link)
    assert give(ward, raised.value, device).actor == ward.nurse


def test_before_the_day_the_account_page_names_it() -> None:
    ward = a_ward(second_factor=RULE)
    signed_in = with_password(ward)
    account = ward.use_cases.account.read(signed_in.actor)
    assert (account["passkey_due_on"], account["second_factor_required"]) == (RULE.from_day, False)
    register(ward, signed_in, Device())
    assert ward.use_cases.account.read(signed_in.actor)["passkey_due_on"] is None
    assert ward.use_cases.account.read(with_password(ward, "supervisor@consumo.test").actor)["passkey_due_on"] is None


def test_from_the_day_a_password_reaches_the_own_account_alone(strict: Ward) -> None:
    signed_in = with_password(strict)
    assert signed_in.actor.limits == (Limit.SECOND_FACTOR,)
    assert strict.use_cases.account.read(signed_in.actor)["second_factor_required"]
    with pytest.raises(Forbidden) as raised:
        signed_in.actor.require(Permission.READ_SHEETS)
    assert raised.value.code == "second_factor_required"
    assert with_password(strict, "supervisor@consumo.test").actor.limits == ()


def test_the_day_begins_on_the_hospitals_clock() -> None:
    ward = a_ward(second_factor=RULE)
    signed_in = ward.use_cases.session.sign_in(Credentials(email=EMAIL, password=PASSWORD))
    assert RULE.from_day
    midnight = ward.clock.now.replace(year=RULE.from_day.year, month=RULE.from_day.month, day=RULE.from_day.day)
    midnight = midnight.astimezone(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    ward.clock.now = midnight - timedelta(seconds=1)
    with ward.store.begin() as work:
        [session] = work.views.sessions(ward.nurse.user_id, NOON)
        work.sessions.save(replace(session, expires_at=midnight + timedelta(days=1)))
    tokens = ward.use_cases.session.identify.tokens
    token = tokens.issue(replace(session, ends_at=midnight + timedelta(days=1)))
    assert signed_in
    assert ward.use_cases.session.identify(token).actor.limits == ()
    ward.clock.now = midnight
    assert ward.use_cases.session.identify(token).actor.limits == (Limit.SECOND_FACTOR,)


def test_a_stolen_password_registers_nothing_from_the_day(strict: Ward) -> None:
    thief = with_password(strict)
    with nothing_written(strict), refused(Code.PASSKEY_LINK_REQUIRED):
        strict.use_cases.passkeys.begin_registration.own(thief)
    strict.use_cases.session.unlock(thief, UnlockDraft(password=PASSWORD))
    with nothing_written(strict), refused(Code.PASSKEY_LINK_REQUIRED):
        strict.use_cases.passkeys.begin_registration.own(thief)


def test_a_link_registers_the_first_passkey(strict: Ward) -> None:
    device, token = Device(), link_of(strict)
    register_by_link(strict, token, device)
    assert sign_in(strict, device).actor.limits == ()
    for spent in (token, "another"):
        with refused((Code.LINK_INVALID, "token")):
            register_by_link(strict, spent, Device())


def test_an_activation_registers_the_first_passkey(strict: Ward) -> None:
    invited = strict.use_cases.users.invite(strict.admin, UserDraft(email="luz@consumo.test", role=10), "es")
    session = strict.use_cases.session.identify(choose(strict, invited.activation))
    assert session.actor.limits == (Limit.SECOND_FACTOR,)
    register(strict, session, Device())
    token = strict.use_cases.session.identify.tokens.issue(kept(strict).sessions[session.session_id])
    assert strict.use_cases.session.identify(token).actor.limits == ()


def test_a_password_link_of_an_old_account_is_no_activation(strict: Ward) -> None:
    link = strict.use_cases.users.create_reset_link(strict.admin, strict.nurse.user_id)
    session = strict.use_cases.session.identify(choose(strict, link))
    with refused(Code.PASSKEY_LINK_REQUIRED):
        strict.use_cases.passkeys.begin_registration.own(session)


def test_an_earlier_session_is_lifted_by_a_passkey(strict: Ward) -> None:
    device = Device()
    register_by_link(strict, link_of(strict), device)
    signed_in = sign_in(strict, device)
    session = replace(kept(strict).sessions[signed_in.session_id], how=SignInMethod.PASSWORD)
    with strict.store.begin() as work:
        work.sessions.save(session)
    token = strict.use_cases.session.identify.tokens.issue(session)
    limited = strict.use_cases.session.identify(token)
    assert limited.actor.limits == (Limit.SECOND_FACTOR,)
    with refused(Code.PASSKEY_LINK_REQUIRED):
        strict.use_cases.passkeys.begin_registration.own(limited)
    unlock(strict, limited, device)
    assert strict.use_cases.session.identify(token).actor.limits == ()


@pytest.mark.parametrize("how", SignInMethod)
def test_sessions_by_password_alone_are_limited(strict: Ward, how: SignInMethod) -> None:
    signed_in = with_password(strict)
    session = replace(kept(strict).sessions[signed_in.session_id], how=how)
    with strict.store.begin() as work:
        work.sessions.save(session)
    limits = strict.use_cases.session.identify(strict.use_cases.session.identify.tokens.issue(session)).actor.limits
    by_password_alone = how in (SignInMethod.PASSWORD, SignInMethod.ACTIVATION)
    assert limits == ((Limit.SECOND_FACTOR,) if by_password_alone else ())


def test_the_last_passkey_stays_where_the_role_needs_one(strict: Ward) -> None:
    device = Device()
    register_by_link(strict, link_of(strict), device)
    signed_in = sign_in(strict, device)
    [passkey] = stored(strict)
    with nothing_written(strict), refused(Code.PASSKEY_LAST):
        strict.use_cases.passkeys.remove(signed_in, strict.nurse.user_id, passkey.id)
    register(strict, signed_in, Device())
    strict.use_cases.passkeys.remove(signed_in, strict.nurse.user_id, passkey.id)


def test_the_command_creates_a_link_for_an_administrator(strict: Ward) -> None:
    link = strict.use_cases.passkeys.hand_out_link.on_server("ADMIN@consumo.test")
    entry = audit_log(strict)[-1]
    assert (entry.action, entry.user_id, entry.entity_id) == (
        "user.passkey_link_handed_out",
        None,
        strict.admin.user_id,
    )
    read = strict.use_cases.passkeys.begin_registration.by_link(PasskeyLinkToken(token=secret_of(link)))
    assert read.email == ADMIN_EMAIL
    with nothing_written(strict), pytest.raises(NotFound):
        strict.use_cases.passkeys.hand_out_link.on_server("unknown@consumo.test")
