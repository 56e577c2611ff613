"""Implants, their register and the patient's card."""

from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.products import ProductDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.implant_views import ImplantCardView, ImplantView
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.recorder import ExternalOrigin, Recording
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.offline.late_entries import LateEntryDraft, RecordLateDraft
from application.sheets.offline.unlisted_items import ResolveDraft, UnlistedItemDraft
from domain.common.errors import Code, Forbidden, NotFound, Refused
from domain.common.policy import Actor, Permission, Role
from tests.assertions import refused
from tests.builders import TODAY, Ward

GTIN = "07501234567893"


REASON = "La etiqueta no lo trae"


INCOMPLETE = Code.IMPLANT_INCOMPLETE


WITH_REASON: dict[str, Any] = {"acknowledged": (INCOMPLETE,), "implant_reason": REASON}


WHOLE: dict[str, Any] = {"lot": "L-1", "serial": "S-1"}


@pytest.fixture
def pacemaker(ward: Ward) -> int:
    return ward.product("Marcapasos", "31.37", implant=True, gtin=GTIN, asks_lot=True, asks_serial=True).id


def register(ward: Ward, actor: Actor | None = None, **asked: Any) -> list[ImplantView]:
    return ward.use_cases.implants.list.page(actor or ward.supervisor, DetailQuery(**asked))["items"]


def card(ward: Ward, sheet_id: int) -> ImplantCardView:
    return ward.use_cases.implants.print_card(ward.supervisor, sheet_id)


def lines(ward: Ward, sheet_id: int) -> list[DetailView]:
    with ward.store.read() as views:
        return views.details.page(DetailQuery(consumption_sheet_id=sheet_id))["items"]


def questions(refusal: pytest.ExceptionInfo[Refused]) -> list[tuple[Code, str | None, dict[str, object]]]:
    return [(reason.code, reason.field, dict(reason.params)) for reason in refusal.value.reasons]


# --- the question ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pack", "field"), [({}, "lot"), ({"serial": "S1"}, "lot"), ({"lot": "L1"}, "serial")])
def test_an_implant_is_asked_about_once(ward: Ward, pacemaker: int, pack: dict[str, Any], field: str) -> None:
    sheet_id = ward.sheet()["id"]
    for answer in ((), (INCOMPLETE,), (Code.LOT_REQUIRED, Code.SERIAL_REQUIRED)):
        with pytest.raises(Refused) as refusal:
            ward.detail(sheet_id, product_id=pacemaker, acknowledged=answer, **pack)
        assert questions(refusal) == [(INCOMPLETE, field, {"product": f"Marcapasos · {GTIN}", **pack})]
        assert refusal.value.reasons[0].acknowledgeable
    line = ward.detail(sheet_id, product_id=pacemaker, **WITH_REASON, **pack)
    assert (line["acknowledged"], line["implant_reason"]) == ([INCOMPLETE], REASON)
    assert "warnings" not in line
    assert ward.use_cases.details.reader.one(ward.admin, line["id"])["implant_reason"] == REASON


def test_lot_and_serial_number_of_a_scan_answer_the_question(ward: Ward, pacemaker: int) -> None:
    scan = f"]d201{GTIN}10AB-12" + "\x1d21SER9"
    line = ward.detail(ward.sheet()["id"], product_id=pacemaker, scan=scan, acknowledged=())
    assert (line["lot"], line["serial"], line["acknowledged"]) == ("AB-12", "SER9", [])
    # A reason counts only for what is missing.
    line = ward.detail(ward.sheet()["id"], product_id=pacemaker, lot="L", serial="S", implant_reason=REASON)
    assert line["implant_reason"] is None


def test_other_products_are_not_asked_for_a_reason(ward: Ward) -> None:
    line = ward.detail(ward.sheet()["id"], acknowledged=(), implant_reason=REASON)
    assert (line["implant_reason"], line["product"]["implant"]) == (None, False)


def test_clients_that_cannot_answer_record_with_a_warning(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, product_id=pacemaker, lot="L1")
    [warning] = line["warnings"]
    assert warning == {"code": INCOMPLETE, "product": f"Marcapasos · {GTIN}", "lot": "L1"}
    assert [one["id"] for one in register(ward, incomplete=True)] == [line["id"]]
    several = ward.details(sheet_id, ward.detail_draft(), ward.detail_draft(product_id=pacemaker))
    assert len(several) == 2
    other = ward.sheet()["id"]
    assert "warnings" not in ward.detail(other, product_id=pacemaker, implant_reason=REASON)


