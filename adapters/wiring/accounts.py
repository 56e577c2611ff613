"""Wiring of the proofs of who a user is: passwords, tokens, passkeys, PINs."""

from collections.abc import Callable
from datetime import datetime

from dependency_injector import providers

from adapters.demo.accounts import PASSWORD as DEMONSTRATION_PASSWORD
from adapters.hospital.current_hospital import CurrentHospital
from adapters.oidc.client import OidcClient
from adapters.oidc.provider import OidcProvider
from adapters.security.derived_keys import Purpose, derive_keys
from adapters.security.device_keys import P256Keys
from adapters.security.passkey_challenges import SignedChallenges
from adapters.security.passkeys import WebAuthnPasskeys
from adapters.security.password_judge import ZxcvbnJudge
from adapters.security.passwords import Argon2Passwords
from adapters.security.second_factor_tickets import JwtSecondFactorTickets
from adapters.security.tokens import JwtTokens
from adapters.security.unlocking import KeyedBadges, PepperedPins, SignedNonces
from adapters.settings.read_settings import Settings
from adapters.wiring.hospital import HospitalContainer, of_hospital
from application.accounts.sessions.ask_second_factor import AskSecondFactor
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sign_in.unlock_with_passkey import VerifyOwnPasskey
from application.accounts.users.assign_profile import AssignProfile


def make_identity_provider(settings: Settings, clock: Callable[[], datetime]) -> OidcProvider | None:
    """Return the hospital's identity provider; None if none is configured."""
    client: OidcClient | None = settings.oidc
    return OidcProvider(client, keys_for(settings, Purpose.OIDC_TRANSACTION), clock=clock) if client else None


def make_password_checker(hospital: CurrentHospital) -> ZxcvbnJudge:
    """Return the password strength meter.

    It rejects passwords made of the hospital's name, and the demonstration password.
    """
    return ZxcvbnJudge([*filter(None, [hospital.settings.name]), "Consumo"], known=[DEMONSTRATION_PASSWORD])


def keys_for(settings: Settings, purpose: Purpose) -> list[bytes]:
    """Return the keys of a purpose, the current one first."""
    return derive_keys(settings.secret_key, settings.old_secret_key, purpose)


class AccountContainer(HospitalContainer):
    """``passwords`` and ``identity_provider`` may be overridden."""

    begin, clock, hospital = HospitalContainer.begin, HospitalContainer.clock, HospitalContainer.hospital
    mailer, settings = HospitalContainer.mailer, HospitalContainer.settings
    _key, _old_key = settings.provided.secret_key, settings.provided.old_secret_key

    passwords = providers.Singleton(Argon2Passwords)
    judge = of_hospital(hospital, make_password_checker, hospital)
    tokens = providers.Singleton(JwtTokens, _key, _old_key, clock=clock)
    tokens_last = settings.provided.tokens_last
    identity_provider = providers.Singleton(make_identity_provider, settings, clock)
    oidc_rules = settings.provided.oidc_rules

    passkeys = providers.Singleton(WebAuthnPasskeys, settings.provided.passkey_host, settings.provided.public_address)
    challenges = providers.Singleton(
        SignedChallenges, providers.Callable(keys_for, settings, Purpose.PASSKEY_CHALLENGE)
    )
    verify_own_passkey = providers.Singleton(VerifyOwnPasskey, begin, clock, passkeys, mailer)
    second_factor = settings.provided.second_factor
    tickets = providers.Singleton(JwtSecondFactorTickets, _key, _old_key, clock=clock)
    ask_second_factor = providers.Singleton(AskSecondFactor, passkeys, tickets)
    begin_session = providers.Singleton(BeginSession, ask_second_factor, oidc_rules, second_factor, tokens, tokens_last)

    quick_unlock = settings.provided.quick_unlock
    pin_hasher = providers.Singleton(PepperedPins, passwords, providers.Callable(keys_for, settings, Purpose.PIN))
    badge_digests = providers.Singleton(KeyedBadges, providers.Callable(keys_for, settings, Purpose.BADGE))
    nonces = providers.Singleton(SignedNonces, providers.Callable(keys_for, settings, Purpose.NONCE))
    device_keys = providers.Object(P256Keys())
    assign_profile = providers.Singleton(AssignProfile, begin, clock)
