"""WebAuthn: what the adapter accepts, and that it refuses anything else."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import cbor2
import jwt
import pytest

from adapters.security.derived_keys import Purpose, derive_key
from adapters.security.passkeys import WebAuthnPasskeys
from adapters.security.second_factor_tickets import JwtSecondFactorTickets
from adapters.security.tokens import JwtTokens
from application.accounts.ports.identity import Session
from application.accounts.ports.passkeys import PasskeyRefused
from domain.accounts.passkey import Passkey
from domain.common.errors import Unauthenticated
from tests.passkey_device import Device, decode, encode

PASSKEYS = WebAuthnPasskeys("localhost", "http://127.0.0.1:8000")
CHALLENGE = b"c" * 32
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SECRET, OTHER = "a secret key of the tests, long enough", "another secret key, also long enough"


def created(device: Device, **changes: Any) -> dict[str, Any]:
    options = PASSKEYS.creation_options("user@consumo.test", b"h" * 32, CHALLENGE, [])
    return device.create(options, **changes)


def signed(device: Device, **changes: Any) -> dict[str, Any]:
    return device.get(PASSKEYS.request_options(CHALLENGE), **changes)


@pytest.mark.parametrize("algorithm", [-7, -8])
def test_a_registration_and_a_signature_are_verified(algorithm: int) -> None:
    device = Device(algorithm=algorithm)
    new = PASSKEYS.verify_new(created(device), CHALLENGE)
    assert (new.credential_id, new.sign_count, new.transports) == (device.credential_id, 0, ("internal",))
    credential = signed(device)
    claim = PASSKEYS.read_claim(credential)
    assert claim == (device.credential_id, CHALLENGE, b"h" * 32)
    assert PASSKEYS.verify(credential, CHALLENGE, new.public_key).sign_count == 1


def test_options_prefer_small_keys_and_know_the_host() -> None:
    options = PASSKEYS.creation_options("user@consumo.test", b"h" * 32, CHALLENGE, [])
    assert [one["alg"] for one in options["pubKeyCredParams"]] == [-8, -7, -257]
    assert options["rp"] == {"name": "Consumo", "id": "localhost"}
    passkey = Passkey(
        user_id=1,
        credential_id=b"id",
        public_key=b"",
        sign_count=0,
        transports=("internal",),
        backed_up=True,
        aaguid="",
        name="x",
        made_at=NOW,
    )
    request = PASSKEYS.request_options(CHALLENGE, [passkey])
    assert request["allowCredentials"] == [{"type": "public-key", "id": encode(b"id"), "transports": ["internal"]}]
    assert (request["rpId"], request["userVerification"]) == ("localhost", "required")


@pytest.mark.parametrize(
    ("host", "address", "origin"),
    [
        ("localhost", "http://127.0.0.1:8000", "http://localhost:8000"),
        ("localhost", "http://[::1]:8000", "http://localhost:8000"),
        ("localhost", "http://localhost:8906", "http://localhost:8906"),
        ("consumo.hospital.test", "https://Consumo.hospital.test", "https://consumo.hospital.test"),
        ("consumo.hospital.test", "https://consumo.hospital.test:8443", "https://consumo.hospital.test:8443"),
    ],
)
def test_the_origin_is_that_of_the_public_address(host: str, address: str, origin: str) -> None:
    passkeys = WebAuthnPasskeys(host, address)
    device = Device(origin=origin)
    options = passkeys.creation_options("user@consumo.test", b"h" * 32, CHALLENGE, [])
    assert passkeys.available
    assert passkeys.verify_new(device.create(options), CHALLENGE).credential_id == device.credential_id
    with pytest.raises(PasskeyRefused):
        passkeys.verify_new(device.create(options, origin=f"{origin}.test"), CHALLENGE)


def test_without_a_host_passkeys_are_unavailable() -> None:
    assert not WebAuthnPasskeys(None, "http://192.0.2.7").available


CBOR_BOMBS = {
    "nested lists": b"\x81" * 100_000,
    "nested maps": b"\xa1\x61a" * 50_000,
    "huge list": b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
    "huge text": b"\x7b\xff\xff\xff\xff\xff\xff\xff\xff",
    "endless list": b"\x9f" * 10_000,
    "tags": b"\xc1" * 50_000,
    "references": b"\xd8\x1c\x81\xd8\x1d\x00",
    "regular expression": b"\xd8\x23\x78\x20" + b"(a+)+" * 6 + b"$$",
    "big number": b"\xc2\x59\xff\xff" + b"\xff" * 65_535,
    "empty": b"",
}


@pytest.mark.parametrize("bomb", CBOR_BOMBS.values(), ids=CBOR_BOMBS)
def test_a_cbor_bomb_is_refused(bomb: bytes) -> None:
    with pytest.raises(PasskeyRefused):
        PASSKEYS.verify_new(created(Device(), attestation=bomb), CHALLENGE)


@pytest.mark.parametrize("kind", ["flipped", "cut", "replaced"])
def test_a_damaged_attestation_is_refused(kind: str) -> None:
    rng = random.Random(kind)
    credential = created(Device())
    whole = decode(credential["response"]["attestationObject"])
    damaged: dict[str, Callable[[], bytes]] = {
        "flipped": lambda: _flipped(whole, rng),
        "cut": lambda: whole[: rng.randrange(len(whole))],
        "replaced": lambda: cbor2.dumps({"fmt": rng.choice(_VALUES), "attStmt": rng.choice(_VALUES), "authData": b"x"}),
    }
    accepted = 0
    for _ in range(300):
        credential["response"]["attestationObject"] = encode(damaged[kind]())
        try:
            PASSKEYS.verify_new(credential, CHALLENGE)
            # Attestation is not asked for, so a flipped bit of the key or its name is another valid key.
            accepted += 1
        except PasskeyRefused:
            pass
    assert accepted == 0 or kind == "flipped"


_VALUES = [
    "none",
    "packed",
    "tpm",
    "apple",
    "android-key",
    "android-safetynet",
    "fido-u2f",
    "",
    0,
    None,
    {},
    [],
    {"x": b""},
]


def _flipped(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + bytes([whole[place] ^ (1 << rng.randrange(8))]) + whole[place + 1 :]


def test_a_flipped_bit_of_a_signed_answer_is_refused() -> None:
    rng = random.Random(1)
    device = Device()
    new = PASSKEYS.verify_new(created(device), CHALLENGE)
    for part in ("authenticatorData", "clientDataJSON", "signature"):
        for _ in range(60):
            credential = signed(device)
            credential["response"][part] = encode(_flipped(decode(credential["response"][part]), rng))
            with pytest.raises(PasskeyRefused):
                PASSKEYS.verify(credential, CHALLENGE, new.public_key)


@pytest.mark.parametrize("value", [None, 0, True, "", "ñ", "not base64!", [], {}, {"a": 1}, "x" * 60_000])
@pytest.mark.parametrize(
    "place", ["id", "rawId", "type", "response", "clientDataJSON", "attestationObject", "signature"]
)
def test_a_member_of_another_kind_is_refused(place: str, value: object) -> None:
    device = Device()
    new = PASSKEYS.verify_new(created(device), CHALLENGE)
    for credential, verify in (
        (created(device), lambda credential: PASSKEYS.verify_new(credential, CHALLENGE)),
        (signed(device), lambda credential: PASSKEYS.verify(credential, CHALLENGE, new.public_key)),
    ):
        inside = credential if place in credential else credential["response"]
        if place not in inside:
            continue
        inside[place] = value
        with pytest.raises(PasskeyRefused):
            verify(credential)


@pytest.mark.parametrize("fmt", ["tpm", "apple", "android-key", "android-safetynet", "fido-u2f", "unheard"])
def test_attestation_with_certificates_is_refused(fmt: str) -> None:
    credential = created(Device())
    attestation = cbor2.loads(decode(credential["response"]["attestationObject"]))
    with pytest.raises(PasskeyRefused):
        PASSKEYS.verify_new(created(Device(), attestation=cbor2.dumps({**attestation, "fmt": fmt})), CHALLENGE)


# --- tickets ---------------------------------------------------------------------------------------------------------


def test_a_ticket_names_user_and_password() -> None:
    tickets = JwtSecondFactorTickets(SECRET, clock=lambda: NOW)
    assert tickets.read(tickets.issue(7, "stamp", NOW + timedelta(minutes=5))) == (7, "stamp")
    after = JwtSecondFactorTickets(SECRET, clock=lambda: NOW + timedelta(minutes=5))
    with pytest.raises(PasskeyRefused):
        after.read(tickets.issue(7, "stamp", NOW + timedelta(minutes=5)))


def test_a_ticket_of_the_old_key_is_read() -> None:
    ticket = JwtSecondFactorTickets(OTHER, clock=lambda: NOW).issue(7, "stamp", NOW + timedelta(minutes=5))
    assert JwtSecondFactorTickets(SECRET, OTHER, clock=lambda: NOW).read(ticket) == (7, "stamp")
    with pytest.raises(PasskeyRefused):
        JwtSecondFactorTickets(SECRET, clock=lambda: NOW).read(ticket)


def test_a_ticket_is_no_access_token_and_vice_versa() -> None:
    tickets, tokens = JwtSecondFactorTickets(SECRET, clock=lambda: NOW), JwtTokens(SECRET, clock=lambda: NOW)
    with pytest.raises(Unauthenticated):
        tokens.read(tickets.issue(7, "stamp", NOW + timedelta(minutes=5)))
    token = tokens.issue(Session(id="s", user_id=7, expires_at=NOW + timedelta(hours=1)))
    with pytest.raises(PasskeyRefused):
        tickets.read(token)


@pytest.mark.parametrize("claim", ["aud", "sub", "pwd", "exp"])
@pytest.mark.parametrize("damage", [{}, {"aud": "oidc-transaction"}, {"sub": "x"}, {"exp": "x"}])
def test_an_incomplete_ticket_is_refused(claim: str, damage: dict[str, object]) -> None:
    tickets = JwtSecondFactorTickets(SECRET, clock=lambda: NOW)
    claims = jwt.decode(tickets.issue(7, "s", NOW + timedelta(hours=1)), options={"verify_signature": False})
    damaged = {**claims, **damage} if damage else {name: value for name, value in claims.items() if name != claim}
    with pytest.raises(PasskeyRefused):
        tickets.read(jwt.encode(damaged, derive_key(SECRET, Purpose.SECOND_FACTOR), algorithm="HS256"))


@pytest.mark.parametrize("ticket", ["", "x", "a.b.c", "ñ" * 40, "." * 2_000])
def test_a_text_that_is_no_ticket_is_refused(ticket: str) -> None:
    with pytest.raises(PasskeyRefused):
        JwtSecondFactorTickets(SECRET).read(ticket)
