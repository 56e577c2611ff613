"""PINs, badges and nonces by derived keys, and the keys of devices."""

from itertools import permutations

import pytest

from adapters.security.derived_keys import Purpose, derive_key, derive_keys
from adapters.security.device_keys import P256Keys
from adapters.security.tokens import JwtTokens
from adapters.security.unlocking import KeyedBadges, PepperedPins, SignedNonces
from domain.common.errors import Unauthenticated
from tests.builders import NOON, QuickPasswords
from tests.devices import TABLET, Device

KEY, NEXT_KEY = "a key that is long enough for it", "another key that is long enough."
PIN = "480716"


def keys(purpose: Purpose, *, current: str = KEY, old: str | None = None) -> list[bytes]:
    return derive_keys(current, old, purpose)


def test_each_purpose_and_secret_key_has_a_key_of_its_own() -> None:
    derived = {derive_key(key, purpose) for key in (KEY, NEXT_KEY) for purpose in Purpose}
    assert len(derived) == 2 * len(Purpose)
    assert KEY.encode() not in derived


def test_a_pin_hash_belongs_to_one_user_and_one_secret_key() -> None:
    pins = PepperedPins(QuickPasswords(), keys(Purpose.PIN))
    hashed = pins.hash(7, PIN)
    assert pins.verify(7, PIN, hashed) == hashed
    assert pins.verify(8, PIN, hashed) is None
    assert pins.verify(7, "480717", hashed) is None
    assert PepperedPins(QuickPasswords(), keys(Purpose.PIN, current=NEXT_KEY)).verify(7, PIN, hashed) is None
    assert not QuickPasswords().match(PIN, hashed), "the PIN alone is not what was hashed"


def test_a_pin_by_the_old_key_is_hashed_again_with_the_new_one() -> None:
    before = PepperedPins(QuickPasswords(), keys(Purpose.PIN))
    changed = PepperedPins(QuickPasswords(), keys(Purpose.PIN, current=NEXT_KEY, old=KEY))
    after = PepperedPins(QuickPasswords(), keys(Purpose.PIN, current=NEXT_KEY))
    again = changed.verify(7, PIN, before.hash(7, PIN))
    assert again is not None
    assert after.verify(7, PIN, again) == again
    assert before.verify(7, PIN, again) is None
    assert changed.verify(7, "480717", before.hash(7, PIN)) is None


def test_a_badge_is_found_by_both_keys_the_current_first() -> None:
    before = KeyedBadges(keys(Purpose.BADGE)).digests("Badge-1")
    changed = KeyedBadges(keys(Purpose.BADGE, current=NEXT_KEY, old=KEY)).digests("BADGE-1")
    assert [*changed[1:]] == [*before]
    assert changed[0] not in before


def test_a_nonce_by_the_old_key_is_valid() -> None:
    nonce = SignedNonces(keys(Purpose.NONCE)).make("s-1", NOON)
    assert SignedNonces(keys(Purpose.NONCE, current=NEXT_KEY, old=KEY)).is_valid(nonce, "s-1", NOON)
    assert not SignedNonces(keys(Purpose.NONCE, current=NEXT_KEY)).is_valid(nonce, "s-1", NOON)


def test_no_two_nonces_are_equal() -> None:
    nonces = SignedNonces(keys(Purpose.NONCE))
    assert len({nonces.make("s-1", NOON) for _ in range(50)}) == 50


def test_keys_of_other_purposes_verify_nothing() -> None:
    for one, other in permutations(Purpose, 2):
        nonce = SignedNonces(keys(one)).make("s-1", NOON)
        assert not SignedNonces(keys(other)).is_valid(nonce, "s-1", NOON)
        assert KeyedBadges(keys(one)).digests("BADGE-1") != KeyedBadges(keys(other)).digests("BADGE-1")
        assert (
            PepperedPins(QuickPasswords(), keys(other)).verify(
                7, PIN, PepperedPins(QuickPasswords(), keys(one)).hash(7, PIN)
            )
            is None
        )


def test_a_nonce_is_no_access_token() -> None:
    with pytest.raises(Unauthenticated):
        JwtTokens(KEY).read(SignedNonces(keys(Purpose.NONCE)).make("s-1", NOON))


def test_a_changed_nonce_is_invalid() -> None:
    nonces = SignedNonces(keys(Purpose.NONCE))
    nonce = nonces.make("s-1", NOON)
    for place, letter in enumerate(nonce):
        changed = f"{nonce[:place]}{'0' if letter != '0' else '1'}{nonce[place + 1 :]}"
        assert not nonces.is_valid(changed, "s-1", NOON), place
        assert not nonces.is_valid(nonce[:place], "s-1", NOON)


def test_a_device_key_has_the_thumbprint_of_rfc_7638() -> None:
    # The example of RFC 7517, appendix A.1; its thumbprint was computed with another implementation.
    jwk: dict[str, object] = {
        "kty": "EC",
        "crv": "P-256",
        "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    }
    read = P256Keys().read(jwk)
    assert read is not None
    assert read.thumbprint == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"
    assert (len(read.thumbprint), len(read.point)) == (43, 87)


def test_only_the_signature_of_that_key_and_text_is_right() -> None:
    text, device_keys = "consumo-unlock\nnonce\n7", P256Keys()
    signature = TABLET.sign(text)
    assert device_keys.is_signed(text, signature, TABLET.point)
    assert not device_keys.is_signed(text + " ", signature, TABLET.point)
    assert not device_keys.is_signed(text, signature, Device().point)
    for wrong in ("", signature[:-1], signature + "A", "A" * 86, "_" * 86, signature[::-1], "ñ" * 86):
        assert not device_keys.is_signed(text, wrong, TABLET.point)
