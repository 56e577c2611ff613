"""Contract of every store: admitting and identifying unidentified patients."""

from functools import partial

from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.people.test_unidentified import admit


def test_two_at_once_get_different_numbers(ward: Ward) -> None:
    done = at_once([partial(admit, ward) for _ in range(4)])
    names = sorted(sheet["patient"]["first_surname"] for sheet in done)
    assert names == [f"Sin identificar {number}" for number in (1, 2, 3, 4)]
