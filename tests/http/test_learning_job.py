"""The background job that learns missed charges."""

import pytest

from adapters.server.jobs import learn_missed_charges
from application.common.store_errors import StoreUnavailable, UnavailableReason


def test_learning_is_logged_and_waits_for_the_database(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "consumo.learning")

    def fail() -> int:
        raise StoreUnavailable(UnavailableReason.BUSY)

    for learn in (fail, lambda: None, lambda: 62):
        learn_missed_charges(learn)
    assert [record.getMessage() for record in caplog.records] == [
        "No missed charges were learned this time: the database is busy",
        "Learned 62 pairs of products from closed sheets",
    ]
