"""One rule for every way in: who may begin a session, and what a change of the account ends."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from application.accounts.sessions.ask_second_factor import SecondFactorAsked
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.oidc_rules import OidcRules
from application.accounts.sign_in.badges import BadgeDraft
from application.accounts.sign_in.passkey_links import LostPasskeys
from application.accounts.sign_in.pins import PinDraft
from application.accounts.sign_in.register_passkey import LinkedPasskeyDraft, PasskeyDraft, PasskeyLinkToken
from application.accounts.sign_in.second_factor import GivenSecondFactor
from application.accounts.sign_in.sign_in_with_passkey import GivenPasskey
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.users.change_own_account import AccountDraft
from application.accounts.users.draft import UserDraft
from application.accounts.users.judge_password import PasswordTypedOnLink
from application.accounts.users.password_links import digest_of
from application.accounts.users.read_link import LinkToken
from domain.accounts.passkey import PasskeySecret, SecondFactorRule, SecretPurpose
from domain.common.errors import Code, Forbidden, InvalidCredentials, Refused, Unauthenticated, UnknownPasskey
from domain.common.policy import Actor, Role
from tests.assertions import refused
from tests.builders import PASSWORD, Ward, a_ward, use_cases_on
from tests.devices import TABLET
from tests.oidc.stub_provider import StubProvider, an_identity
from tests.passkey_device import Device
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, ask_for_letter, choose, secret_of, sign_in, user_of, works
from tests.use_cases.stored import audit_log, kept, nothing_written

ROLES = {"nurses": Role.USER, "chiefs": Role.SUPERVISOR, "admins": Role.ADMIN}
CHIEF, NURSE, ADMIN = "supervisor@consumo.test", "user@consumo.test", "admin@consumo.test"


def a_hospital(**rules: Any) -> Ward:
    return a_ward(identity_provider=StubProvider(), oidc_rules=OidcRules(**rules))


def enter(ward: Ward, subject: str, email: str, *groups: str) -> str:
    """Sign in at the provider. Return the token."""
    return ward.use_cases.session.finish_oidc.admit(an_identity(subject, email, groups=groups)).token


def session_of(ward: Ward, email: str) -> SignedIn:
    return ward.use_cases.session.identify(sign_in(ward, email))


def register(ward: Ward, signed_in: SignedIn) -> Device:
    """Register a passkey of the own account."""
    device = Device()
    options = ward.use_cases.passkeys.begin_registration.own(signed_in)
    draft = PasskeyDraft(credential=device.create(options), name="Teléfono")
    ward.use_cases.passkeys.register.own(signed_in, draft)
    return device


def register_by_link(ward: Ward, token: str) -> Device:
    """Register a passkey on a link for a lost one."""
    device = Device()
    read = ward.use_cases.passkeys.begin_registration.by_link(PasskeyLinkToken(token=token))
    draft = LinkedPasskeyDraft(token=token, credential=device.create(read.options), name="Llave")
    ward.use_cases.passkeys.register.by_link(draft)
    return device


def passkey_link(ward: Ward, by: Actor, user_id: int) -> str:
    return secret_of(ward.use_cases.passkeys.hand_out_link(by, user_id, LostPasskeys()))


def with_passkey(ward: Ward, device: Device) -> str:
    given = GivenPasskey(credential=device.get(ward.use_cases.passkeys.begin_sign_in()))
    return ward.use_cases.passkeys.sign_in(given)


def second_factor_of(ward: Ward, email: str) -> SecondFactorAsked:
    with pytest.raises(SecondFactorAsked) as asked:
        sign_in(ward, email)
    return asked.value


# --- one function begins a session -----------------------------------------------------------------------------------


def test_one_function_begins_sessions_and_changes_accounts() -> None:
    places: dict[str, set[str]] = {"session": set(), "account": set()}
    for path in Path("application").rglob("*.py"):
        text = path.read_text()
        if re.search(r"\bsessions\.add\(|\btokens\.issue\(", text):
            places["session"].add(path.name)
        if re.search(r"\bpassword_hash=(?!None)|\.password_hash = |\.email = |\.role = ", text) and "save(" in text:
            places["account"].add(path.name)
    assert places["session"] == {"begin_session.py"}
    unchecked = {name for name in places["account"] if "save_account" not in _text_of(name)}
    assert unchecked == set()


def _text_of(name: str) -> str:
    [path] = Path("application").rglob(name)
    return path.read_text()


# A way in is prepared while everything is allowed, and tried later.
Try = Callable[[Ward], object]


def by_password(ward: Ward) -> Try:
    return lambda later: sign_in(later, CHIEF)


def by_passkey(ward: Ward) -> Try:
    device = register(ward, session_of(ward, CHIEF))
    return lambda later: with_passkey(later, device)


def by_password_and_passkey(ward: Ward) -> Try:
    device = register(ward, session_of(ward, CHIEF))
    asked = second_factor_of(ward, CHIEF)
    given = GivenSecondFactor(ticket=asked.ticket, credential=device.get(asked.options))
    return lambda later: later.use_cases.passkeys.give_second_factor(given)


def by_password_link(ward: Ward) -> Try:
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.supervisor.user_id)
    return lambda later: choose(later, link)


def by_reading_a_password_link(ward: Ward) -> Try:
    token = secret_of(ward.use_cases.users.create_reset_link(ward.admin, ward.supervisor.user_id))
    return lambda later: later.use_cases.account.read_link(LinkToken(token=token))


def by_judging_on_a_password_link(ward: Ward) -> Try:
    token = secret_of(ward.use_cases.users.create_reset_link(ward.admin, ward.supervisor.user_id))
    typed = PasswordTypedOnLink(token=token, password=NEW_PASSWORD)
    return lambda later: later.use_cases.account.check_password.on_link(typed)


def by_passkey_link(ward: Ward) -> Try:
    token = passkey_link(ward, ward.admin, ward.supervisor.user_id)
    return lambda later: register_by_link(later, token)


def by_unlocking_with_a_password(ward: Ward) -> Try:
    running = ward.use_cases.session.identify(enter(ward, "s-1", CHIEF, "chiefs"))
    return lambda later: later.use_cases.session.unlock(running, UnlockDraft(password=PASSWORD))


def by_unlocking_with_a_passkey(ward: Ward) -> Try:
    device = register(ward, session_of(ward, CHIEF))
    running = ward.use_cases.session.identify(enter(ward, "s-1", CHIEF, "chiefs"))
    options = ward.use_cases.passkeys.begin_unlock(running)
    draft = UnlockDraft(passkey=device.get(options))
    return lambda later: later.use_cases.session.unlock(running, draft)


def by_unlocking_with_a_pin(ward: Ward) -> Try:
    running = ward.use_cases.session.identify(enter(ward, "s-1", CHIEF, "chiefs"))
    TABLET.bind(ward.use_cases, running)
    ward.use_cases.session.set_pin(running, PinDraft(pin="482915", pin_confirmation="482915"))
    draft = UnlockDraft(pin="482915", **TABLET.proof(ward.use_cases, running, "unlock"))
    return lambda later: later.use_cases.session.unlock(running, draft)


OWN_WAYS = (
    by_password,
    by_passkey,
    by_password_and_passkey,
    by_password_link,
    by_reading_a_password_link,
    by_judging_on_a_password_link,
    by_passkey_link,
    by_unlocking_with_a_password,
    by_unlocking_with_a_passkey,
)
NO_ENTRY = (InvalidCredentials, UnknownPasskey, Refused, Unauthenticated)


@pytest.mark.parametrize("prepare", OWN_WAYS)
def test_where_the_provider_is_the_only_way_no_other_one_is(prepare: Callable[[Ward], Try]) -> None:
    ward = a_hospital(roles=ROLES)
    enter(ward, "s-1", CHIEF, "chiefs")
    attempt = prepare(ward)
    rules = OidcRules(roles=ROLES, only=True)
    use_cases = use_cases_on(ward.store, clock=ward.clock, identity_provider=StubProvider(), oidc_rules=rules)
    later = replace(ward, use_cases=use_cases)
    sessions = kept(ward).sessions
    with pytest.raises(NO_ENTRY):
        attempt(later)
    assert kept(ward).sessions == sessions
    assert enter(later, "s-1", CHIEF, "chiefs")
    # It is the setting that refuses.
    fresh = a_hospital(roles=ROLES)
    enter(fresh, "s-1", CHIEF, "chiefs")
    prepare(fresh)(fresh)


@pytest.mark.parametrize("prepare", [*OWN_WAYS, by_unlocking_with_a_pin])
def test_a_person_whom_the_provider_refused_stays_outside(prepare: Callable[[Ward], Try]) -> None:
    ward = a_hospital(roles=ROLES)
    tokens = [enter(ward, "s-1", CHIEF, "chiefs")]
    attempt = prepare(ward)
    if prepare is by_password:
        tokens.append(sign_in(ward, CHIEF))
    with refused(Code.OIDC_NO_ROLE):
        enter(ward, "s-1", CHIEF, "gardeners")
    assert [works(ward, token) for token in tokens] == [False] * len(tokens)
    with pytest.raises(NO_ENTRY):
        attempt(ward)
    assert ward.supervisor.user_id not in {one.user_id for one in kept(ward).sessions.values()}


def test_the_provider_admits_a_refused_person_again() -> None:
    ward = a_hospital(roles=ROLES)
    enter(ward, "s-1", CHIEF, "chiefs")
    for _ in range(2):
        with refused(Code.OIDC_NO_ROLE):
            enter(ward, "s-1", CHIEF)
    assert enter(ward, "s-1", CHIEF, "chiefs")
    assert sign_in(ward, CHIEF)
    told = [one.action for one in audit_log(ward) if one.action.endswith("by_oidc")]
    assert told == ["user.refused_by_oidc", "user.admitted_by_oidc"]


def test_unlinking_lifts_the_refusal_of_the_provider() -> None:
    ward = a_hospital(roles=ROLES)
    enter(ward, "s-1", CHIEF, "chiefs")
    with refused(Code.OIDC_NO_ROLE):
        enter(ward, "s-1", CHIEF)
    ward.use_cases.users.unlink_oidc(ward.admin, ward.supervisor.user_id)
    assert sign_in(ward, CHIEF)


def test_the_last_administrator_is_not_shut_out() -> None:
    ward = a_hospital(roles=ROLES)
    second = ward.register("second@consumo.test", Role.ADMIN)
    for subject, admin in (("a-1", ward.admin), ("a-2", second)):
        ward.use_cases.account.link_oidc.link(admin, an_identity(subject))
        with refused(Code.OIDC_NO_ROLE):
            enter(ward, subject, "x@hospital.test")
    with pytest.raises(InvalidCredentials):
        sign_in(ward, ADMIN)
    assert sign_in(ward, "second@consumo.test")
    with refused(Code.LAST_ADMINISTRATOR):
        ward.use_cases.users.delete(ward.admin, second.user_id)


# --- what a change of the account ends -------------------------------------------------------------------------------


def planted(ward: Ward, user_id: int) -> Device:
    """A passkey that the supervisor registered on the account of a colleague."""
    return register_by_link(ward, passkey_link(ward, ward.supervisor, user_id))


def test_a_passkey_stores_who_made_its_link(ward: Ward) -> None:
    planted(ward, ward.nurse.user_id)
    register(ward, session_of(ward, ADMIN))
    assert [one.made_by for one in kept(ward).passkeys.values()] == [ward.supervisor.user_id, None]


@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.ADMIN])
def test_what_others_made_ends_when_the_role_rises(role: Role) -> None:
    ward = a_hospital()
    nurse = ward.nurse.user_id
    own = session_of(ward, NURSE)
    TABLET.bind(ward.use_cases, own)
    ward.use_cases.session.set_pin(own, PinDraft(pin="482915", pin_confirmation="482915"))
    ward.use_cases.account.link_oidc.link(ward.nurse, an_identity("n-1"))
    by_supervisor = SignedIn(ward.supervisor, "")
    ward.use_cases.badges.add(by_supervisor, nurse, BadgeDraft(badge="BADGE-77"))
    device = planted(ward, nurse)
    token = passkey_link(ward, ward.supervisor, nurse)
    ward.use_cases.users.update(ward.admin, nurse, UserDraft(email=NURSE, role=role, staff_id=ward.nurse.staff_id))
    store = kept(ward)
    assert (store.passkeys, store.pins, store.badges, store.sessions) == ({}, {}, {}, {})
    assert not user_of(ward, nurse).is_linked
    with pytest.raises(UnknownPasskey):
        with_passkey(ward, device)
    with refused((Code.LINK_INVALID, "token")):
        register_by_link(ward, token)
    ended = {str(one.action) for one in audit_log(ward) if one.user_id == ward.admin.user_id}
    assert ended >= {"passkey.removed", "user.pin_removed", "user.badge_removed", "user.oidc_unlinked"}


def test_own_passkeys_outlive_a_rise_to_supervisor(ward: Ward) -> None:
    device = register(ward, session_of(ward, NURSE))
    ward.use_cases.users.update(ward.supervisor, ward.nurse.user_id, UserDraft(email=NURSE, role=2, staff_id=1))
    assert with_passkey(ward, device)
    assert second_factor_of(ward, NURSE).ticket


def test_a_new_administrator_begins_afresh(ward: Ward) -> None:
    """A supervisor may have chosen the password by a link."""
    link = ward.use_cases.users.create_reset_link(ward.supervisor, ward.nurse.user_id)
    known = session_of_token(ward, choose(ward, link))
    device = register(ward, known)
    ward.use_cases.users.update(ward.admin, ward.nurse.user_id, UserDraft(email=NURSE, role=10))
    with pytest.raises(UnknownPasskey):
        with_passkey(ward, device)
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE, NEW_PASSWORD)
    again = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    assert session_of_token(ward, choose(ward, again)).actor.role is Role.ADMIN


def session_of_token(ward: Ward, token: str) -> SignedIn:
    return ward.use_cases.session.identify(token)


def test_a_rise_by_the_provider_keeps_its_link_alone() -> None:
    ward = a_hospital(roles=ROLES)
    enter(ward, "n-1", NURSE, "nurses")
    device = planted(ward, ward.nurse.user_id)
    assert works(ward, enter(ward, "n-1", NURSE, "admins"))
    with pytest.raises(UnknownPasskey):
        with_passkey(ward, device)
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE)
    assert enter(ward, "n-1", NURSE, "admins")


def own_password(ward: Ward) -> None:
    draft = AccountDraft(
        email=NURSE, password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD, current_password=PASSWORD
    )
    ward.use_cases.account.change(ward.nurse, draft)


def own_email(ward: Ward) -> None:
    ward.use_cases.account.change(ward.nurse, AccountDraft(email="new@consumo.test", current_password=PASSWORD))


def email_by_another(ward: Ward) -> None:
    draft = UserDraft(email="new@consumo.test", role=1, staff_id=ward.nurse.staff_id)
    ward.use_cases.users.update(ward.supervisor, ward.nurse.user_id, draft)


def another_link_for_a_password(ward: Ward) -> None:
    ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)


def a_mailed_link(ward: Ward) -> None:
    ask_for_letter(ward, NURSE)


def another_link_for_a_passkey(ward: Ward) -> None:
    passkey_link(ward, ward.admin, ward.nurse.user_id)


def another_role(ward: Ward) -> None:
    ward.use_cases.users.update(ward.admin, ward.nurse.user_id, UserDraft(email=NURSE, role=2))


def deletion(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)


CHANGES = (
    own_password,
    own_email,
    email_by_another,
    another_link_for_a_password,
    a_mailed_link,
    another_link_for_a_passkey,
    another_role,
    deletion,
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_ends_open_links_of_every_kind(ward: Ward, change: Callable[[Ward], None]) -> None:
    for make in (passkey_link, password_link):
        token = make(ward, ward.supervisor, ward.nurse.user_id)
        change(ward)
        with refused((Code.LINK_INVALID, "token")):
            use(ward, token, make)
        ward = a_ward()


def test_a_password_chosen_by_link_ends_other_links(ward: Ward) -> None:
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    with ward.store.begin() as work:
        planted_link = PasskeySecret(
            digest_of("planted"), SecretPurpose.LINK, ward.nurse.user_id, ward.clock.now + timedelta(hours=1)
        )
        work.passkey_secrets.add(planted_link)
    choose(ward, link)
    with refused((Code.LINK_INVALID, "token")):
        register_by_link(ward, "planted")


def password_link(ward: Ward, by: Actor, user_id: int) -> str:
    return secret_of(ward.use_cases.users.create_reset_link(by, user_id))


def use(ward: Ward, token: str, made_by: Callable[[Ward, Actor, int], str]) -> None:
    if made_by is passkey_link:
        register_by_link(ward, token)
    else:
        choose(ward, f"https://consumo.test/?token={token}")


# --- whose account a proof belongs to --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "proven", "is_linked"),
    [
        ("strasse@consumo.test", "STRASSE@consumo.test", True),
        ("strasse@consumo.test", "stra\u00dfe@consumo.test", False),
        ("stra\u00dfe@consumo.test", "strasse@consumo.test", False),
        ("stra\u00dfe@consumo.test", "STRA\u00dfE@consumo.test", True),
        ("fila@consumo.test", "\ufb01la@consumo.test", False),
        ("fila@consumo.test", "\uff46ila@consumo.test", False),
        ("fila@consumo.test", "fi\u200bla@consumo.test", False),
        ("fila@consumo.test", " fila@consumo.test", False),
        ("\u00e9va@consumo.test", "e\u0301va@consumo.test", False),
        ("\u00e9va@consumo.test", "\u00c9VA@consumo.test", False),
        ("kay@consumo.test", "\u212aay@consumo.test", False),
    ],
)
def test_an_email_proves_an_account_if_it_is_the_same(stored: str, proven: str, *, is_linked: bool) -> None:
    ward = a_hospital()
    owner = ward.register(stored, Role.USER)
    if is_linked:
        assert session_of_token(ward, enter(ward, "n-1", proven)).actor.user_id == owner.user_id
    else:
        with refused(Code.OIDC_UNLINKED):
            enter(ward, "n-1", proven)
        assert not user_of(ward, owner.user_id).is_linked


def test_an_email_that_its_user_chose_proves_no_account() -> None:
    """A nurse could name a chief's address, and share the chief's account."""
    ward = a_hospital(roles=ROLES)
    chosen = AccountDraft(email="chief@hospital.test", current_password=PASSWORD)
    ward.use_cases.account.change(ward.nurse, chosen)
    with refused(Code.OIDC_UNLINKED):
        enter(ward, "c-1", "chief@hospital.test", "chiefs")
    assert sign_in(ward, "chief@hospital.test")
    # A manager who saves the account confirms the address. A higher role of the groups ends the password.
    draft = UserDraft(email="chief@hospital.test", role=1, staff_id=ward.nurse.staff_id)
    ward.use_cases.users.update(ward.supervisor, ward.nurse.user_id, draft)
    assert enter(ward, "c-1", "chief@hospital.test", "chiefs")
    with pytest.raises(InvalidCredentials):
        sign_in(ward, "chief@hospital.test")


@pytest.mark.parametrize("add", ["pin", "badge"])
def test_a_session_that_owes_its_passkey_adds_no_other_proof(add: str) -> None:
    rule = SecondFactorRule(frozenset({Role.USER}), date(2026, 1, 1))
    ward = a_ward(second_factor=rule)
    stolen = session_of(ward, NURSE)
    calls: dict[str, Callable[[], object]] = {
        "pin": lambda: ward.use_cases.session.set_pin(stolen, PinDraft(pin="482915", pin_confirmation="482915")),
        "badge": lambda: ward.use_cases.badges.add(stolen, ward.nurse.user_id, BadgeDraft(badge="BADGE-77")),
    }
    with nothing_written(ward), pytest.raises(Forbidden) as owed:
        calls[add]()
    assert owed.value.args == ("second_factor_required",)
