"""Closed months: what is frozen and what changed since is today's report."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from adapters.sql.sheets.tables import details
from application.catalogue.areas import AreaDraft
from application.reports.month_views import MonthView
from application.reports.months import MonthDraft
from application.scanning.look_up_product import Lookup
from domain.common.errors import Code, Refused
from domain.common.money import line_total
from domain.scanning.label import LabelKind, paper_label_text
from tests.assertions import refused
from tests.builders import Ward, a_ward
from tests.use_cases.sheets.test_month_changes import ACTS
from tests.use_cases.stored import kept

D = Decimal
IN_MAY = datetime(2091, 5, 31, 20, tzinfo=UTC)
FIGURES = ("lines", "quantity", "returned", "total", "value")


@pytest.fixture
def ward() -> Ward:
    ward = a_ward()
    ward.clock.now = IN_MAY
    return ward


def close(ward: Ward, turn: int = 1, month: str = "2091-05", area_id: int | None = None) -> MonthView:
    return ward.use_cases.reports.close_month(ward.admin, MonthDraft(month=month, turn=turn, area_id=area_id))


def of_today(ward: Ward, month: date) -> Counter[str]:
    """Return the figures of all lines of a month, from the rows."""
    sums: Counter[str] = Counter()
    for row in kept(ward).rows(details):
        if row.voided_at or (row.day.year, row.day.month) != (month.year, month.month):
            continue
        value = line_total(row.unit_price, row.quantity)
        for name, figure in zip(FIGURES, (1, row.quantity, row.returned, row.total, value), strict=True):
            sums[name] += figure
    return sums


def with_changes(view: MonthView) -> Counter[str]:
    sums: Counter[str] = Counter()
    for row in (*view["sums"].values(), *view["changes"]["items"]):
        for name in FIGURES:
            sums[name] += row[name]  # type: ignore[index]
    return sums


def test_a_month_is_frozen_with_its_figures(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    month = close(ward)
    assert month["sums"]["treatment"] == {
        "lines": 1,
        "quantity": D(3),
        "returned": D(0),
        "total": D("37.50"),
        "value": D("37.50"),
    }
    assert [row["name"] for row in month["products"]]
    assert month["accounts"]["open"] == {"sheets": 1, "total": D("37.50")}


@pytest.mark.parametrize("act", ACTS)
def test_a_later_change_stands_beside_it(ward: Ward, act: str) -> None:
    make, _ = ACTS[act]
    line = ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    closed = close(ward)
    make(ward, line)
    now = ward.use_cases.reports.read_month(ward.admin, closed["id"])
    assert now["sums"] == closed["sums"]
    assert now["changes"]["items"]
    assert +with_changes(now) == +of_today(ward, date(2091, 5, 1))


def test_a_month_may_be_closed_an_hour_after_its_end(ward: Ward) -> None:
    allowed = datetime(2091, 6, 1, 7, tzinfo=UTC)
    for now in (IN_MAY, allowed - timedelta(seconds=1)):
        ward.clock.now = now
        with refused((Code.MONTH_NOT_OVER, "month")):
            close(ward)
    ward.clock.now = allowed
    assert close(ward)["month"] == "2091-05"


def test_the_same_version_is_made_once(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    close(ward)
    with refused((Code.MONTH_CLOSED, "turn")):
        close(ward)
    with refused((Code.MONTH_UNCHANGED, "month")):
        close(ward, 2)
    with refused((Code.NUMBER_OUT_OF_RANGE, "turn")):
        close(ward, 3)


def test_an_area_with_a_closed_month_is_in_use(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Bodega")).id
    close(ward, month="2091-04", area_id=area)
    with refused(Code.IN_USE):
        ward.use_cases.areas.delete(ward.admin, area)


def test_the_list_tells_the_last_version_and_what_changed(ward: Ward) -> None:
    line = ward.detail(ward.sheet()["id"], "3")
    other = ward.detail(ward.sheet(patient_id=ward.patient("Luis", "Gil").id)["id"], "2")
    ward.clock.advance(hours=20)
    close(ward)
    ACTS["voided"][0](ward, line)
    again = close(ward, 2)
    close(ward, month="2091-04", area_id=ward.area_id)
    ACTS["returned"][0](ward, other)
    listed = ward.use_cases.reports.list_months(ward.admin)["items"]
    assert [(one["month"], one["may_close"]) for one in listed[:3]] == [
        *(("2091-06", False), ("2091-05", True), ("2091-04", True)),
    ]
    assert len(listed) == 24
    [may] = [one for one in listed if one["id"]]
    assert (may["id"], may["turn"], may["total"]) == (again["id"], 2, D("25.00"))
    assert (may["changes"], may["changes_total"], may["by"]) == (1, D("-12.50"), "admin@consumo.test")
    of_area = ward.use_cases.reports.list_months(ward.admin, ward.area_id, "2091-05")["items"]
    assert [(one["month"], one["turn"], one["changes"]) for one in of_area[:2]] == [
        ("2091-04", 1, 0),
        ("2091-03", 0, 0),
    ]


def test_ward_staff_get_the_answer_for_an_unknown_paper(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    proof = close(ward)["proof"] or ""
    assert ward.use_cases.sheets.check_paper(ward.admin, proof)["same"]
    with pytest.raises(Refused) as of_nurse:
        ward.use_cases.sheets.check_paper(ward.nurse, proof)
    with ward.store.begin() as work:
        number = work.views.installation_number()
    unknown = paper_label_text(LabelKind.DOCUMENT, 999, 1, "0" * 64, number) or ""
    with pytest.raises(Refused) as of_none:
        ward.use_cases.sheets.check_paper(ward.nurse, unknown)
    [found], [missing] = of_nurse.value.reasons, of_none.value.reasons
    assert found == replace(missing, params={**missing.params, "number": 1})
    assert found.code is Code.DOCUMENT_UNKNOWN


def test_a_scan_tells_of_a_months_paper_who_may_read_it(ward: Ward) -> None:
    ward.clock.advance(hours=20)
    proof = close(ward)["proof"]
    found = [ward.use_cases.products.look_up(who, Lookup(scan=proof))["label"] for who in (ward.nurse, ward.supervisor)]
    assert [label and label["state"] for label in found] == ["missing", "found"]


def test_a_month_changed_without_a_note_is_found(ward: Ward) -> None:
    check = ward.use_cases.reports.check_consistency.months
    line = ward.detail(ward.sheet()["id"], "3")
    other = ward.detail(ward.sheet(patient_id=ward.patient("Luis", "Gil").id)["id"], "2", area_id=ward.area_id)
    ward.clock.advance(hours=20)
    first, area = close(ward), close(ward, area_id=ward.area_id)
    ACTS["returned"][0](ward, other)
    assert list(check()) == []
    # As a server of the version before does it.
    with ward.store.begin() as work:
        for one in (line, other):
            detail = work.details.get(one["id"])
            assert detail
            work.details.save(replace(detail, total=D(1)))
    found = [(one.document_id, one.area_id, one.expected.total, one.found.total) for one in check()]
    assert sorted(found, key=str) == [
        (first["id"], ward.area_id, D("12.50"), D(1)),
        (first["id"], None, D("37.50"), D(1)),
        (area["id"], ward.area_id, D("12.50"), D(1)),
    ]
    close(ward, 2)
    assert [one.document_id for one in check()] == [area["id"]]


def test_random_months_add_up(ward: Ward) -> None:
    random = Random(7)
    sheet_id = ward.sheet()["id"]
    lines: list[Any] = []
    documents: list[MonthView] = []
    turns: Counter[str] = Counter()
    for _ in range(60):
        act = random.choice([*ACTS, "record", "record", "late", "close", "wait"])
        if act == "record":
            lines.append(ward.detail(sheet_id, str(random.randint(1, 5))))
        elif act == "late" and lines:
            lines.append(ward.detail(sheet_id, "2", occurred_at=IN_MAY))
        elif act == "wait":
            ward.clock.advance(hours=20)
        elif act == "close":
            month = "2091-05"
            try:
                documents.append(close(ward, turns[month] + 1, month))
            except Refused:
                continue
            turns[month] += 1
        elif act not in ("deleted", "late") and lines:
            ACTS[act][0](ward, lines.pop(random.randrange(len(lines))))
        for document in documents:
            now = ward.use_cases.reports.read_month(ward.admin, document["id"])
            assert +with_changes(now) == +of_today(ward, date(2091, 5, 1))
    assert documents
