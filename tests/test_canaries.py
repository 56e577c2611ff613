"""``holds_amount`` finds amounts in any notation, but not in times or ids."""

import pytest

from tests.canaries import OTHER_PRICE, PRICE, holds_amount


@pytest.mark.parametrize(
    "text",
    [
        '{"price":731379793.37}',
        '{"total":-731379793.37}',
        "[1,731379793.37,2]",
        "Gasa,3,731379793.37,9\r\n",
        "$731,379,793.37",
        "Total: $731.379.793,37.",
        "Decimal('731379793.37')",
        "73137979337",
        "FT1||731379793.37&USD|",
    ],
)
def test_an_amount_is_found_in_any_notation(text: str) -> None:
    assert holds_amount(text, PRICE)
    assert not holds_amount(text, OTHER_PRICE)


@pytest.mark.parametrize(
    "text",
    [
        '{"at":"2026-11-25T07:31:37.731379Z","until":"2026-11-25T07:31:37.793737+00:00"}',
        "2026-11-25 07:31:37,731379",
        "20261125073137.979373",
        "1795592397.731379",
        "0b7c4d2e-7313-7979-3737-73137979337",
        "a73137979337",
        "731379793370a",
    ],
)
def test_no_amount_is_found_in_times_and_ids(text: str) -> None:
    assert not holds_amount(text, PRICE)
