"""What others changed on a user's lines."""

from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.sheets.detail_views import DetailView
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.notice_views import NoticeView
from application.sheets.notices import SeenDraft
from domain.common.errors import Code, Refused
from domain.common.policy import Actor
from tests.assertions import refused
from tests.builders import Ward


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def unseen(ward: Ward, by: Actor | None = None) -> list[NoticeView]:
    return ward.use_cases.reports.list_notices(by or ward.nurse)["items"]


def edit(ward: Ward, line: DetailView, by: Actor | None = None, **fields: Any) -> None:
    given: dict[str, Any] = {"product_id": ward.product_id, "quantity": line["quantity"]}
    ward.use_cases.details.edit(by or ward.supervisor, line["id"], DetailDraft(**given | fields))


def correct(ward: Ward, line: DetailView, quantity: str, by: Actor | None = None) -> DetailView:
    draft = CorrectionDraft(quantity=Decimal(quantity))
    return ward.use_cases.details.correct(by or ward.supervisor, line["id"], draft, reason="Corregida").answer


def see(ward: Ward, *ids: int, by: Actor | None = None) -> None:
    ward.use_cases.reports.mark_notices_seen(by or ward.nurse, SeenDraft(ids=ids))


def test_notices_name_patients_so_reading_them_is_logged(ward: Ward, sheet_id: int) -> None:
    def readers() -> list[int | None]:
        with ward.store.read() as views:
            entries = views.audit.page(AuditQuery(action="notice.listed"))["items"]
        return [entry["user"] and entry["user"]["id"] for entry in entries]

    line = ward.detail(sheet_id, by=ward.nurse)
    assert (unseen(ward), readers()) == ([], [])
    edit(ward, line, quantity=Decimal(2))
    assert len(unseen(ward)) == 1
    assert readers() == [ward.nurse.user_id]


def test_a_correction_is_one_notice_with_both_quantities(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "11", by=ward.nurse)
    at = ward.clock.advance(minutes=3)
    corrected = correct(ward, line, "1")
    gauze = {"id": ward.product_id, "name": "Gasa estéril", "code": None, "unit": None}
    ana = {"id": ward.patient_id, "name": "Ana", "first_surname": "Ríos", "second_surname": None}
    [notice] = unseen(ward)
    assert {name: value for name, value in notice.items() if name != "id"} == {
        "kind": "quantity_corrected",
        "at": at,
        "by": "supervisor@consumo.test",
        "seen_at": None,
        "sheet": {"id": sheet_id, "closed": False, "patient": ana, "room": "101"},
        "moved_from": None,
        "detail_id": corrected["id"],
        "product": gauze,
        "quantity": Decimal(11),
        "new_product": gauze,
        "new_quantity": Decimal(1),
    }


def test_voided_lines_are_notices_for_their_authors(ward: Ward, sheet_id: int) -> None:
    lines = [ward.detail(sheet_id, "2", by=by)["id"] for by in (ward.nurse, ward.nurse, ward.admin)]
    draft = VoidDraft(ids=tuple(lines), reason="Equivocadas")
    ward.use_cases.details.void.several(ward.supervisor, draft)
    assert [(one["kind"], one["detail_id"]) for one in unseen(ward)] == [("voided", lines[1]), ("voided", lines[0])]
    assert {one["new_quantity"] for one in unseen(ward)} == {None}
    assert [one["detail_id"] for one in unseen(ward, ward.admin)] == lines[2:]


def test_deleting_a_line_leaves_a_notice_too(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, by=ward.nurse)
    ward.use_cases.details.delete(ward.supervisor, line["id"])
    assert [one["kind"] for one in unseen(ward)] == ["voided"]


def test_a_move_names_both_sheets(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2", by=ward.nurse)
    luis = ward.patient("Luis", "Gil")
    target = ward.sheet(patient_id=luis.id)["id"]
    draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=target, reason="Otro paciente")
    ward.use_cases.details.move(ward.supervisor, sheet_id, draft)
    [notice] = unseen(ward)
    assert (notice["kind"], notice["quantity"], notice["new_quantity"]) == ("moved", Decimal(2), Decimal(2))
    assert notice["moved_from"]
    assert notice["sheet"]["patient"]
    assert notice["moved_from"]["patient"]
    assert (notice["sheet"]["id"], notice["sheet"]["patient"]["name"]) == (target, "Luis")
    assert (notice["moved_from"]["id"], notice["moved_from"]["patient"]["name"]) == (sheet_id, "Ana")
    # The sheet from which it was moved may be deleted, and the line's notice goes with its own sheet.
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert [one["moved_from"] for one in unseen(ward)] == [None]
    ward.use_cases.sheets.delete(ward.admin, target)
    assert unseen(ward) == []


def test_returns_and_edits_leave_notices(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "5", by=ward.nurse)
    ward.use_cases.details.return_part(ward.supervisor, line["id"], ReturnDraft(quantity=Decimal(2), reason="unused"))
    edit(ward, line, quantity=Decimal(4))
    other = ward.product("Venda")
    edit(ward, line, product_id=other.id, quantity=Decimal(6))
    told = [(one["kind"], one["quantity"], one["new_quantity"]) for one in unseen(ward)]
    assert told == [
        ("product_corrected", Decimal(4), Decimal(6)),
        ("quantity_corrected", Decimal(3), Decimal(4)),
        ("returned", Decimal(5), Decimal(3)),
    ]
    latest = unseen(ward)[0]
    assert latest["product"]
    assert latest["new_product"]
    assert (latest["product"]["name"], latest["new_product"]["name"]) == ("Gasa estéril", "Venda")


def test_a_change_of_price_alone_leaves_no_notice(ward: Ward, sheet_id: int) -> None:
    lines = [ward.detail(sheet_id, "2", by=by) for by in (ward.nurse, ward.supervisor)]
    for line in lines:
        edit(ward, line, by=ward.admin, total=Decimal(7))
    assert unseen(ward) == unseen(ward, ward.supervisor) == []


def test_own_and_refused_changes_leave_no_notice(ward: Ward, sheet_id: int) -> None:
    line = correct(ward, ward.detail(sheet_id, "2", by=ward.nurse), "3", by=ward.nurse)
    edit(ward, ward.detail(sheet_id, "2", by=ward.supervisor), quantity=Decimal(9))
    with pytest.raises(Refused):
        correct(ward, line, "0")
    assert unseen(ward) == unseen(ward, ward.supervisor) == []


def test_no_ids_and_too_many_ids_are_refused(ward: Ward) -> None:
    with refused((Code.REQUIRED, "ids")):
        see(ward)
    with refused((Code.ITEMS_TOO_MANY, "ids")):
        see(ward, *range(1, 102))
