"""Passkeys with the ``webauthn`` library."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast
from urllib.parse import urlsplit

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    base64url_to_bytes,
    options_to_json_dict,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.structs import (
    AttestationFormat,
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from application.accounts.ports.passkeys import Claim, Credential, Json, NewCredential, PasskeyRefused, Signature
from domain.accounts.passkey import Passkey

# How long the browser waits for the person, in milliseconds. The challenge is valid for longer.
_TIMEOUT = 120_000

# Attestation is not asked for. Browsers then send none, or the one that a device signs with the new key itself.
_FORMATS = frozenset({AttestationFormat.NONE, AttestationFormat.PACKED})

_MAX_CREDENTIAL_ID_BYTES = 1_023
_MAX_PUBLIC_KEY_BYTES = 2_048


class WebAuthnPasskeys:
    """Registers and verifies passkeys of one address.

    ``host`` is the ID of the relying party; None if browsers allow no passkeys there. Passkeys are bound to it for
    ever.
    """

    def __init__(self, host: str | None, public_address: str) -> None:
        self._host = host or ""
        address = urlsplit(public_address)
        netloc = address.netloc if host == address.hostname else f"{host}:{address.port or 80}"
        self.origin = f"{address.scheme}://{netloc}".lower()

    @property
    def available(self) -> bool:
        """Whether browsers allow passkeys at this address."""
        return bool(self._host)

    def creation_options(self, email: str, handle: bytes, challenge: bytes, known: Sequence[Passkey]) -> Json:
        """Return the options for registering a discoverable passkey."""
        options = generate_registration_options(
            rp_id=self._host,
            rp_name="Consumo",
            user_id=handle,
            user_name=email,
            challenge=challenge,
            timeout=_TIMEOUT,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[_describe(passkey) for passkey in known],
        )
        return options_to_json_dict(options)

    def request_options(self, challenge: bytes, allowed: Sequence[Passkey] = ()) -> Json:
        """Return the options for signing, by default with any passkey."""
        options = generate_authentication_options(
            rp_id=self._host,
            challenge=challenge,
            timeout=_TIMEOUT,
            allow_credentials=[_describe(passkey) for passkey in allowed],
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json_dict(options)

    def read_claim(self, credential: Credential) -> Claim:
        """Read an answer without verifying it."""
        with _refusing():
            response = cast("dict[str, str]", credential["response"])
            credential_id = base64url_to_bytes(cast("str", credential["rawId"]))
            client_data = parse_client_data_json(base64url_to_bytes(response["clientDataJSON"]))
            handle = response.get("userHandle")
            return Claim(credential_id, client_data.challenge, base64url_to_bytes(handle) if handle else None)

    def verify_new(self, credential: Credential, challenge: bytes) -> NewCredential:
        """Verify the registration of a passkey."""
        with _refusing():
            parsed = parse_registration_credential_json(dict(credential))
            verified = verify_registration_response(
                credential=parsed,
                expected_challenge=challenge,
                expected_rp_id=self._host,
                expected_origin=self.origin,
                require_user_verification=True,
            )
            if (
                verified.fmt not in _FORMATS
                or len(verified.credential_id) > _MAX_CREDENTIAL_ID_BYTES
                or len(verified.credential_public_key) > _MAX_PUBLIC_KEY_BYTES
            ):
                raise PasskeyRefused
            return NewCredential(
                credential_id=verified.credential_id,
                public_key=verified.credential_public_key,
                sign_count=verified.sign_count,
                transports=tuple(sorted({transport.value for transport in parsed.response.transports or ()})),
                backed_up=verified.credential_backed_up,
                aaguid=verified.aaguid,
            )

    def verify(self, credential: Credential, challenge: bytes, public_key: bytes) -> Signature:
        """Verify a signature of a passkey; the counter is not judged."""
        with _refusing():
            verified = verify_authentication_response(
                credential=parse_authentication_credential_json(dict(credential)),
                expected_challenge=challenge,
                expected_rp_id=self._host,
                expected_origin=self.origin,
                credential_public_key=public_key,
                # With 0 the library accepts every counter.
                credential_current_sign_count=0,
                require_user_verification=True,
            )
            return Signature(verified.new_sign_count, verified.credential_backed_up)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn every error about a credential into ``PasskeyRefused``.

    Credentials come from outside. The libraries raise many kinds of errors for malformed ones, down to RecursionError.
    """
    try:
        yield
    except PasskeyRefused:
        raise
    except Exception as error:
        raise PasskeyRefused from error


def _describe(passkey: Passkey) -> PublicKeyCredentialDescriptor:
    return PublicKeyCredentialDescriptor(
        id=passkey.credential_id,
        transports=[AuthenticatorTransport(transport) for transport in passkey.transports] or None,
    )
