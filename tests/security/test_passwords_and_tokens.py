"""Password hashing and tokens; the tests' fast hashes keep the contract."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import jwt
import pytest

from adapters.security.passwords import Argon2Passwords
from adapters.security.tokens import JwtTokens
from application.accounts.ports.identity import Passwords, Session
from domain.common.errors import Unauthenticated
from tests.builders import QuickPasswords, SettableClock

KEY = "a key that is long enough for its purpose, " * 2


@pytest.mark.parametrize("passwords", [Argon2Passwords(), QuickPasswords()])
def test_a_password_matches_only_its_own_hash(passwords: Passwords) -> None:
    for password in ("tres gasas y una venda", "  blancos  ", "ñandú 🩹 ½", "x" * 128):
        hashed = passwords.hash(password)
        assert password not in hashed
        assert passwords.match(password, hashed)
        for wrong in (password + " ", password.upper() + "x", password[:-1], ""):
            assert not passwords.match(wrong, hashed)
        assert not passwords.match(password, None)
        assert not passwords.match(password, "")


def test_equal_passwords_have_different_hashes() -> None:
    passwords = Argon2Passwords()
    assert passwords.hash("tres gasas y una venda") != passwords.hash("tres gasas y una venda")


def test_passwords_are_hashed_with_recommended_parameters() -> None:
    kind, version, cost = Argon2Passwords().hash("tres gasas y una venda").split("$")[1:4]
    assert (kind, version, cost) == ("argon2id", "v=19", "m=19456,t=2,p=1")


def a_session(*, ends_in: timedelta = timedelta(hours=1)) -> Session:
    return Session(id="s-1", user_id=7, expires_at=datetime.now(UTC) + ends_in)


def test_a_token_holds_session_and_user_and_no_rights() -> None:
    token = JwtTokens(KEY).issue(a_session())
    assert JwtTokens(KEY).read(token) == ("s-1", 7)
    assert set(jwt.decode(token, options={"verify_signature": False})) == {"sid", "sub", "exp"}


def test_an_expired_token_is_refused() -> None:
    with pytest.raises(Unauthenticated):
        JwtTokens(KEY).read(JwtTokens(KEY).issue(a_session(ends_in=-timedelta(seconds=1))))


def test_a_cached_token_still_expires() -> None:
    clock = SettableClock(datetime.now(UTC))
    tokens = JwtTokens(KEY, clock=clock)
    token = tokens.issue(a_session(ends_in=timedelta(hours=1)))
    assert tokens.read(token) == tokens.read(token) == ("s-1", 7)
    clock.advance(hours=1, seconds=1)
    with pytest.raises(Unauthenticated):
        tokens.read(token)


def test_keys_are_rotated_host_by_host_without_invalid_tokens() -> None:
    """Hosts accept the new key first, then sign with it, then drop the old."""
    old, new = KEY, "the key that comes after it, long enough"
    stages = [JwtTokens(old), JwtTokens(old, new), JwtTokens(new, old), JwtTokens(new)]
    for one, other in pairwise(stages):
        for issuer, reader in ((one, other), (other, one)):
            assert reader.read(issuer.issue(a_session())) == ("s-1", 7)
    with pytest.raises(Unauthenticated):
        JwtTokens(old).read(JwtTokens(new, old).issue(a_session()))


def claims(**changed: object) -> dict[str, object]:
    return {"sid": "s-1", "sub": "7", "exp": datetime.now(UTC) + timedelta(hours=1)} | changed


@pytest.mark.parametrize(
    "token",
    [
        "",
        "é",
        "a.b.c",
        jwt.encode(claims(), "another key that is long enough, too", algorithm="HS256"),
        jwt.encode(claims(), KEY, algorithm="HS512"),
        jwt.encode(claims(), "", algorithm="none"),
        jwt.encode(claims(sub="no number"), KEY, algorithm="HS256"),
        jwt.encode({"sub": "7", "exp": datetime.now(UTC) + timedelta(hours=1)}, KEY, algorithm="HS256"),
        jwt.encode({"sid": "s-1", "exp": datetime.now(UTC) + timedelta(hours=1)}, KEY, algorithm="HS256"),
        jwt.encode({"sid": "s-1", "sub": "7"}, KEY, algorithm="HS256"),
        JwtTokens(KEY).issue(a_session())[:-2],
    ],
    # Fixed ids, because tokens change with each run and pytest-xdist needs equal ids in all workers.
    ids=[
        *("nothing", "no ASCII", "no token", "another key", "another method", "unsigned", "no number", "no session"),
        *("no user", "no end", "cut"),
    ],
)
def test_an_invalid_token_is_refused(token: str) -> None:
    with pytest.raises(Unauthenticated):
        JwtTokens(KEY).read(token)
