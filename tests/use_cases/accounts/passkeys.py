"""What tests of passkeys do: register, sign in, unlock, follow a link."""

from datetime import date, timedelta
from typing import Any

import pytest

from application.accounts.sessions.ask_second_factor import SecondFactorAsked
from application.accounts.sessions.identify import SignedIn
from application.accounts.sign_in.passkey_links import LostPasskeys
from application.accounts.sign_in.register_passkey import LinkedPasskeyDraft, PasskeyDraft, PasskeyLinkToken
from application.accounts.sign_in.second_factor import GivenSecondFactor
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.sign_in_with_passkey import GivenPasskey
from application.accounts.sign_in.unlock_session import UnlockDraft
from domain.accounts.passkey import Passkey, SecondFactorRule
from domain.common.policy import Role
from tests.builders import NOON, PASSWORD, Ward
from tests.passkey_device import Device
from tests.use_cases.accounts.signed_in import secret_of
from tests.use_cases.stored import audit_log, kept

EMAIL = "user@consumo.test"

ADMIN_EMAIL = "admin@consumo.test"

HERE = ("192.0.2.7", "Firefox")

RULE = SecondFactorRule(frozenset({Role.USER, Role.ADMIN}), NOON.date() + timedelta(days=10))

IN_FORCE = SecondFactorRule(frozenset({Role.USER, Role.ADMIN}), date(2026, 1, 1))


def with_password(ward: Ward, email: str = EMAIL, password: str = PASSWORD) -> SignedIn:
    credentials = Credentials(email=email, password=password)
    return ward.use_cases.session.identify(ward.use_cases.session.sign_in(credentials, *HERE))


def register(ward: Ward, signed_in: SignedIn, device: Device, name: str = "Teléfono") -> int:
    """Register the device for the own account. Return the passkey's id."""
    options = ward.use_cases.passkeys.begin_registration.own(signed_in)
    draft = PasskeyDraft(credential=device.create(options), name=name)
    return ward.use_cases.passkeys.register.own(signed_in, draft, *HERE)["id"]


def registered(ward: Ward, **particulars: Any) -> Device:
    """A device that the nurse registered."""
    device = Device(**particulars)
    register(ward, with_password(ward), device)
    return device


def asked(ward: Ward, email: str = EMAIL, password: str = PASSWORD) -> SecondFactorAsked:
    """The second factor for which a right password is asked."""
    with pytest.raises(SecondFactorAsked) as raised:
        ward.use_cases.session.sign_in(Credentials(email=email, password=password), *HERE)
    return raised.value


def sign_in(ward: Ward, device: Device, **changes: Any) -> SignedIn:
    options = ward.use_cases.passkeys.begin_sign_in()
    given = GivenPasskey(credential=device.get(options, **changes))
    return ward.use_cases.session.identify(ward.use_cases.passkeys.sign_in(given, *HERE))


def give(ward: Ward, challenge: SecondFactorAsked, device: Device, **changes: Any) -> SignedIn:
    given = GivenSecondFactor(ticket=challenge.ticket, credential=device.get(challenge.options, **changes))
    return ward.use_cases.session.identify(ward.use_cases.passkeys.give_second_factor(given, *HERE))


def unlock(ward: Ward, signed_in: SignedIn, device: Device) -> None:
    options = ward.use_cases.passkeys.begin_unlock(signed_in)
    ward.use_cases.session.unlock(signed_in, UnlockDraft(passkey=device.get(options)), *HERE)


def link_of(ward: Ward, *removed: int) -> str:
    """A link for the nurse, who lost these passkeys."""
    lost = LostPasskeys(removed_ids=removed)
    return secret_of(ward.use_cases.passkeys.hand_out_link(ward.admin, ward.nurse.user_id, lost, *HERE))


def register_by_link(ward: Ward, token: str, device: Device) -> None:
    read = ward.use_cases.passkeys.begin_registration.by_link(PasskeyLinkToken(token=token))
    assert read.email == EMAIL
    draft = LinkedPasskeyDraft(token=token, credential=device.create(read.options), name="Llave nueva")
    ward.use_cases.passkeys.register.by_link(draft, *HERE)


def stored(ward: Ward) -> list[Passkey]:
    return list(kept(ward).passkeys.values())


def last_action(ward: Ward) -> str:
    return audit_log(ward)[-1].action
