"""The job that deletes expired data."""

from datetime import UTC, datetime, timedelta

from adapters.server.jobs import purge_expired
from domain.common.day import day_of
from domain.sheets.notice import NOTICES_LAST
from tests.builders import ZONE, SettableClock, Ward, a_ward


def delete_a_line_of_the_nurse(ward: Ward) -> None:
    line = ward.detail(ward.sheet(admission_date=day_of(ward.clock.now, ZONE))["id"], by=ward.nurse)
    ward.use_cases.details.delete(ward.supervisor, line["id"])


def test_old_notices_are_deleted_and_recent_ones_stay() -> None:
    ward = a_ward(clock=SettableClock(datetime.now(UTC) - NOTICES_LAST - timedelta(minutes=1)))
    delete_a_line_of_the_nurse(ward)
    ward.clock.advance(minutes=5)
    delete_a_line_of_the_nurse(ward)
    purge_expired(ward.store.begin, timedelta(days=90))
    [notice] = ward.use_cases.reports.list_notices(ward.nurse)["items"]
    assert notice["at"] == ward.clock.now
