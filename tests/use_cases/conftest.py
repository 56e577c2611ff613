"""The ward that these tests work in: in memory, without a server and without waiting."""

import pytest

from tests.builders import Ward, a_ward


@pytest.fixture
def ward() -> Ward:
    return a_ward()
