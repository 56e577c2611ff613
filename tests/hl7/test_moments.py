"""Parsing of HL7 times: completely valid, or None."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hl7.moments import parse_day, parse_moment

MADRID = ZoneInfo("Europe/Madrid")

MOMENTS = {
    "20261120": datetime(2026, 11, 19, 23, tzinfo=UTC),
    "2026112014": datetime(2026, 11, 20, 13, tzinfo=UTC),
    "202611201431": datetime(2026, 11, 20, 13, 31, tzinfo=UTC),
    "20261120143134": datetime(2026, 11, 20, 13, 31, 34, tzinfo=UTC),
    "20261120143134.5": datetime(2026, 11, 20, 13, 31, 34, 500_000, tzinfo=UTC),
    "20261120143134.123456": datetime(2026, 11, 20, 13, 31, 34, 123_456, tzinfo=UTC),
    "20261120143134123": datetime(2026, 11, 20, 13, 31, 34, 123_000, tzinfo=UTC),
    "20261120143134123-0600": datetime(2026, 11, 20, 20, 31, 34, 123_000, tzinfo=UTC),
    "20261120143134+0000": datetime(2026, 11, 20, 14, 31, 34, tzinfo=UTC),
    "20261120143134-0600": datetime(2026, 11, 20, 20, 31, 34, tzinfo=UTC),
    "202611201431-0030": datetime(2026, 11, 20, 15, 1, tzinfo=UTC),
    "202611201431+1245": datetime(2026, 11, 20, 1, 46, tzinfo=UTC),
    # ISO 8601, which some senders write.
    "2026-11-20": datetime(2026, 11, 19, 23, tzinfo=UTC),
    "2026-11-20T14:31": datetime(2026, 11, 20, 13, 31, tzinfo=UTC),
    "2026-11-20 14:31:34": datetime(2026, 11, 20, 13, 31, 34, tzinfo=UTC),
    "2026-11-20T14:31:34.5Z": datetime(2026, 11, 20, 14, 31, 34, 500_000, tzinfo=UTC),
    "2026-11-20T14:31:34-06:00": datetime(2026, 11, 20, 20, 31, 34, tzinfo=UTC),
    "2026-11-20T14:31:34+0000": datetime(2026, 11, 20, 14, 31, 34, tzinfo=UTC),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_a_valid_time_is_parsed(text: str) -> None:
    assert parse_moment(text, MADRID) == MOMENTS[text]


NONE = [
    "2026-11", "2026-11-20T", "2026-11-20T14", "2026-11-20Z", "2026-11-20T14:31 UTC", "2026-11-20 14:31, tarde",
    "2026-11-31", "2026-13-20", "2026-11-20T24:00", "26-11-20", "2026-1-20", "2026-11-20T14:31+99:00", "2026/11/20",
    "20261120T143134", "20/11/2026", "20261320", "20260230",
    "202611201431Z", "20261120143134+01", "20261120143134+9900", "20261120143134+0160", "20261120143134+1500",
    "0000", "00000000", "00000000000000", "2026", "202611", "2026112", "202611201", "2026112014313", "20261120143160",
    "2026112014313412", "20261120143134123.4", "202611201431341234",
    "202611202500", "2026112024", "20261120143134.", "20261120143134.1234567", "20261120 20261121", "2026112020261121",
    "20261120,20261121", "", " ", "ayer", "٢٠٢٦١١٢٠", "0001010100+1400", "00010101000000+0000",
    "00010101", "00011231", "99991231", "99991231235959-1400", "99990601", "20261120\n", "1763648000", "+20261120",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_an_invalid_time_is_none(text: str) -> None:
    assert parse_moment(text, MADRID) is None
    assert parse_day(text) is None


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)))
def test_a_date_is_read_as_written(at: datetime) -> None:
    assert parse_day(f"{at:%Y%m%d%H%M%S}-0600") == at.date()
    assert parse_day(f"{at:%Y-%m-%dT%H:%M:%S}-06:00") == at.date()
    assert parse_day(f"{at:%Y%m%d}") == at.date() == date(at.year, at.month, at.day)
