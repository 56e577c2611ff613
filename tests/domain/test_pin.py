"""PINs: their form, and those that others would try first."""

from datetime import date

import pytest

from domain.accounts.pin import is_pin, is_weak_pin

BORN = date(1984, 7, 3)


@pytest.mark.parametrize("text", ["480716", "000001"])
def test_six_digits_are_a_pin(text: str) -> None:
    assert is_pin(text)


@pytest.mark.parametrize("text", ["", "48071", "4807160", "48071a", "48 716", "٤٨٠٧١٦", "480716\n", "-80716"])
def test_anything_else_is_not_a_pin(text: str) -> None:
    assert not is_pin(text)


@pytest.mark.parametrize(
    "pin",
    [
        *("000000", "777777", "123456", "654321", "789012", "210987", "121212", "123123", "480480", "123321"),
        *("480084", "159753", "147258"),
        # The birth date in any order.
        *("030784", "070384", "840703", "840307", "038407"),
        # The end of the telephone number.
        "555123",
    ],
)
def test_a_pin_that_others_would_try_is_weak(pin: str) -> None:
    assert is_weak_pin(pin, born=BORN, telephone="+502 5555-5123")


@pytest.mark.parametrize("pin", ["480716", "903152", "112233", "555123", "030784"])
def test_a_pin_without_such_a_pattern_is_strong(pin: str) -> None:
    assert not is_weak_pin(pin, telephone="51-23")
