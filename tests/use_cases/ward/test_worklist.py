"""What waits for the supervisor."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from application.audit.views import AuditQuery
from application.reports.judge import JudgementDraft
from application.ward.worklist_ports import MAX_PER_KIND
from application.ward.worklist_views import WorklistView
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor
from domain.sheets.anomalies import MEDIAN_RANK, Oddity
from domain.sheets.sheet import PatientSheet
from tests.assertions import refused
from tests.builders import TODAY, Ward


def worklist(ward: Ward, actor: Actor | None = None) -> WorklistView:
    reports = ward.use_cases.reports
    view = reports.read_worklist(actor or ward.supervisor)
    assert reports.read_worklist.count(actor or ward.supervisor) == {"count": view["count"]}
    return view


def judge(ward: Ward, kind: Oddity, *, sheet_id: int) -> None:
    ward.use_cases.reports.judge_right(ward.supervisor, JudgementDraft(kind=kind, sheet_id=sheet_id))


def sheet_kinds(ward: Ward) -> list[tuple[Oddity, int, int]]:
    return [(each["kind"], each["sheet"]["id"], each["days"]) for each in worklist(ward)["unusual_sheets"]]


def test_the_worklist_of_a_new_hospital_is_empty(ward: Ward) -> None:
    view = worklist(ward, ward.admin)
    assert {kind for kind, items in view.items() if items} == {"max_per_kind"}


def test_unusual_lines_have_sheet_quantities_and_author(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    for _ in range(MEDIAN_RANK):
        ward.detail(sheet, "2")
    far = ward.detail(sheet, "21")
    zero = ward.detail(sheet, "0")["id"]
    first, second = worklist(ward)["unusual_lines"]
    assert (first["kind"], first["detail_id"], first["version"]) == (Oddity.QUANTITY_FAR_OUT, far["id"], 1)
    assert first["sheet"]
    assert (first["sheet"]["id"], first["product"]["name"], first["by"]) == (
        sheet,
        "Gasa estéril",
        "admin@consumo.test",
    )
    assert (first["quantity"], first["usual_quantity"]) == (Decimal(21), Decimal(2))
    assert first["latest_quantities"] == [Decimal(0), Decimal(21), *[Decimal(2)] * MEDIAN_RANK]
    assert (second["kind"], second["detail_id"]) == (Oddity.QUANTITY_ZERO, zero)
    assert worklist(ward)["count"] == 2


def test_an_unusual_line_of_an_area_names_the_area(ward: Ward) -> None:
    page = ward.use_cases.area_sheets.open(ward.nurse, ward.area_id).view["id"]
    ward.detail(ward.sheet()["id"], "3")
    zero = ward.detail(page, "0", use_reason="cleaning")["id"]
    [line] = worklist(ward)["unusual_lines"]
    assert (line["detail_id"], line["consumption_sheet_id"], line["sheet"]) == (zero, page, None)
    assert (line.get("area", {}).get("name"), line["latest_quantities"]) == ("Urgencias", [Decimal(0)])
    ward.use_cases.reports.judge_right(ward.supervisor, JudgementDraft(kind=Oddity.QUANTITY_ZERO, detail_id=zero))
    assert worklist(ward)["count"] == 0


def test_unusual_sheets_come_by_days_and_without_discharged(ward: Ward) -> None:
    quiet = ward.sheet(admission_date=TODAY - timedelta(days=40))["id"]
    never = ward.sheet(admission_date=TODAY - timedelta(days=3))["id"]
    long = ward.sheet(admission_date=TODAY - timedelta(days=31))["id"]
    ward.clock.advance(days=-5)
    ward.detail(quiet)
    ward.clock.advance(days=5)
    ward.detail(long)
    assert sheet_kinds(ward) == [
        (Oddity.SHEET_OPEN_LONG, long, 31),
        (Oddity.SHEET_QUIET, quiet, 5),
        (Oddity.SHEET_QUIET, never, 3),
    ]
    with ward.store.begin() as work:
        sheet = work.sheets.lock(quiet)
        assert isinstance(sheet, PatientSheet)
        work.sheets.save(replace(sheet, discharge_proposed_at=ward.clock.now))
    assert [sheet for _, sheet, _ in sheet_kinds(ward)] == [long, never]
    view = worklist(ward)
    assert ([one["consumption_sheet_id"] for one in view["discharges"]], view["count"]) == ([quiet], 3)


def test_a_sheet_without_a_line_today_waits_from_noon(ward: Ward) -> None:
    sheet = ward.sheet(admission_date=TODAY - timedelta(days=1))["id"]
    ward.sheet(admission_date=TODAY)
    assert sheet_kinds(ward) == []
    ward.clock.advance(hours=6)  # noon in the hospital
    assert sheet_kinds(ward) == [(Oddity.SHEET_WITHOUT_LINE_TODAY, sheet, 1)]
    judge(ward, Oddity.SHEET_WITHOUT_LINE_TODAY, sheet_id=sheet)
    assert sheet_kinds(ward) == []
    ward.clock.advance(days=1)
    assert (Oddity.SHEET_WITHOUT_LINE_TODAY, sheet, 2) in sheet_kinds(ward)
    ward.detail(sheet)
    assert sheet not in [each for _, each, _ in sheet_kinds(ward)]


def test_a_quiet_sheet_judged_right_returns_after_three_days(ward: Ward) -> None:
    sheet = ward.sheet(admission_date=TODAY - timedelta(days=4))["id"]
    ward.clock.advance(hours=6)
    judge(ward, Oddity.SHEET_QUIET, sheet_id=sheet)
    for _ in range(2):
        assert sheet_kinds(ward) == []
        ward.clock.advance(days=1)
    assert sheet_kinds(ward) == []
    ward.clock.advance(days=1)
    assert sheet_kinds(ward) == [(Oddity.SHEET_QUIET, sheet, 7)]


def test_judgements_are_undone_and_audited(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], "0")
    of_line = JudgementDraft(kind=Oddity.QUANTITY_ZERO, detail_id=detail["id"])
    reports = ward.use_cases.reports
    with pytest.raises(NotFound):
        reports.undo_judgement(ward.supervisor, of_line)
    reports.judge_right(ward.supervisor, of_line)
    reports.judge_right(ward.admin, of_line)
    assert worklist(ward)["count"] == 0
    reports.undo_judgement(ward.admin, of_line)
    assert [line["detail_id"] for line in worklist(ward)["unusual_lines"]] == [detail["id"]]
    judge(ward, Oddity.SHEET_QUIET, sheet_id=detail["consumption_sheet_id"])
    found = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(sheet_id=detail["consumption_sheet_id"]))["items"]
    judged = [
        (one["action"], one["entity_id"], one["user"] and one["user"]["id"])
        for one in found
        if "judge" in one["action"]
    ]
    assert judged == [
        ("sheet.judged_right", detail["consumption_sheet_id"], ward.supervisor.user_id),
        ("detail.judgement_undone", detail["id"], ward.admin.user_id),
        ("detail.judged_right", detail["id"], ward.admin.user_id),
        ("detail.judged_right", detail["id"], ward.supervisor.user_id),
    ]


def test_only_lines_and_open_sheets_that_exist_are_judged(ward: Ward) -> None:
    reports, sheet = ward.use_cases.reports, ward.sheet()["id"]
    voided = ward.detail(sheet)["id"]
    ward.use_cases.details.delete(ward.admin, voided)
    with refused((Code.CHOICE_UNKNOWN, "kind")):
        reports.judge_right(ward.supervisor, JudgementDraft(kind="quantity_odd"))
    with refused((Code.REQUIRED, "sheet_id")):
        reports.judge_right(ward.supervisor, JudgementDraft(kind=Oddity.SHEET_QUIET, detail_id=1))
    for missing in (
        JudgementDraft(kind=Oddity.QUANTITY_ZERO, detail_id=voided),
        JudgementDraft(kind=Oddity.QUANTITY_ZERO, detail_id=999),
        JudgementDraft(kind=Oddity.SHEET_QUIET, sheet_id=999),
    ):
        with pytest.raises(NotFound):
            reports.judge_right(ward.supervisor, missing)
    ward.use_cases.sheets.close(ward.admin, sheet)
    with pytest.raises(NotFound):
        judge(ward, Oddity.SHEET_QUIET, sheet_id=sheet)


def test_products_without_a_price_are_one_item(ward: Ward) -> None:
    for name in ("Hisopo", "Venda"):
        ward.product(name, "0.00")
    view = worklist(ward)
    assert (view["products_without_price"], view["count"]) == (2, 1)


def test_unusual_sheets_are_limited_per_kind(ward: Ward) -> None:
    ids = [ward.sheet(admission_date=TODAY - timedelta(days=9))["id"] for _ in range(MAX_PER_KIND + 1)]
    assert [sheet for _, sheet, _ in sheet_kinds(ward)] == ids[:-1]
    assert worklist(ward)["count"] == MAX_PER_KIND


def test_reading_the_list_is_logged_if_it_names_patients(ward: Ward) -> None:
    def listed() -> int:
        return len(ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="worklist.listed"))["items"])

    ward.product("Hisopo", "0.00")
    worklist(ward)
    assert listed() == 0
    ward.sheet(admission_date=TODAY - timedelta(days=3))
    ward.use_cases.reports.read_worklist.count(ward.supervisor)
    assert listed() == 0
    worklist(ward)
    assert listed() == 1
