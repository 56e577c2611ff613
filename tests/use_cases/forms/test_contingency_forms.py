"""Contingency forms are recorded once for all users."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.forms.contingency_forms import DiscardFormDraft, FormRecordDraft
from application.forms.print_forms import FormsDraft, PrintedForm
from application.forms.views import RecordedFormView
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.offline.late_entries import RecordLateDraft
from application.sheets.recalls import RecallDraft
from domain.common.errors import Code, Forbidden, NotFound, Refused
from domain.common.policy import Actor, Limit, Role
from domain.forms.contingency_form import FormState
from tests.assertions import refused
from tests.builders import NOON, Ward


def print_forms(ward: Ward, *, in_advance: bool = False, **particulars: Any) -> tuple[PrintedForm, ...]:
    return ward.use_cases.contingency_forms.print(ward.nurse, FormsDraft(**particulars), in_advance=in_advance)


def record(
    ward: Ward,
    number: int,
    sheet_id: int | None,
    *items: DetailDraft,
    by: Actor | None = None,
    key: str | None = None,
    **particulars: Any,
) -> RecordedFormView:
    filled_in: dict[str, Any] = {"items": items or (ward.detail_draft("2"),), "occurred_at": NOON - timedelta(hours=1)}
    draft = FormRecordDraft(sheet_id=sheet_id, **filled_in | particulars)
    promise = IdempotencyKey(key, "f") if key else None
    use_case = ward.use_cases.contingency_forms.record
    return use_case(by or ward.nurse, number, draft, idempotency_key=promise).answer


def lines_of(ward: Ward, number: int) -> list[DetailView]:
    with ward.store.read() as views:
        return views.details.page(DetailQuery(form_id=number))["items"]


def numbers_in(ward: Ward, state: FormState) -> list[int]:
    found = ward.use_cases.contingency_forms.list(ward.nurse, state)
    assert found["count"] == len(found["items"])
    return [form["number"] for form in found["items"]]


def actions_about(ward: Ward, number: int) -> list[str]:
    with ward.store.read() as views:
        page = views.audit.page(AuditQuery(entity="contingency_form", entity_id=number))
    return [item["action"] for item in page["items"]]


def test_an_area_gets_a_form_for_each_open_sheet(ward: Ward) -> None:
    first, second = ward.sheet()["id"], ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, second)
    [form] = print_forms(ward, area_id=ward.area_id, in_advance=True)
    view = ward.use_cases.contingency_forms.read(ward.nurse, form.number)
    assert view["sheet"] is not None
    assert view["sheet"]["id"] == first
    # Forms of every night are not expected back.
    assert (numbers_in(ward, FormState.OPEN), numbers_in(ward, FormState.STANDBY)) == ([], [form.number])
    record(ward, form.number, first)
    assert numbers_in(ward, FormState.RECORDED) == [form.number]


def test_a_form_is_recorded_at_one_time_and_found_by_its_number(ward: Ward) -> None:
    sheet_id = ward.sheet(admission_date=(NOON - timedelta(days=20)).date())["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    used_at = NOON - timedelta(days=9)
    ward.detail(sheet_id)
    other = ward.product("Venda").id
    # Ward staff may record a form after days, although single lines would be too late.
    answer = record(
        ward,
        form.number,
        sheet_id,
        ward.detail_draft("2"),
        ward.detail_draft("3", product_id=other),
        occurred_at=used_at,
    )
    assert [(line["quantity"], line["occurred_at"], line.get("form_id")) for line in answer["items"]] == [
        (Decimal(2), used_at, form.number),
        (Decimal(3), used_at, form.number),
    ]
    assert "total" not in answer["items"][0]
    assert {line["id"] for line in lines_of(ward, form.number)} == {line["id"] for line in answer["items"]}
    assert numbers_in(ward, FormState.OPEN) == []
    assert actions_about(ward, form.number) == ["form.recorded", "form.printed"]


def test_a_second_nurse_cannot_record_the_same_form(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    record(ward, form.number, sheet_id, key="of-the-first")
    with pytest.raises(Refused) as caught:
        record(ward, form.number, sheet_id, by=ward.supervisor, key="of-the-second")
    [reason] = caught.value.reasons
    assert (reason.code, reason.params) == (
        Code.FORM_RECORDED,
        {"number": form.number, "by": "Nuria Paz", "at": NOON, "sheet_id": sheet_id},
    )
    # The same request again has the same answer.
    assert len(record(ward, form.number, sheet_id, key="of-the-first")["items"]) == 1
    assert len(lines_of(ward, form.number)) == 1


def test_a_form_restored_as_open_is_not_recorded_twice(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    with ward.store.begin() as work:
        before = work.contingency_forms.get(form.number)
    assert before is not None
    record(ward, form.number, sheet_id)
    with ward.store.begin() as work:
        work.contingency_forms.save(before)
    for late in (False, True):
        with refused(Code.FORM_RECORDED_BEFORE):
            record(ward, form.number, sheet_id, by=ward.supervisor, as_late_entry=late)
        if not late:
            ward.use_cases.sheets.close(ward.admin, sheet_id)
    assert len(lines_of(ward, form.number)) == 1


def test_a_form_of_a_closed_sheet_becomes_a_late_entry(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        record(ward, form.number, sheet_id)
    answer = record(ward, form.number, sheet_id, as_late_entry=True)
    late_id = answer["late_entry_id"]
    assert late_id is not None
    assert (answer["items"], lines_of(ward, form.number)) == ([], [])
    with refused(Code.FORM_RECORDED):
        record(ward, form.number, sheet_id, by=ward.supervisor, as_late_entry=True)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una hoja de contingencia"))
    ward.use_cases.late_entries.record(ward.supervisor, late_id, RecordLateDraft())
    [line] = lines_of(ward, form.number)
    assert (line["user_id"], line["quantity"]) == (ward.nurse.user_id, Decimal(2))


def test_a_recalled_lot_of_a_form_needs_its_own_reason(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    ward.use_cases.recalls.open(
        ward.admin, RecallDraft(product_id=ward.product_id, lot="L-1", reason="Puntas que se parten")
    )
    other = ward.detail_draft("1", product_id=ward.product("Venda").id)
    recalled = ward.detail_draft("2", lot="L-1")
    with refused((Code.LOT_RECALLED, "items.1.lot")):
        record(ward, form.number, sheet_id, other, recalled)
    with refused((Code.LOT_RECALLED, "items.1.lot")):
        # To acknowledge it is not enough, also with the reason at another line.
        elsewhere = replace(other, recall_reason="Era el último")
        record(ward, form.number, sheet_id, elsewhere, recalled, acknowledged=("lot.recalled",))
    assert lines_of(ward, form.number) == []
    explained = replace(recalled, recall_reason="Era el último")
    record(ward, form.number, sheet_id, other, explained, acknowledged=("lot.recalled",))
    assert {(line["lot"], line["recall_reason"]) for line in lines_of(ward, form.number)} == {
        ("L-1", "Era el último"),
        (None, None),
    }


def test_a_late_form_keeps_its_lots(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    pack = ward.detail_draft("1", lot="L-1", serial="S-1")
    late_id = record(ward, form.number, sheet_id, pack, as_late_entry=True)["late_entry_id"]
    assert late_id is not None
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una hoja de contingencia"))
    ward.use_cases.late_entries.record(ward.supervisor, late_id, RecordLateDraft())
    [line] = lines_of(ward, form.number)
    assert (line["lot"], line["serial"]) == ("L-1", "S-1")


def test_everything_that_is_wrong_is_refused_together(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    with refused((Code.REQUIRED, "sheet_id"), (Code.REQUIRED, "occurred_at")):
        record(ward, form.number, None, occurred_at=None)
    with refused((Code.REFERENCE_UNKNOWN, "sheet_id")):
        record(ward, form.number, 999)
    with refused((Code.REQUIRED, "items")):
        record(ward, form.number, sheet_id, items=())
    wrong = (ward.detail_draft("1"), ward.detail_draft("1", product_id=999))
    with refused((Code.USED_IN_FUTURE, "occurred_at"), (Code.REFERENCE_UNKNOWN, "items.1.product_id")):
        record(ward, form.number, sheet_id, *wrong, occurred_at=NOON + timedelta(hours=1))
    with pytest.raises(NotFound):
        record(ward, 999_999, sheet_id)
    assert numbers_in(ward, FormState.OPEN) == [form.number]


def test_a_discarded_form_is_not_recorded(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    discard = ward.use_cases.contingency_forms.discard
    with refused((Code.REQUIRED, "reason")):
        discard(ward.supervisor, form.number, DiscardFormDraft(reason=" "))
    view = discard(ward.supervisor, form.number, DiscardFormDraft(reason="No se usó"))
    assert (view["state"], view["reason"], view["decided_at"]) == (FormState.DISCARDED, "No se usó", NOON)
    with refused(Code.FORM_DISCARDED):
        record(ward, form.number, sheet_id)
    with refused(Code.FORM_DISCARDED):
        discard(ward.supervisor, form.number, DiscardFormDraft(reason="Otra vez"))
    with pytest.raises(NotFound):
        discard(ward.supervisor, 999_999, DiscardFormDraft(reason="No se usó"))
    assert actions_about(ward, form.number) == ["form.discarded", "form.printed"]


def test_a_form_outlives_its_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    view = ward.use_cases.contingency_forms.read(ward.nurse, form.number)
    assert (view["sheet"], view["blank"]) == (None, False)
    other = ward.sheet()["id"]
    assert len(record(ward, form.number, other)["items"]) == 1


def test_open_forms_are_one_item_of_the_worklist(ward: Ward) -> None:
    before = ward.use_cases.reports.read_worklist.count(ward.supervisor)["count"]
    print_forms(ward, blank=2)
    print_forms(ward, blank=3, in_advance=True)
    view = ward.use_cases.reports.read_worklist(ward.supervisor)
    assert (view["open_forms"], view["count"]) == (2, before + 1)


def test_a_locked_session_reads_and_records_no_form(ward: Ward) -> None:

    locked = replace(ward.nurse, role=Role.USER, session_limits=(Limit.LOCKED,))
    sheet_id = ward.sheet()["id"]
    [form] = print_forms(ward, sheet_ids=(sheet_id,))

    with pytest.raises(Forbidden):
        record(ward, form.number, sheet_id, by=locked)
    with pytest.raises(Forbidden):
        ward.use_cases.contingency_forms.read(locked, form.number)
