"""Passwords: 12 to 128 characters, any characters, not a common one, not the email."""

import pytest

from domain.checks import Checks
from domain.password import COMMON, SHORTEST, check_password
from domain.refusal import Code, Refused

EMAIL = "ana.rios@consumo.test"


def refusal_of(password: str | None) -> Code | None:
    checks = Checks()
    check_password(checks, "password", password, email=EMAIL)
    try:
        checks.done()
    except Refused as refused:
        (reason,) = refused.reasons
        assert reason.field == "password"
        return reason.code
    return None


@pytest.mark.parametrize(
    "password", ["tres gasas y", "ñandú y 3 🩹 …", " " * 11 + "x", "x1" * 64, "\t".join("abcdefg")]
)
def test_any_characters_will_do(password: str) -> None:
    assert refusal_of(password) is None


@pytest.mark.parametrize(
    ("password", "code"),
    [
        (None, Code.REQUIRED),
        ("", Code.REQUIRED),
        ("x" * 11, Code.PASSWORD_TOO_SHORT),
        ("abcdefghij.k", None),
        ("ab" * 64, None),
        ("ab" * 64 + "c", Code.PASSWORD_TOO_LONG),
    ],
)
def test_a_password_has_12_to_128_characters(password: str | None, code: Code | None) -> None:
    assert refusal_of(password) is code


@pytest.mark.parametrize(
    "password", ["administrador", "ADMINISTRADOR", "Password1234", "hospital2026", "Contraseña123"]
)
def test_a_common_password_is_refused_whatever_its_case(password: str) -> None:
    assert refusal_of(password) is Code.PASSWORD_COMMON


def test_every_common_password_is_recognised() -> None:
    assert {refusal_of(password) for password in COMMON} == {Code.PASSWORD_COMMON}
    assert {refusal_of(password.upper()) for password in COMMON} == {Code.PASSWORD_COMMON}


def test_no_common_password_is_listed_that_is_too_short_anyway() -> None:
    assert not [password for password in COMMON if len(password) < SHORTEST]


@pytest.mark.parametrize("password", [EMAIL, EMAIL.upper()])
def test_the_email_is_no_password(password: str) -> None:
    assert refusal_of(password) is Code.PASSWORD_IS_EMAIL
