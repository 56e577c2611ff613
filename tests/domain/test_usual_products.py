"""Numbers of usual products."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.catalogue.usual_products import MOST, UsualNumbers

MORNING = datetime(2026, 5, 3, 6, tzinfo=UTC)
EVENING = MORNING + timedelta(hours=8)


@pytest.mark.parametrize(
    ("kept", "likely", "active", "ids"),
    [
        pytest.param((3, 1, 2), (2, 3, 1), {1, 2, 3}, (3, 1, 2), id="numbers stay"),
        pytest.param((3, 1), (4, 1, 3), {1, 3, 4}, (3, 1, 4), id="new ones are last"),
        pytest.param((3, 1), (1, 4), {1, 3, 4}, (3, 1, 4), id="one that is no longer likely stays"),
        pytest.param((3, 1, 2), (4, 1, 2), {1, 2, 4}, (4, 1, 2), id="a new one takes an inactive one's number"),
        pytest.param((3, 1, 2), (1, 2), {1, 2}, (1, 2), id="none takes it if there is no new one"),
        pytest.param(tuple(range(1, MOST + 1)), (99,), {99, *range(20)}, tuple(range(1, MOST + 1)), id="full"),
    ],
)
def test_numbers_stay_within_a_shift(
    kept: tuple[int, ...], likely: tuple[int, ...], active: set[int], ids: tuple[int, ...]
) -> None:
    numbers = UsualNumbers(MORNING, kept, (7, 8)).within_shift(likely, active)
    assert numbers == UsualNumbers(MORNING, ids, (7, 8))


@pytest.mark.parametrize(
    ("kept", "likely", "pinned", "ids", "changed"),
    [
        pytest.param((), (3, 1, 2), (), (3, 1, 2), (), id="the first shift has nothing to compare with"),
        pytest.param((3, 1, 2), (2, 3, 1), (), (3, 1, 2), (), id="likely products keep their numbers"),
        pytest.param((3, 1, 2), (4, 3, 2), (), (3, 4, 2), (4,), id="a new one takes a free number"),
        pytest.param((3, 1), (4, 1, 3, 5), (), (3, 1, 4, 5), (), id="a number that was free is not changed"),
        pytest.param((3, 1, 2), (2, 3, 1), (2,), (2, 3, 1), (2, 3, 1), id="pinned ones come first"),
        pytest.param((3, 1, 2), (1, 2), (), (1, 2), (1, 2), id="numbers move up if there is no new one"),
    ],
)
def test_numbers_change_when_a_shift_begins(
    kept: tuple[int, ...],
    likely: tuple[int, ...],
    pinned: tuple[int, ...],
    ids: tuple[int, ...],
    changed: tuple[int, ...],
) -> None:
    numbers = UsualNumbers(MORNING, kept).in_next_shift(EVENING, likely, pinned)
    assert numbers == UsualNumbers(EVENING, ids, kept)
    assert numbers.changed == changed
