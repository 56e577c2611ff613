"""A ward in memory, without a server and without waiting."""

import pytest

from tests.builders import Ward, a_ward


@pytest.fixture
def ward() -> Ward:
    return a_ward()
