"""The length of a password."""

import pytest

from domain.accounts.password import check_length
from domain.common.errors import Code, Refused
from domain.common.validation import Validator


def refusal_of(password: str | None) -> Code | None:
    checks = Validator()
    fits = check_length(checks, "password", password)
    try:
        checks.raise_if_invalid()
    except Refused as refused:
        (reason,) = refused.reasons
        assert reason.field == "password"
        assert not fits
        return reason.code
    assert fits
    return None


@pytest.mark.parametrize("password", ["tres gasas y", "ñandú y 3 🩹 …", " " * 11 + "x", "\t".join("abcdefg")])
def test_a_password_may_have_any_characters(password: str) -> None:
    assert refusal_of(password) is None


@pytest.mark.parametrize(
    ("password", "code"),
    [
        (None, Code.REQUIRED),
        ("", Code.REQUIRED),
        ("x", Code.PASSWORD_TOO_SHORT),
        ("x" * 11, Code.PASSWORD_TOO_SHORT),
        ("x" * 12, None),
        ("x" * 128, None),
        ("x" * 129, Code.PASSWORD_TOO_LONG),
    ],
)
def test_a_password_has_12_to_128_characters(password: str | None, code: Code | None) -> None:
    assert refusal_of(password) is code
