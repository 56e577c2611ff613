"""Passkeys: register, sign in, unlock, remove, and links."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from application.accounts.ports.identity import SignInMethod
from application.accounts.sessions.throttle import MAX_WRONG_PASSKEYS_PER_ADDRESS
from application.accounts.sign_in.manage_passkeys import PasskeyName
from application.accounts.sign_in.passkey_links import LostPasskeys
from application.accounts.sign_in.register_passkey import PasskeyDraft
from application.accounts.sign_in.second_factor import GivenSecondFactor
from application.accounts.sign_in.sign_in_with_passkey import GivenPasskey
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.users.draft import UserDraft
from domain.accounts.passkey import CHALLENGE_TTL, MAX_PASSKEYS
from domain.common.errors import (
    Code,
    NotFound,
    TooManyAttempts,
    Unauthenticated,
    UnknownPasskey,
)
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import PASSWORD, Ward
from tests.passkey_device import PRESENT, VERIFIED, Device
from tests.use_cases.accounts.passkeys import (
    ADMIN_EMAIL,
    EMAIL,
    HERE,
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
from tests.use_cases.stored import audit_log, kept, nothing_written

# --- registering and signing in --------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", [-7, -8])
def test_a_registered_passkey_signs_in_alone(ward: Ward, algorithm: int) -> None:
    device = registered(ward, algorithm=algorithm)
    signed_in = sign_in(ward, device)
    assert signed_in.actor == ward.nurse
    session = kept(ward).sessions[signed_in.session_id]
    assert (session.how, session.confirmed_at) == (SignInMethod.PASSKEY, ward.clock.now)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.changes["how"]) == ("session.signed_in", (None, "passkey"))
    [passkey] = stored(ward)
    assert (passkey.sign_count, passkey.used_at, passkey.transports) == (1, ward.clock.now, ("internal",))


def test_registering_is_logged_and_emailed(ward: Ward) -> None:
    registered(ward)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.user_id, entry.entity, entry.entity_id) == (
        "passkey.registered",
        ward.nurse.user_id,
        "user",
        ward.nurse.user_id,
    )
    assert entry.changes == {"passkey": (None, "Teléfono"), "address": (None, HERE[0]), "client": (None, HERE[1])}
    assert [(email.to, email.occasion) for email in ward.postbox.letters] == [(EMAIL, "passkey_registered")]


def test_options_name_no_account_and_exclude_known_keys(ward: Ward) -> None:
    device = registered(ward)
    assert not ward.use_cases.passkeys.begin_sign_in().get("allowCredentials")
    options = ward.use_cases.passkeys.begin_registration.own(sign_in(ward, device))
    assert [one["id"] for one in options["excludeCredentials"]] == [device.create(options)["id"]]
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["attestation"] == "none"
    assert EMAIL.encode() not in device.user_handle


def test_a_passkey_is_registered_once(ward: Ward) -> None:
    device = registered(ward)
    signed_in = sign_in(ward, device)
    options = ward.use_cases.passkeys.begin_registration.own(signed_in)
    draft = PasskeyDraft(credential=device.create(options), name="Otra vez")
    with nothing_written(ward), refused(Code.PASSKEY_TAKEN):
        ward.use_cases.passkeys.register.own(signed_in, draft)


def test_an_account_has_a_limited_number_of_passkeys(ward: Ward) -> None:
    signed_in = with_password(ward)
    late = ward.use_cases.passkeys.begin_registration.own(signed_in)
    for number in range(MAX_PASSKEYS):
        register(ward, signed_in, Device(), f"Llave {number}")
    with refused(Code.PASSKEYS_TOO_MANY):
        ward.use_cases.passkeys.begin_registration.own(signed_in)
    with refused(Code.PASSKEYS_TOO_MANY):
        draft = PasskeyDraft(credential=Device().create(late), name="Una más")
        ward.use_cases.passkeys.register.own(signed_in, draft)


def test_registering_needs_a_confirmed_session(ward: Ward) -> None:
    signed_in = with_password(ward)
    ward.clock.now += timedelta(minutes=5)
    with nothing_written(ward), refused(Code.SESSION_UNCONFIRMED):
        ward.use_cases.passkeys.begin_registration.own(signed_in)
    ward.use_cases.session.unlock(signed_in, UnlockDraft(password=PASSWORD))
    register(ward, signed_in, Device())


@pytest.mark.parametrize(
    ("particulars", "changes"),
    [
        ({"origin": "https://phishing.test"}, {}),
        ({"flags": PRESENT}, {}),
        ({"flags": VERIFIED}, {}),
        ({}, {"kind": "webauthn.get"}),
        ({}, {"attestation": b"\xa0"}),
    ],
    ids=["origin", "unverified", "absent", "kind", "attestation"],
)
def test_a_bad_registration_is_refused(ward: Ward, particulars: dict[str, Any], changes: dict[str, Any]) -> None:
    signed_in = with_password(ward)
    credential = Device(**particulars).create(ward.use_cases.passkeys.begin_registration.own(signed_in), **changes)
    with nothing_written(ward), refused((Code.PASSKEY_REFUSED, "credential")):
        ward.use_cases.passkeys.register.own(signed_in, PasskeyDraft(credential=credential, name="x"))


def test_a_challenge_registers_one_passkey_of_its_user(ward: Ward) -> None:
    nurse, admin = with_password(ward), with_password(ward, ADMIN_EMAIL)
    options = ward.use_cases.passkeys.begin_registration.own(nurse)
    draft = PasskeyDraft(credential=Device().create(options), name="x")
    with refused((Code.PASSKEY_CHALLENGE, "credential")):
        ward.use_cases.passkeys.register.own(admin, draft)
    ward.use_cases.passkeys.register.own(nurse, draft)
    again = PasskeyDraft(credential=Device().create(options), name="x")
    with refused((Code.PASSKEY_CHALLENGE, "credential")):
        ward.use_cases.passkeys.register.own(nurse, again)


def test_an_expired_challenge_registers_nothing(ward: Ward) -> None:
    signed_in = with_password(ward)
    options = ward.use_cases.passkeys.begin_registration.own(signed_in)
    ward.clock.now += timedelta(minutes=5)
    draft = PasskeyDraft(credential=Device().create(options), name="x")
    with refused((Code.PASSKEY_CHALLENGE, "credential")):
        ward.use_cases.passkeys.register.own(signed_in, draft)


def test_an_account_without_password_registers_nothing(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.admin, UserDraft(email="luz@consumo.test", role=1), "es")
    with refused(Code.PASSWORD_NOT_CHOSEN):
        ward.use_cases.passkeys.hand_out_link(ward.admin, invited.user["id"], LostPasskeys())


BAD_SIGN_INS: dict[str, Callable[[Ward, Device], object]] = {
    "origin": lambda ward, device: sign_in(ward, device, origin="https://phishing.test"),
    "signature": lambda ward, device: sign_in(ward, device, signature=b"0" * 70),
    "handle": lambda ward, device: sign_in(ward, device, user_handle=b"0" * 32),
    "no handle": lambda ward, device: sign_in(ward, device, user_handle=b""),
    "kind": lambda ward, device: sign_in(ward, device, kind="webauthn.create"),
    "unknown": lambda ward, device: sign_in(ward, replace(device, credential_id=b"0" * 32)),
    "another's key": lambda ward, device: sign_in(ward, replace(device, key=Device().key)),
    "unverified": lambda ward, device: sign_in(ward, replace(device, flags=PRESENT)),
    "absent": lambda ward, device: sign_in(ward, replace(device, flags=VERIFIED)),
    "other host": lambda ward, device: sign_in(ward, replace(device, rp_id="phishing.test")),
}


@pytest.mark.parametrize("bad", BAD_SIGN_INS.values(), ids=BAD_SIGN_INS)
def test_a_bad_sign_in_is_the_same_error(ward: Ward, bad: Callable[[Ward, Device], object]) -> None:
    device = registered(ward)
    with pytest.raises(UnknownPasskey):
        bad(ward, device)
    assert last_action(ward) == "session.sign_in_failed"
    device.sign_count = 5
    assert sign_in(ward, device).actor == ward.nurse


def test_a_sign_in_cannot_be_replayed(ward: Ward) -> None:
    device = registered(ward)
    given = GivenPasskey(credential=device.get(ward.use_cases.passkeys.begin_sign_in()))
    ward.use_cases.passkeys.sign_in(given)
    with pytest.raises(UnknownPasskey):
        ward.use_cases.passkeys.sign_in(given)


def test_a_challenge_is_used_up_by_a_failure(ward: Ward) -> None:
    device = registered(ward)
    options = ward.use_cases.passkeys.begin_sign_in()
    for credential in (device.get(options, signature=b"0"), device.get(options)):
        with pytest.raises(UnknownPasskey):
            ward.use_cases.passkeys.sign_in(GivenPasskey(credential=credential))


def test_challenges_serve_one_purpose(ward: Ward) -> None:
    device = registered(ward)
    signed_in = sign_in(ward, device)
    challenges = (
        ward.use_cases.passkeys.begin_registration.own(signed_in),
        ward.use_cases.passkeys.begin_unlock(signed_in),
        asked(ward).options,
    )
    for options in challenges:
        with pytest.raises(UnknownPasskey):
            ward.use_cases.passkeys.sign_in(GivenPasskey(credential=device.get(options)))
    for_sign_in = device.get(ward.use_cases.passkeys.begin_sign_in())
    with refused((Code.PASSKEY_CHALLENGE, "passkey")):
        ward.use_cases.session.unlock(signed_in, UnlockDraft(passkey=for_sign_in))
    for_sign_in = device.get(ward.use_cases.passkeys.begin_sign_in())
    with refused((Code.PASSKEY_CHALLENGE, "credential")):
        ward.use_cases.passkeys.give_second_factor(GivenSecondFactor(ticket=asked(ward).ticket, credential=for_sign_in))


@pytest.mark.parametrize("credential", [{}, {"id": 1}, {"response": []}, {"rawId": "x", "response": {}}])
def test_a_broken_credential_is_refused(ward: Ward, credential: dict[str, object]) -> None:
    registered(ward)
    if not credential:
        with nothing_written(ward), refused((Code.REQUIRED, "credential")):
            ward.use_cases.passkeys.sign_in(GivenPasskey(credential=credential))
        return
    with nothing_written(ward), pytest.raises(UnknownPasskey):
        ward.use_cases.passkeys.sign_in(GivenPasskey(credential=credential))


def test_wrong_passkeys_are_limited_and_right_ones_pass(ward: Ward) -> None:
    device = registered(ward)
    for _ in range(MAX_WRONG_PASSKEYS_PER_ADDRESS):
        with pytest.raises(UnknownPasskey):
            sign_in(ward, device, signature=b"0")
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        sign_in(ward, device, signature=b"0")
    signed_in = sign_in(ward, device)
    with pytest.raises(TooManyAttempts):
        give(ward, asked(ward), device, signature=b"0")
    assert give(ward, asked(ward), device).actor == ward.nurse
    ward.use_cases.session.lock(signed_in)
    unlock(ward, signed_in, device)


def test_options_store_nothing_and_are_not_limited(ward: Ward) -> None:
    device = registered(ward)
    with nothing_written(ward):
        for _ in range(70):
            ward.use_cases.passkeys.begin_sign_in()
    assert sign_in(ward, device).actor == ward.nurse


def test_a_challenge_signs_in_once_and_for_five_minutes(ward: Ward) -> None:
    device = registered(ward, counts=False)
    options = ward.use_cases.passkeys.begin_sign_in()
    given = GivenPasskey(credential=device.get(options))
    assert ward.use_cases.passkeys.sign_in(given)
    with pytest.raises(UnknownPasskey):
        ward.use_cases.passkeys.sign_in(given)
    late = GivenPasskey(credential=device.get(ward.use_cases.passkeys.begin_sign_in()))
    ward.clock.now += CHALLENGE_TTL
    with pytest.raises(UnknownPasskey):
        ward.use_cases.passkeys.sign_in(late)


def test_a_deleted_user_loses_the_passkeys(ward: Ward) -> None:
    device = registered(ward)
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    assert stored(ward) == []
    with pytest.raises(UnknownPasskey):
        sign_in(ward, device)


# --- copies ----------------------------------------------------------------------------------------------------------


def test_a_copy_is_refused_marked_and_told(ward: Ward) -> None:
    device = registered(ward)
    copy = replace(device)
    sign_in(ward, device)
    with pytest.raises(UnknownPasskey):
        sign_in(ward, copy)
    assert [entry.action for entry in audit_log(ward)[-2:]] == ["session.sign_in_failed", "passkey.clone_suspected"]
    assert ward.postbox.letters[-1].occasion == "passkey_clone"
    [view] = ward.use_cases.passkeys.list(ward.nurse, ward.nurse.user_id)["items"]
    assert view["suspected"]
    # Neither of the two is accepted since then.
    with pytest.raises(UnknownPasskey):
        sign_in(ward, device)


def test_a_copy_gives_no_second_factor(ward: Ward) -> None:
    device = registered(ward)
    copy = replace(device)
    sign_in(ward, device)
    with refused((Code.PASSKEY_REFUSED, "credential")):
        give(ward, asked(ward), copy)
    assert last_action(ward) == "passkey.clone_suspected"


def test_a_copy_unlocks_nothing(ward: Ward) -> None:
    device = registered(ward)
    copy = replace(device)
    signed_in = sign_in(ward, device)
    with refused((Code.PASSKEY_REFUSED, "passkey")):
        unlock(ward, signed_in, copy)
    assert last_action(ward) == "passkey.clone_suspected"


def test_a_synchronized_passkey_has_no_counter(ward: Ward) -> None:
    device = registered(ward, counts=False)
    sign_in(ward, device)
    sign_in(ward, device)
    assert stored(ward)[0].suspected_at is None


# --- unlocking -------------------------------------------------------------------------------------------------------


def test_a_passkey_unlocks_and_confirms_the_session(ward: Ward) -> None:
    signed_in = with_password(ward)
    device = Device()
    register(ward, signed_in, device)
    with ward.store.begin() as work:
        session = work.sessions.lock(signed_in.session_id, ward.clock.now)
        assert session is not None
        work.sessions.save(replace(session, locked_at=ward.clock.now, confirmed_at=None, pin_failures=5))
    unlock(ward, signed_in, device)
    unlocked = kept(ward).sessions[signed_in.session_id]
    assert (unlocked.locked_at, unlocked.confirmed_at, unlocked.pin_failures) == (None, ward.clock.now, 0)


def test_only_the_own_passkey_unlocks(ward: Ward) -> None:
    nurse = sign_in(ward, registered(ward))
    other = Device()
    register(ward, with_password(ward, ADMIN_EMAIL), other)
    with refused((Code.PASSKEY_OF_ANOTHER, "passkey")):
        unlock(ward, nurse, other)


def test_unlocking_needs_a_passkey_and_a_session(ward: Ward) -> None:
    signed_in = with_password(ward)
    with nothing_written(ward), refused(Code.PASSKEYS_NONE):
        ward.use_cases.passkeys.begin_unlock(signed_in)
    device = Device()
    register(ward, signed_in, device)
    options = ward.use_cases.passkeys.begin_unlock(signed_in)
    ward.use_cases.session.sign_out(signed_in)
    with pytest.raises(Unauthenticated):
        ward.use_cases.session.unlock(signed_in, UnlockDraft(passkey=device.get(options)))


# --- managing --------------------------------------------------------------------------------------------------------


def test_passkeys_are_listed_renamed_and_removed(ward: Ward) -> None:
    signed_in = with_password(ward)
    first, second = register(ward, signed_in, Device(), "Uno"), register(ward, signed_in, Device(), "Dos")
    nurse = ward.nurse.user_id
    ward.use_cases.passkeys.rename(ward.nurse, nurse, second, PasskeyName(name="Tableta"))
    assert last_action(ward) == "passkey.renamed"
    listed = ward.use_cases.passkeys.list(ward.supervisor, nurse)["items"]
    assert [(one["id"], one["name"], one["used_at"]) for one in listed] == [
        (first, "Uno", None),
        (second, "Tableta", None),
    ]
    ward.use_cases.passkeys.remove(signed_in, nurse, first, *HERE)
    assert [one.name for one in stored(ward)] == ["Tableta"]
    assert last_action(ward) == "passkey.removed"
    assert ward.postbox.letters[-1].occasion == "passkey_removed"
    ward.clock.now += timedelta(minutes=5)
    with nothing_written(ward), refused(Code.SESSION_UNCONFIRMED):
        ward.use_cases.passkeys.remove(signed_in, nurse, second)
    ward.use_cases.passkeys.remove(replace(signed_in, actor=ward.admin), nurse, second)
    assert stored(ward) == []


def test_the_passkeys_of_another_account_stay(ward: Ward) -> None:
    admin, nurse = with_password(ward, ADMIN_EMAIL), with_password(ward)
    of_admin = register(ward, admin, Device())
    own = ward.nurse.user_id
    for call in (
        lambda: ward.use_cases.passkeys.remove(nurse, own, of_admin),
        lambda: ward.use_cases.passkeys.rename(ward.nurse, own, of_admin, PasskeyName(name="x")),
        lambda: ward.use_cases.passkeys.hand_out_link(ward.admin, own, LostPasskeys(removed_ids=(of_admin,))),
        lambda: ward.use_cases.passkeys.list(ward.supervisor, ward.admin.user_id),
        lambda: ward.use_cases.passkeys.hand_out_link(ward.admin, 99, LostPasskeys()),
    ):
        with nothing_written(ward), pytest.raises(NotFound):
            call()


def test_a_lost_passkey_is_replaced_by_a_link(ward: Ward) -> None:
    device = registered(ward)
    [lost] = stored(ward)
    sign_in(ward, device)
    token = link_of(ward, lost.id)
    assert stored(ward) == []
    assert kept(ward).sessions == {}
    assert [entry.action for entry in audit_log(ward)][-4:] == [
        "passkey.removed",
        "session.ended",
        "session.ended",
        "user.passkey_link_handed_out",
    ]
    assert ward.postbox.letters[-1].occasion == "passkey_link"
    found = Device()
    register_by_link(ward, token, found)
    assert sign_in(ward, found).actor == ward.nurse


def test_links_end(ward: Ward) -> None:
    earlier, later = link_of(ward), link_of(ward)
    with refused((Code.LINK_INVALID, "token")):
        register_by_link(ward, earlier, Device())
    ward.clock.now += timedelta(hours=1)
    with refused((Code.LINK_INVALID, "token")):
        register_by_link(ward, later, Device())
    demoted = link_of(ward)
    admin = kept(ward).users[ward.admin.user_id]
    with ward.store.begin() as work:
        work.users.save(replace(admin, role=Role.USER))
    with refused((Code.LINK_INVALID, "token")):
        register_by_link(ward, demoted, Device())
