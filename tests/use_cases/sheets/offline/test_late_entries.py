"""Entries that arrive after the closing.

They are neither lost nor recorded without a decision.
"""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.offline.late_entries import DismissDraft, LateEntryDraft, RecordLateDraft
from application.sheets.recalls import RecallDraft
from application.sheets.views import LateEntryView, SheetQuery
from domain.common.errors import ACKNOWLEDGEABLE, Code, NotFound, Refused
from domain.common.policy import Actor
from domain.sheets.late_entry import Decision
from tests.assertions import refused
from tests.builders import NOON, TODAY, Ward


def keep(
    ward: Ward, sheet_id: int, *drafts: DetailDraft, key: str = "k-1", by: Actor | None = None, **particulars: Any
) -> tuple[LateEntryView, bool]:
    """Submit a late entry; return it and whether it was a replay."""
    draft = LateEntryDraft(items=drafts or (ward.detail_draft("3"),), **{"occurred_at": NOON} | particulars)
    done = ward.use_cases.late_entries.submit(
        by or ward.nurse, sheet_id, draft, idempotency_key=IdempotencyKey(key, "whatever")
    )
    return done.answer, done.replayed


def a_closed_sheet(ward: Ward) -> int:
    sheet = ward.sheet()["id"]
    ward.detail(sheet)
    ward.use_cases.sheets.close(ward.admin, sheet)
    return sheet


