"""What a user recorded in a shift."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.rooms import RoomDraft
from application.common.paging import InvalidQuery
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.offline.unlisted_items import DiscardDraft, UnlistedItemDraft
from application.ward.shift_views import ShiftView
from domain.common.policy import Actor
from tests.builders import Ward


def look(ward: Ward, since: datetime | None = None, by: Actor | None = None) -> ShiftView:
    return ward.use_cases.reports.read_shift(by or ward.nurse, since)


def recorded(view: ShiftView) -> list[tuple[Any, ...]]:
    return [(one["id"], one["room"], one["lines"], one["units"]) for one in view["sheets"]]


def room(ward: Ward, name: str) -> int:
    return ward.use_cases.rooms.create(ward.admin, RoomDraft(name=name, status=1, type=1, area_id=ward.area_id)).id


def test_a_correction_by_others_keeps_the_time_of_recording(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    early, own = (ward.detail(sheet, "11", by=ward.nurse)["id"] for _ in range(2))
    begin = ward.clock.advance(hours=8)
    late = ward.detail(sheet, "22", by=ward.nurse)["id"]
    ward.clock.advance(minutes=5)
    for line, quantity, by in ((early, 1, ward.supervisor), (late, 2, ward.supervisor), (own, 4, ward.nurse)):
        draft = CorrectionDraft(quantity=Decimal(quantity))
        ward.use_cases.details.correct(by, line, draft, reason="Corregida")
    # What the user corrected was recorded again by that user.
    assert recorded(look(ward, begin)) == [(sheet, "101", 2, Decimal(6))]
    assert recorded(look(ward, begin - timedelta(hours=8, minutes=1))) == [(sheet, "101", 3, Decimal(7))]


def test_voided_lines_do_not_count(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    begin = ward.clock.now
    line = ward.detail(sheet, by=ward.nurse)
    ward.use_cases.details.delete(ward.nurse, line["id"])
    view = look(ward, begin)
    assert (view["sheets"], view["notices"]) == ([], [])


@pytest.mark.parametrize(("after", "lines"), [(timedelta(hours=1), 2), (timedelta(hours=3), 1)])
def test_shortly_after_a_change_both_shifts_are_listed(ward: Ward, after: timedelta, lines: int) -> None:
    sheet = ward.sheet()["id"]
    ward.detail(sheet, "2", by=ward.nurse)
    ward.clock.now = look(ward)["shifts"][0]["until"] + after
    ward.detail(sheet, "3", by=ward.nurse)
    view = look(ward)
    assert ([one["lines"] for one in view["sheets"]], view["until"]) == ([lines], None)


def test_own_open_unlisted_items_are_listed_whenever_noted(ward: Ward) -> None:
    sheet = ward.sheet()["id"]

    def note(what: str, by: Actor) -> int:
        draft = UnlistedItemDraft(description=what, quantity=Decimal(2))
        return ward.use_cases.unlisted_items.note(by, sheet, draft).answer["id"]

    first, discarded = note("bisturí láser", ward.nurse), note("pinza", ward.nurse)
    note("sonda", ward.supervisor)
    ward.use_cases.unlisted_items.discard(ward.supervisor, discarded, DiscardDraft(reason="No se usó"))
    ward.clock.advance(hours=1)
    last = note("malla", ward.nurse)
    [latest, item] = look(ward, ward.clock.now)["unlisted_items"]
    assert (latest["id"], item["id"], item["description"], item["quantity"]) == (
        last,
        first,
        "bisturí láser",
        Decimal(2),
    )
    assert (item["sheet"]["id"], item["sheet"]["room"]) == (sheet, "101")


def test_shifts_are_those_of_the_hospital(ward: Ward) -> None:
    # The hospital's clock shows 07:30: the night that ended is handed over.
    ward.clock.now = datetime(2026, 11, 26, 13, 30, tzinfo=UTC)
    view = look(ward)
    present, before = view["shifts"]
    assert (present["name"], before["name"]) == ("06:00–14:00", "22:00–06:00")
    assert view["since"] == before["since"] == present["since"] - timedelta(hours=8)
    ward.clock.advance(minutes=31)
    assert look(ward)["since"] == present["since"]


@pytest.mark.parametrize("since", [timedelta(hours=73), -timedelta(minutes=6)])
def test_other_beginnings_are_invalid(ward: Ward, since: timedelta) -> None:
    with pytest.raises(InvalidQuery):
        look(ward, ward.clock.now - since)


def test_a_beginning_without_time_zone_is_invalid(ward: Ward) -> None:
    with pytest.raises(InvalidQuery):
        look(ward, ward.clock.now.replace(tzinfo=None))
