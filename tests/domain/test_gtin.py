"""GTINs: four lengths and a check digit."""

import pytest

from domain.catalogue.product import is_gtin

# From the GS1 General Specifications and from real packs.
REAL = ["96385074", "73513537", "036000291452", "614141000036", "4006381333931", "7501031311309", "10614141000415"]


@pytest.mark.parametrize("digits", REAL)
def test_real_gtins_are_valid(digits: str) -> None:
    assert is_gtin(digits)


@pytest.mark.parametrize("digits", REAL)
def test_any_wrong_digit_is_detected(digits: str) -> None:
    for place, right in enumerate(digits):
        for wrong in set("0123456789") - {right}:
            assert not is_gtin(digits[:place] + wrong + digits[place + 1 :])


def test_leading_zeros_do_not_matter() -> None:
    assert is_gtin("036000291452")
    assert is_gtin("0036000291452")
    assert is_gtin("00036000291452")


@pytest.mark.parametrize(
    "text",
    ["", "0", "0000000", "000000000", "00000000000", "000000000000000", "4006381 33393", "400638133393X", "²" * 8],
)
def test_other_lengths_and_characters_are_invalid(text: str) -> None:
    assert not is_gtin(text)


@pytest.mark.parametrize("length", [8, 12, 13, 14])
def test_zeros_and_repeated_digits_are_invalid(length: int) -> None:
    assert not any(is_gtin(digit * length) for digit in "0123456789")


@pytest.mark.parametrize("digits", ["10000000000007", "90000000000003", "0555555555555", "00555555555555"])
def test_filler_digits_with_a_prefix_are_invalid(digits: str) -> None:
    assert not is_gtin(digits)


def test_digits_of_other_scripts_are_invalid() -> None:
    assert not is_gtin("96385074".translate({ord("0") + n: ord("٠") + n for n in range(10)}))
