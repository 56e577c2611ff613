"""Challenges for signing in with a passkey are signed, and stored nowhere."""

from datetime import timedelta

from adapters.security.passkey_challenges import SignedChallenges
from tests.builders import NOON

NEW, OLD = b"n" * 32, b"o" * 32


def test_a_challenge_tells_until_when_it_is_valid() -> None:
    challenges = SignedChallenges([NEW])
    made = [challenges.make(NOON) for _ in range(2)]
    assert made[0] != made[1]
    assert [challenges.expiry_of(one) for one in made] == [NOON, NOON]


def test_a_challenge_of_the_old_key_is_still_ours() -> None:
    assert SignedChallenges([NEW, OLD]).expiry_of(SignedChallenges([OLD]).make(NOON)) == NOON
    assert SignedChallenges([NEW]).expiry_of(SignedChallenges([OLD]).make(NOON)) is None


def test_a_changed_or_made_up_challenge_is_not_ours() -> None:
    challenges = SignedChallenges([NEW])
    challenge = challenges.make(NOON)
    later = challenges.make(NOON + timedelta(days=9))
    for number in range(len(challenge)):
        changed = bytearray(challenge)
        changed[number] ^= 1
        assert challenges.expiry_of(bytes(changed)) is None
    for forged in (b"", b"x", bytes(72), later[:8] + challenge[8:], challenge[1:], challenge + b"0"):
        assert challenges.expiry_of(forged) is None
