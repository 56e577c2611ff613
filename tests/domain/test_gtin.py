"""GTINs: four lengths, and a check digit that finds slips."""

import pytest

from domain.product import is_gtin

# From the GS1 General Specifications and from boxes on the shelf.
REAL = ["96385074", "73513537", "036000291452", "614141000036", "4006381333931", "7501031311309", "10614141000415"]


@pytest.mark.parametrize("digits", REAL)
def test_a_real_gtin_is_one(digits: str) -> None:
    assert is_gtin(digits)


@pytest.mark.parametrize("digits", REAL)
def test_any_wrong_digit_is_found(digits: str) -> None:
    for place, right in enumerate(digits):
        for wrong in set("0123456789") - {right}:
            assert not is_gtin(digits[:place] + wrong + digits[place + 1 :])


def test_a_code_is_the_same_with_zeros_before_it() -> None:
    assert is_gtin("036000291452")
    assert is_gtin("0036000291452")
    assert is_gtin("00036000291452")


@pytest.mark.parametrize(
    "text",
    ["", "0", "0000000", "000000000", "00000000000", "000000000000000", "4006381 33393", "400638133393X", "²" * 8],
)
def test_another_length_or_another_character_is_no_gtin(text: str) -> None:
    assert not is_gtin(text)


@pytest.mark.parametrize("length", [8, 12, 13, 14])
def test_zeros_and_one_digit_over_and_over_are_no_gtin(length: int) -> None:
    assert not any(is_gtin(digit * length) for digit in "0123456789")


@pytest.mark.parametrize("digits", ["10000000000007", "90000000000003", "0555555555555", "00555555555555"])
def test_a_filler_of_another_pack_or_length_is_no_gtin(digits: str) -> None:
    assert not is_gtin(digits)


def test_digits_of_other_scripts_are_no_gtin() -> None:
    assert not is_gtin("96385074".translate({ord("0") + n: ord("٠") + n for n in range(10)}))