def test_lines_of_other_systems_are_listed_as_incomplete(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    draft = DetailDraft(product_id=pacemaker, quantity=Decimal(1), acknowledged=())
    with ward.store.begin() as work:
        recording = Recording(sheet_id=sheet_id, items=[draft], external=ExternalOrigin(ward.clock(), None))
        ward.use_cases.details.add.record_in(work, ward.admin, recording)
    [implant] = register(ward)
    assert (implant["missing"], implant["implant_reason"]) == ("lot_and_serial", None)


def test_several_implants_need_a_reason_each(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    asked = ward.detail_draft(product_id=pacemaker, acknowledged=(INCOMPLETE,))
    answered = ward.detail_draft(product_id=pacemaker, **WITH_REASON)
    with refused((INCOMPLETE, "items.1.lot")):
        ward.details(sheet_id, answered, asked)
    assert lines(ward, sheet_id) == []
    assert [line["implant_reason"] for line in ward.details(sheet_id, answered, answered)] == [REASON] * 2


def test_late_entries_keep_their_reason(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    late_entries = ward.use_cases.late_entries
    draft = LateEntryDraft(items=(ward.detail_draft(product_id=pacemaker, **WITH_REASON),), occurred_at=ward.clock())
    key = IdempotencyKey(key="k", fingerprint="x")
    late = late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=key).answer
    [item] = late_entries.list(ward.supervisor, sheet_id)["items"]
    assert [error["code"] for error in item["errors"]] == [INCOMPLETE]
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Llegó tarde"))
    with refused((INCOMPLETE, "items.0.lot")):
        late_entries.record(ward.supervisor, late["id"], RecordLateDraft(acknowledged=()))
    late_entries.record(ward.supervisor, late["id"], RecordLateDraft(acknowledged=(INCOMPLETE,)))
    assert [line["implant_reason"] for line in lines(ward, sheet_id)] == [REASON]


def test_an_unlisted_item_that_is_an_implant_needs_a_reason(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    noted = UnlistedItemDraft(description="Marcapasos nuevo", quantity=Decimal(1))
    key = IdempotencyKey(key="k", fingerprint="x")
    item = ward.use_cases.unlisted_items.note(ward.nurse, sheet_id, noted, idempotency_key=key).answer
    resolve = ward.use_cases.unlisted_items.resolve
    with refused((INCOMPLETE, "lot")):
        resolve(ward.supervisor, item["id"], ResolveDraft(product_id=pacemaker, acknowledged=()))
    resolve(ward.supervisor, item["id"], ResolveDraft(product_id=pacemaker, **WITH_REASON))
    assert [one["implant_reason"] for one in register(ward)] == [REASON]


# --- changes ---------------------------------------------------------------------------------------------------------


def test_an_edit_completes_an_implant_and_drops_the_reason(ward: Ward, pacemaker: int) -> None:
    line = ward.detail(ward.sheet()["id"], product_id=pacemaker, **WITH_REASON)
    edit = ward.use_cases.details.edit
    same = DetailDraft(product_id=pacemaker, quantity=Decimal(1), area_id=ward.area_id, sent_fields=frozenset())
    assert edit(ward.supervisor, line["id"], same)["implant_reason"] == REASON
    half = DetailDraft(product_id=pacemaker, quantity=Decimal(1), lot="L1", sent_fields=frozenset({"lot"}))
    with refused((INCOMPLETE, "serial")):
        edit(ward.supervisor, line["id"], DetailDraft(**_fields(half) | {"acknowledged": ()}))
    assert edit(ward.supervisor, line["id"], half)["implant_reason"] == REASON
    whole = DetailDraft(product_id=pacemaker, quantity=Decimal(1), serial="S1", sent_fields=frozenset({"serial"}))
    edited = edit(ward.supervisor, line["id"], whole)
    assert (edited["lot"], edited["serial"], edited["implant_reason"]) == ("L1", "S1", None)
    assert register(ward, incomplete=True) == []


def _fields(draft: DetailDraft) -> dict[str, Any]:
    names = ("product_id", "quantity", "lot", "sent_fields")
    return {name: getattr(draft, name) for name in names}


def test_a_correction_keeps_the_reason(ward: Ward, pacemaker: int) -> None:
    line = ward.detail(ward.sheet()["id"], "2", product_id=pacemaker, lot="L1", **WITH_REASON)
    draft = CorrectionDraft(quantity=Decimal(1))
    corrected = ward.use_cases.details.correct(ward.admin, line["id"], draft, reason="Era uno").answer
    assert (corrected["lot"], corrected["implant_reason"]) == ("L1", REASON)


# --- the closing -----------------------------------------------------------------------------------------------------


def test_closing_names_implants_but_does_not_block(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, product_id=pacemaker, **WHOLE)
    answered = ward.detail(sheet_id, product_id=pacemaker, **WITH_REASON)["id"]
    summary = ward.use_cases.sheets.summarize(ward.nurse, sheet_id)
    assert [(one["id"], one["implant_reason"]) for one in summary["incomplete_implants"]] == [(answered, REASON)]
    ward.use_cases.sheets.close(ward.nurse, sheet_id)

    sheet_id = ward.sheet()["id"]
    open_question = ward.detail(sheet_id, product_id=pacemaker, lot="L2")["id"]
    ward.use_cases.details.delete(ward.admin, ward.detail(sheet_id, product_id=pacemaker)["id"])
    [named] = ward.use_cases.sheets.summarize(ward.nurse, sheet_id)["incomplete_implants"]
    assert (named["id"], named["lot"], named["serial"], named["implant_reason"]) == (open_question, "L2", None, None)
    with pytest.raises(Refused) as refusal:
        ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert questions(refusal) == [(Code.IMPLANTS_INCOMPLETE, None, {"count": 1, "names": "Marcapasos"})]
    closed = ward.use_cases.sheets.close(ward.nurse, sheet_id, acknowledged=(Code.IMPLANTS_INCOMPLETE,))
    assert closed["closed"]


def test_the_card_has_what_the_closing_froze(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    ward.detail(sheet_id, product_id=pacemaker, **WHOLE)
    screw = ward.product("Tornillo", implant=True).id
    ward.detail(sheet_id, "2", product_id=screw, lot="T1", **WITH_REASON)
    back = ward.detail(sheet_id, product_id=screw, lot="T2", **WITH_REASON)["id"]
    ward.use_cases.details.delete(ward.admin, back)
    returned = ward.detail(sheet_id, "1", product_id=screw, lot="T3", **WITH_REASON)["id"]
    ward.use_cases.details.return_part(ward.admin, returned, ReturnDraft(quantity=Decimal(1), reason="unused"))
    with refused(Code.SHEET_NOT_CLOSED):
        card(ward, sheet_id)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    before = card(ward, sheet_id)
    changed = ProductDraft(name="Otro", price=Decimal(1), category_id=ward.category_id, implant=False, gtin=None)
    ward.use_cases.products.update(ward.admin, pacemaker, changed)
    assert card(ward, sheet_id)["implants"] == before["implants"]
    first, second = before["implants"]
    assert (first["product"], first["lot"], first["serial"], first["day"]) == ("Marcapasos", "L-1", "S-1", TODAY)
    assert first["udi"] == f"(01){GTIN}(10)L-1(21)S-1"
    assert first["symbol"] == f"01{GTIN}10L-1\x1d21S-1"
    assert (second["quantity"], second["lot"], second["implant_reason"]) == (Decimal(2), "T1", REASON)
    assert (second["udi"], second["has_gtin"], second["symbol"]) == ("(10)T1", False, None)
    entry = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="sheet.implants_printed"))["items"][0]
    assert entry["entity_id"] == sheet_id
    assert entry["user"] is not None
    assert entry["user"]["id"] == ward.supervisor.user_id


def test_a_closing_without_implants_has_no_card(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.IMPLANTS_NONE):
        card(ward, sheet_id)
    with pytest.raises(NotFound):
        card(ward, 999)


# --- the register ----------------------------------------------------------------------------------------------------


def test_reading_the_register_is_logged_and_needs_permission(ward: Ward, pacemaker: int) -> None:
    ward.detail(ward.sheet()["id"], product_id=pacemaker, **WHOLE)
    assert [implant["udi"] for implant in register(ward)] == [f"(01){GTIN}(10)L-1(21)S-1"]
    register(ward, patient_id=ward.patient_id)
    list(ward.use_cases.implants.list.iterate(ward.supervisor, DetailQuery()))
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(limit=3))["items"]
    assert {entry["action"] for entry in entries} == {"implant.listed", "patient.sheets_listed", "implant.exported"}
    with pytest.raises(Forbidden):
        register(ward, ward.nurse)
    with pytest.raises(Forbidden):
        ward.use_cases.implants.print_card(ward.nurse, 1)
    program = Actor(user_id=1, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=frozenset({Permission.READ_IMPLANTS}))
    assert len(register(ward, program)) == 1
