"""Contract of every store: passkeys, and their single-use secrets."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from application.accounts.sign_in.register_passkey import PasskeyDraft
from application.accounts.sign_in.sign_in import Credentials
from domain.accounts.passkey import PasskeySecret, SecretPurpose
from domain.common.errors import Code, Refused
from tests.assertions import refused
from tests.builders import NOON, PASSWORD, Ward, a_passkey
from tests.contracts.common.concurrently import at_once
from tests.passkey_device import Device

MOMENT = timedelta(microseconds=1)


def test_a_passkey_is_stored_changed_and_removed(ward: Ward) -> None:
    first = replace(a_passkey(ward.nurse.user_id, NOON), sign_count=2**32 - 1)
    second = replace(a_passkey(ward.nurse.user_id, NOON), transports=(), made_by=ward.admin.user_id)
    others = a_passkey(ward.admin.user_id, NOON)
    with ward.store.begin() as work:
        for passkey in (first, second, others):
            work.passkeys.add(passkey)
    with ward.store.begin() as work:
        assert work.passkeys.of_user(ward.nurse.user_id) == [first, second]
        assert work.passkeys.lock(others.credential_id) == others
        assert work.passkeys.lock(b"unknown") is None
        used = replace(first, name="Ñandú", used_at=NOON, suspected_at=NOON, sign_count=7, backed_up=False)
        work.passkeys.save(used)
    with ward.store.begin() as work:
        assert work.passkeys.of_user(ward.nurse.user_id) == [used, second]
        work.passkeys.remove([first.id])
        assert work.passkeys.of_user(ward.nurse.user_id) == [second]
        work.passkeys.remove_all(ward.nurse.user_id)
        assert work.passkeys.of_user(ward.nurse.user_id) == []
        assert work.passkeys.of_user(ward.admin.user_id) == [others]


def test_a_credential_is_stored_once(ward: Ward) -> None:
    passkey = a_passkey(ward.nurse.user_id, NOON)
    with ward.store.begin() as work:
        work.passkeys.add(passkey)
    with refused(Code.PASSKEY_TAKEN), ward.store.begin() as work:
        work.passkeys.add(replace(passkey, user_id=ward.admin.user_id))


def test_a_secret_is_consumed_once_for_its_purpose(ward: Ward) -> None:
    link = PasskeySecret("d-1", SecretPurpose.LINK, ward.nurse.user_id, NOON, made_by=ward.admin.user_id)
    challenge = PasskeySecret("d-2", SecretPurpose.SIGN_IN, None, NOON)
    with ward.store.begin() as work:
        work.passkey_secrets.add(link)
        work.passkey_secrets.add(challenge)
    with ward.store.begin() as work:
        assert work.passkey_secrets.get("d-1", SecretPurpose.LINK) == link
        assert work.passkey_secrets.get("d-1", SecretPurpose.UNLOCK) is None
        assert work.passkey_secrets.consume("d-2", SecretPurpose.REGISTER) is None
        assert work.passkey_secrets.consume("d-2", SecretPurpose.SIGN_IN) == challenge
        assert work.passkey_secrets.consume("d-2", SecretPurpose.SIGN_IN) is None
        assert work.passkey_secrets.consume("d-1", SecretPurpose.LINK) == link
        assert work.passkey_secrets.get("d-1", SecretPurpose.LINK) is None


def test_secrets_are_revoked_and_purged(ward: Ward) -> None:
    secrets = [
        PasskeySecret("d-1", SecretPurpose.LINK, ward.nurse.user_id, NOON),
        PasskeySecret("d-2", SecretPurpose.SIGN_IN, None, NOON),
        PasskeySecret("d-3", SecretPurpose.UNLOCK, ward.admin.user_id, NOON + MOMENT),
    ]
    with ward.store.begin() as work:
        for secret in secrets:
            work.passkey_secrets.add(secret)
        work.passkey_secrets.revoke_all(ward.admin.user_id, SecretPurpose.LINK)
        work.passkey_secrets.revoke_all(ward.nurse.user_id, SecretPurpose.LINK)
        assert work.passkey_secrets.get("d-1", SecretPurpose.LINK) is None
        work.passkey_secrets.purge(NOON)
        assert work.passkey_secrets.get("d-2", SecretPurpose.SIGN_IN) == secrets[1]
        work.passkey_secrets.purge(NOON + MOMENT)
        assert work.passkey_secrets.get("d-2", SecretPurpose.SIGN_IN) is None
        assert work.passkey_secrets.get("d-3", SecretPurpose.UNLOCK) == secrets[2]


def test_a_users_handle_is_stored(ward: Ward) -> None:
    with ward.store.begin() as work:
        user = work.users.lock(ward.nurse.user_id)
        assert user
        work.users.save(replace(user, passkey_handle=b"\x00" * 32))
    with ward.store.begin() as work:
        changed = work.users.get(ward.nurse.user_id)
    assert changed
    assert changed.passkey_handle == b"\x00" * 32
    assert changed.is_same_account(user)


def test_a_challenge_registers_one_of_several_at_once(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(Credentials(email="user@consumo.test", password=PASSWORD))
    signed_in = ward.use_cases.session.identify(token)
    options = ward.use_cases.passkeys.begin_registration.own(signed_in)
    drafts = [PasskeyDraft(credential=Device().create(options), name="Llave") for _ in range(4)]

    outcomes = at_once([partial(ward.use_cases.passkeys.register.own, signed_in, draft) for draft in drafts])
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert [[reason.code for reason in refusal.reasons] for refusal in refusals] == [[Code.PASSKEY_CHALLENGE]] * 3


@pytest.mark.parametrize("purpose", SecretPurpose)
def test_every_purpose_is_stored(ward: Ward, purpose: SecretPurpose) -> None:
    secret = PasskeySecret(f"d-{purpose}", purpose, None, NOON)
    with ward.store.begin() as work:
        work.passkey_secrets.add(secret)
        assert work.passkey_secrets.get(secret.digest, purpose) == secret