def reopen(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Llegó tarde"))


def record(
    ward: Ward, late: int, *acknowledged: str, by: Actor | None = None, recall_reason: str = "R"
) -> LateEntryView:
    draft = RecordLateDraft(acknowledged=acknowledged, recall_reason=recall_reason)
    return ward.use_cases.late_entries.record(by or ward.supervisor, late, draft)


def dismiss(ward: Ward, late: int) -> LateEntryView:
    return ward.use_cases.late_entries.dismiss(ward.supervisor, late, DismissDraft(reason="Ya está en otra hoja"))


def codes(call: Any, *given: Any) -> list[Code]:
    with pytest.raises(Refused) as refused:
        call(*given)
    return [reason.code for reason in refused.value.reasons]


def lines(ward: Ward, sheet_id: int) -> list[DetailView]:
    with ward.store.read() as views:
        return views.details.page(DetailQuery(consumption_sheet_id=sheet_id))["items"]


def listed(ward: Ward, sheet_id: int) -> list[LateEntryView]:
    return ward.use_cases.late_entries.list(ward.supervisor, sheet_id)["items"]


def waiting(ward: Ward, sheet_id: int) -> int:
    """Count the open late entries of a sheet, which sheet and lists agree on."""
    with ward.store.read() as views:
        sheet = views.sheets.one(sheet_id)
        assert sheet is not None
        of_list = {one["id"]: one for one in views.sheets.page(SheetQuery(closed=sheet["closed"]))["items"]}
        assert of_list[sheet_id]["late_entries"] == sheet["late_entries"]
        late = {one["consumption_sheet_id"]: one for one in views.worklist.late(most=9)}
        assert late.get(sheet_id, {"entries": 0})["entries"] == sheet["late_entries"]
    return sheet["late_entries"]


def test_a_late_entry_waits_and_does_not_change_the_sheet(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    with ward.store.begin() as work:
        before = work.sheets.get(sheet)
    assert before is not None
    late, replayed = keep(ward, sheet)
    assert not replayed
    assert (late["by"], late["decision"], late["occurred_at"], late["arrived_at"]) == ("Nuria Paz", None, NOON, NOON)
    (item,) = late["items"]
    assert (item["product"], item["quantity"]) == ("Gasa estéril", Decimal(3))
    with ward.store.begin() as work:
        # Only the version grows, so that clients reload the sheet; the rest stays as it was closed.
        assert work.sheets.get(sheet) == replace(before, version=before.version + 1)
    assert len(lines(ward, sheet)) == 1
    assert (waiting(ward, sheet), listed(ward, sheet)) == (1, [late])
    dismiss(ward, late["id"])
    with ward.store.begin() as work:
        assert work.sheets.get(sheet) == replace(before, version=before.version + 2)


def test_the_same_key_keeps_one_late_entry_permanently(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    late, _ = keep(ward, sheet)
    ward.clock.advance(days=40)
    with ward.store.begin() as work:
        work.idempotency_store.purge(ward.clock.now, but=0)
    assert keep(ward, sheet) == (late, True)
    assert codes(partial(keep, ward, sheet, ward.detail_draft("4"))) == [Code.KEY_REUSED]
    # The same key of another user is another key.
    assert keep(ward, sheet, by=ward.supervisor)[1] is False
    dismiss(ward, late["id"])
    again, replayed = keep(ward, sheet)
    assert (again["id"], again["decision"], replayed) == (late["id"], Decision.DISMISSED, True)
    assert len(listed(ward, sheet)) == 2


def test_lines_recorded_before_the_closing_are_answered_again(ward: Ward) -> None:
    """A tablet that never got the answer sends the entry again.

    By then the sheet is closed and all stored answers are purged.
    """
    sheet_id = ward.sheet()["id"]
    one, other = IdempotencyKey("one", "x"), IdempotencyKey("other", "x")
    uc, drafts = ward.use_cases, DetailsDraft(items=(ward.detail_draft("2"), ward.detail_draft("3")))
    line = uc.details.add(ward.nurse, ward.detail_draft("1"), sheet_id=sheet_id, idempotency_key=one)
    lines = uc.details.record_many(ward.nurse, sheet_id, drafts, idempotency_key=other)
    uc.sheets.close(ward.nurse, sheet_id)
    with ward.store.begin() as work:
        work.idempotency_store.purge(ward.clock.advance(days=30), but=0)
    again = uc.details.add(ward.nurse, ward.detail_draft("1"), sheet_id=sheet_id, idempotency_key=one)
    assert (again.replayed, again.answer["id"]) == (True, line.answer["id"])
    all_again = uc.details.record_many(ward.nurse, sheet_id, drafts, idempotency_key=other)
    assert all_again.replayed
    assert [each["id"] for each in all_again.answer["items"]] == [each["id"] for each in lines.answer["items"]]
    for key in (one, other):
        with refused(Code.LATE_ENTRY_ENTERED):
            keep(ward, sheet_id, key=key.key)
    with refused(Code.SHEET_CLOSED):
        uc.details.add(
            ward.nurse, ward.detail_draft("1"), sheet_id=sheet_id, idempotency_key=IdempotencyKey("new", "x")
        )


def test_an_open_sheet_takes_lines_and_no_late_entry(ward: Ward) -> None:
    sheet = ward.sheet()["id"]
    assert codes(keep, ward, sheet) == [Code.SHEET_NOT_CLOSED]
    long_ago = NOON - timedelta(hours=73)
    assert codes(partial(keep, ward, sheet, by=ward.supervisor, occurred_at=long_ago)) == [Code.SHEET_NOT_CLOSED]
    keep(ward, sheet, occurred_at=long_ago)
    assert waiting(ward, sheet) == 1
    with pytest.raises(NotFound):
        keep(ward, 999)


def test_only_a_malformed_late_entry_is_refused(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    nothing = LateEntryDraft()
    call = partial(
        ward.use_cases.late_entries.submit, ward.nurse, sheet, nothing, idempotency_key=IdempotencyKey("k", "f")
    )
    assert codes(call) == [Code.REQUIRED, Code.REQUIRED]
    assert codes(partial(keep, ward, sheet, *[ward.detail_draft()] * 101)) == [Code.ITEMS_TOO_MANY]
    assert len(keep(ward, sheet, *[ward.detail_draft()] * 100, key="k-3")[0]["items"]) == 100
    assert codes(partial(keep, ward, sheet, DetailDraft())) == [Code.REQUIRED, Code.REQUIRED]
    late, _ = keep(ward, sheet, ward.detail_draft(product_id=999, staff_id=999, area_id=999, kit_id=None), kit_id=999)
    assert late["items"][0]["product"] is None
    # A time of use in the future, from a fast clock, becomes the current time.
    assert keep(ward, sheet, key="k-2", occurred_at=NOON + timedelta(days=3))[0]["occurred_at"] == NOON


def test_a_recorded_late_entry_keeps_author_and_time_of_use(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    used_at = NOON - timedelta(hours=1)
    drafts = (
        ward.detail_draft("3", staff_id=999),
        ward.detail_draft("2", product_id=ward.product("Venda").id, lot="L-9"),
    )
    late, _ = keep(ward, sheet, *drafts, occurred_at=used_at)
    ward.clock.advance(days=9)
    assert codes(record, ward, late["id"]) == [Code.SHEET_CLOSED]
    assert (len(lines(ward, sheet)), waiting(ward, sheet)) == (1, 1)
    reopen(ward, sheet)
    assert waiting(ward, sheet) == 1
    decided = record(ward, late["id"])
    assert (decided["decision"], decided["decided_by"]) == (Decision.RECORDED, "supervisor@consumo.test")
    venda, gauze = sorted(lines(ward, sheet), key=lambda line: line["id"])[-1:0:-1]
    for line in (venda, gauze):
        assert (line["user_id"], line["staff_id"]) == (ward.nurse.user_id, ward.nurse.staff_id)
        assert (line["occurred_at"], line["created_at"]) == (used_at, ward.clock.now)
    assert (gauze["quantity"], gauze["total"], venda["lot"]) == (Decimal(3), Decimal("37.50"), "L-9")
    assert waiting(ward, sheet) == 0
    with ward.store.begin() as work:
        kept = work.sheets.get(sheet)
        assert kept is not None
        assert kept.total == sum(detail.total for detail in work.details.on_sheet(sheet))


def test_a_recorded_late_entry_is_not_recorded_by_a_retry(ward: Ward) -> None:
    """Two tabs of a tablet send the same entry.

    One submits it as a late entry, the other sends it again after the sheet was reopened.
    """
    sheet_id = a_closed_sheet(ward)
    late, _ = keep(ward, sheet_id)
    reopen(ward, sheet_id)
    record(ward, late["id"])
    key = IdempotencyKey("k-1", "x")
    again = ward.use_cases.details.add(ward.nurse, ward.detail_draft("3"), sheet_id=sheet_id, idempotency_key=key)
    assert (again.replayed, len(lines(ward, sheet_id))) == (True, 2)


def test_a_late_entry_recorded_by_a_retry_is_not_recorded_again(ward: Ward) -> None:
    sheet_id = a_closed_sheet(ward)
    late, _ = keep(ward, sheet_id)
    reopen(ward, sheet_id)
    key = IdempotencyKey("k-1", "x")
    ward.use_cases.details.add(ward.nurse, ward.detail_draft("3"), sheet_id=sheet_id, idempotency_key=key)
    with refused(Code.LATE_ENTRY_ENTERED):
        record(ward, late["id"])
    assert len(lines(ward, sheet_id)) == 2


def test_deciding_twice_is_refused(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    first, second = (keep(ward, sheet, key=key)[0]["id"] for key in ("k-1", "k-2"))
    reopen(ward, sheet)
    record(ward, first)
    dismiss(ward, second)
    for late in (first, second):
        assert codes(record, ward, late) == codes(dismiss, ward, late) == [Code.LATE_ENTRY_DECIDED]
    assert len(lines(ward, sheet)) == 2
    for call in (record, dismiss):
        with pytest.raises(NotFound):
            call(ward, 999)
    assert [late["reason"] for late in listed(ward, sheet)] == [None, "Ya está en otra hoja"]


def test_a_refused_late_entry_records_none_of_its_lines(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    product = ward.product("Venda")
    drafts = (ward.detail_draft(), ward.detail_draft(product_id=product.id, lot="L-1"))
    late, _ = keep(ward, sheet, *drafts)
    ward.use_cases.recalls.open(ward.admin, RecallDraft(product_id=product.id, lot="L-1", reason="Empaque"))
    reopen(ward, sheet)
    assert codes(record, ward, late["id"]) == [Code.LOT_RECALLED]
    with refused((Code.LOT_RECALLED, "items.1.lot")):
        record(ward, late["id"], "lot.recalled", recall_reason="")
    assert (len(lines(ward, sheet)), waiting(ward, sheet)) == (1, 1)
    record(ward, late["id"], "lot.recalled", recall_reason="Ya estaba abierto")
    assert [line["recall_reason"] for line in lines(ward, sheet) if line["lot"]] == ["Ya estaba abierto"]
    assert (len(lines(ward, sheet)), waiting(ward, sheet)) == (3, 0)


QUESTIONS: dict[Code, dict[str, Any]] = {
    Code.USED_BEFORE_ADMISSION: {"occurred_at": NOON - timedelta(days=2)},
    Code.LOT_EXPIRED: {"expiry": TODAY - timedelta(days=1)},
    Code.LOT_RECALLED: {"lot": "L-1"},
    Code.LOT_REQUIRED: {"lot": None},
    Code.SERIAL_REQUIRED: {"serial": None},
    Code.SERIAL_USED: {"serial": "S-1"},
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("author", ["nurse", "supervisor"])
def test_the_person_who_records_answers_every_question(ward: Ward, question: Code, author: str) -> None:
    """Acknowledgements by the author do not count: nothing was checked then."""
    sheet = ward.sheet()["id"]
    product = ward.product("Válvula", asks_lot=1, asks_serial=1)
    plain = {"product_id": product.id, "lot": "L-0", "serial": "S-0"}
    ward.detail(sheet, product_id=product.id, lot="L-0", serial="S-1")
    ward.use_cases.recalls.open(ward.admin, RecallDraft(product_id=product.id, lot="L-1", reason="Empaque"))
    ward.use_cases.sheets.close(ward.admin, sheet)
    changed = dict(QUESTIONS[question])
    moment = {"occurred_at": changed.pop("occurred_at")} if "occurred_at" in changed else {}
    draft = ward.detail_draft("1", **plain | changed, acknowledged=tuple(ACKNOWLEDGEABLE))
    late, _ = keep(ward, sheet, draft, by=getattr(ward, author), **moment)
    # The question is shown while the sheet is still closed, as it may decide whether to reopen it.
    assert questions(listed(ward, sheet)) == [question]
    reopen(ward, sheet)
    (error,) = listed(ward, sheet)[0]["errors"]
    assert (error["field"], error["acknowledgeable"]) == (f"items.0.{FIELDS.get(question, 'lot')}", True)
    others = tuple(code for code in ACKNOWLEDGEABLE if code is not question)
    assert codes(record, ward, late["id"], *others) == [question]
    assert (len(lines(ward, sheet)), waiting(ward, sheet)) == (1, 1)
    decided = record(ward, late["id"], question)
    assert "errors" not in decided
    assert "errors" not in listed(ward, sheet)[0]
    recorded = max(lines(ward, sheet), key=lambda line: line["id"])
    assert recorded["acknowledged"] == [question]


def test_the_list_of_late_entries_shows_their_errors(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    product = ward.product("Venda")
    keep(ward, sheet, ward.detail_draft(), ward.detail_draft(product_id=product.id), ward.detail_draft(product_id=999))
    assert questions(listed(ward, sheet)) == [Code.REFERENCE_UNKNOWN]
    assert [error["field"] for error in listed(ward, sheet)[0]["errors"]] == ["items.2.product_id"]


def questions(items: list[LateEntryView]) -> list[Code]:
    return [error["code"] for item in items for error in item.get("errors", [])]


FIELDS = {
    Code.USED_BEFORE_ADMISSION: "occurred_at",
    Code.LOT_EXPIRED: "expiry",
    Code.SERIAL_REQUIRED: "serial",
    Code.SERIAL_USED: "serial",
}


def test_the_sheet_history_has_late_entries(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    first, second = (keep(ward, sheet, key=key)[0]["id"] for key in ("k-1", "k-2"))
    dismiss(ward, second)
    reopen(ward, sheet)
    record(ward, first)
    with ward.store.read() as views:
        reported = views.audit.page(AuditQuery(sheet_id=sheet))["items"]
    assert [entry["action"] for entry in reported][:6] == [
        "late_entry.recorded",
        "detail.added",
        "sheet.reopened",
        "late_entry.dismissed",
        "late_entry.arrived",
        "late_entry.arrived",
    ]
    # The decision is by the supervisor, the use by the nurse.
    assert reported[1]["user"] is not None
    assert reported[1]["user"]["id"] == ward.supervisor.user_id
    assert reported[1]["changes"]["user_id"] == [None, ward.nurse.user_id]


def test_deleting_the_sheet_deletes_its_late_entries(ward: Ward) -> None:
    sheet = a_closed_sheet(ward)
    late, _ = keep(ward, sheet)
    ward.use_cases.sheets.delete(ward.admin, sheet)
    with pytest.raises(NotFound):
        dismiss(ward, late["id"])
    with pytest.raises(NotFound):
        listed(ward, sheet)
