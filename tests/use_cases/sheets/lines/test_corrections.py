"""Voiding, moving and returning lines.

Nothing is deleted, and every total stays the sum of the lines that count.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.products import ProductDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailQuery, DetailView, Voided
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import Code, NotFound, VersionConflict
from domain.common.policy import Actor
from tests.assertions import refused
from tests.builders import TODAY, Ward

SLIP = VoidDraft(reason="Producto equivocado")


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def listed(ward: Ward, voided: Voided | None = None, **asked: Any) -> list[DetailView]:
    return ward.use_cases.details.reader.page(ward.admin, DetailQuery(voided=voided, **asked))["items"]


def total(ward: Ward, sheet_id: int) -> Decimal:
    return ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]


def story(ward: Ward, sheet_id: int) -> list[str]:
    entries = ward.use_cases.sheets.read_history(ward.admin, sheet_id, AuditQuery(limit=100))["items"]
    return [entry["action"] for entry in reversed(entries) if not entry["action"].endswith(".read")]


def faults(ward: Ward) -> list[Any]:
    return list(ward.use_cases.reports.check_consistency())


# --- voiding ---------------------------------------------------------------------------------------------------------


def test_a_voided_line_cannot_be_changed_again(ward: Ward, sheet_id: int) -> None:
    slip = ward.detail(sheet_id)
    ward.use_cases.details.void(ward.admin, slip["id"], SLIP)
    with refused(Code.DETAIL_VOIDED):
        ward.use_cases.details.void(ward.admin, slip["id"], SLIP)
    with refused(Code.DETAIL_VOIDED):
        ward.use_cases.details.return_part(ward.admin, slip["id"], ReturnDraft(quantity=Decimal(1), reason="unused"))
    with refused((Code.DETAIL_VOIDED, "detail_ids")):
        moved(ward, sheet_id, ward.sheet()["id"], slip)
    with pytest.raises(NotFound):
        ward.use_cases.details.edit(ward.admin, slip["id"], ward.detail_draft("2"))
    assert total(ward, sheet_id) == 0


def test_voiding_needs_a_reason_and_the_current_version(ward: Ward, sheet_id: int) -> None:
    slip = ward.detail(sheet_id)
    with refused((Code.REQUIRED, "reason")):
        ward.use_cases.details.void(ward.admin, slip["id"], VoidDraft(reason=" "))
    with refused((Code.TEXT_TOO_LONG, "reason")):
        ward.use_cases.details.void(ward.admin, slip["id"], VoidDraft(reason="x" * 501))
    with pytest.raises(VersionConflict):
        ward.use_cases.details.void(ward.admin, slip["id"], SLIP, frozenset({2}))
    with refused(Code.DETAIL_NOT_OWN):
        ward.use_cases.details.void(ward.nurse, slip["id"], SLIP)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        ward.use_cases.details.void(ward.admin, slip["id"], SLIP)
    with pytest.raises(NotFound):
        ward.use_cases.details.void(ward.admin, slip["id"] + 99, SLIP)


def test_several_lines_are_voided_all_or_none(ward: Ward, sheet_id: int) -> None:
    lines = [ward.detail(sheet_id)["id"] for _ in range(3)]
    elsewhere = ward.detail(ward.sheet()["id"])["id"]
    with refused((Code.REFERENCE_GONE, "ids")):
        ward.use_cases.details.void.several(ward.admin, VoidDraft(ids=(*lines, elsewhere), reason="Repetidas"))
    with refused((Code.REQUIRED, "ids")):
        ward.use_cases.details.void.several(ward.admin, VoidDraft(ids=(), reason="Repetidas"))
    with refused((Code.ITEMS_TOO_MANY, "ids")):
        ward.use_cases.details.void.several(ward.admin, VoidDraft(ids=tuple(range(1, 102)), reason="Repetidas"))
    assert listed(ward, Voided.ONLY) == []
    ids = (lines[2], lines[0], lines[2])
    answer = ward.use_cases.details.void.several(ward.admin, VoidDraft(ids=ids, reason="Repetidas"))
    assert [line["id"] for line in answer["items"]] == [lines[0], lines[2]]
    assert [line["id"] for line in listed(ward, consumption_sheet_id=sheet_id)] == [lines[1]]
    assert faults(ward) == []


# --- idempotency without a time limit --------------------------------------------------------------------------------


def test_a_retry_after_the_answers_were_purged_records_nothing(ward: Ward, sheet_id: int) -> None:
    key = IdempotencyKey("k-1", "body")
    draft = ward.detail_draft("2")
    first = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    forget_answers(ward)
    again = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    assert (again.replayed, again.answer["id"]) == (True, first.answer["id"])
    # The same key of another user is another key.
    other = ward.use_cases.details.add(ward.supervisor, draft, sheet_id=sheet_id, idempotency_key=key)
    assert (other.replayed, len(listed(ward))) == (False, 2)

    # A tablet that was off for two weeks sends a line that was voided in the meantime: the answer shows that.
    ward.use_cases.details.void(ward.nurse, first.answer["id"], SLIP)
    ward.clock.advance(days=14)
    forget_answers(ward)
    again = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    assert again.replayed
    assert again.answer["voided"]["reason"] == "Producto equivocado"
    assert len(listed(ward, Voided.INCLUDE)) == 2
    assert faults(ward) == []


def forget_answers(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.idempotency_store.purge(ward.clock.now + timedelta(days=1), but=0)


# --- moving ----------------------------------------------------------------------------------------------------------


def moved(ward: Ward, source: int, target: int, *lines: DetailView, by: Actor | None = None, **more: Any) -> Any:
    ids = tuple(line["id"] for line in lines)
    draft = MoveDraft(detail_ids=ids, to_sheet_id=target, reason="Otro paciente", **more)
    return ward.use_cases.details.move(by or ward.admin, source, draft)


def test_a_moved_line_keeps_its_data(ward: Ward, sheet_id: int) -> None:
    target = ward.sheet()["id"]
    stays = ward.detail(sheet_id, "1")
    ward.clock.advance(hours=1)
    line = ward.detail(sheet_id, "2", by=ward.nurse, lot="L-1")
    answer = moved(ward, sheet_id, target, line)
    assert answer["from"] == {"id": sheet_id, "version": 4, "total": Decimal("12.50")}
    assert answer["to"] == {"id": target, "version": 2, "total": Decimal("25.00")}
    [there] = listed(ward, consumption_sheet_id=target)
    assert answer["moved"] == [there]
    assert there == {**line, "consumption_sheet_id": target, "version": 2, **priced(there)}
    assert [one["id"] for one in listed(ward, consumption_sheet_id=sheet_id)] == [stays["id"]]
    assert story(ward, sheet_id)[-1] == "detail.moved_away"
    assert story(ward, target) == ["sheet.opened", "detail.moved_here"]
    assert faults(ward) == []


def priced(line: DetailView) -> dict[str, Any]:
    """Return the fields of a line that ward staff do not see."""
    return {name: line[name] for name in ("total", "unit_price", "unbilled", "product") if name in line}


def test_ward_staff_move_their_own_lines_and_see_no_total(ward: Ward, sheet_id: int) -> None:
    target = ward.sheet()["id"]
    own, others = ward.detail(sheet_id, by=ward.nurse), ward.detail(sheet_id)
    with refused((Code.DETAIL_NOT_OWN, "detail_ids")):
        moved(ward, sheet_id, target, own, others, by=ward.nurse)
    answer = moved(ward, sheet_id, target, own, by=ward.nurse)
    assert (answer["from"], answer["to"]) == ({"id": sheet_id, "version": 4}, {"id": target, "version": 2})


def test_an_invalid_move_is_refused_and_moves_nothing(ward: Ward, sheet_id: int) -> None:
    line, target = ward.detail(sheet_id), ward.sheet()["id"]
    with refused((Code.TARGET_SAME, "to_sheet_id")):
        moved(ward, sheet_id, sheet_id, line)
    with refused((Code.REFERENCE_UNKNOWN, "to_sheet_id")):
        moved(ward, sheet_id, target + 99, line)
    with refused((Code.REFERENCE_GONE, "detail_ids")):
        moved(ward, target, sheet_id, line)
    with pytest.raises(NotFound):
        moved(ward, target + 99, sheet_id, line)
    ward.use_cases.sheets.close(ward.admin, target)
    with refused((Code.TARGET_CLOSED, "to_sheet_id")):
        moved(ward, sheet_id, target, line)
    ward.use_cases.sheets.reopen(ward.admin, target, ReopenDraft(reason="Falta una línea"))
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        moved(ward, sheet_id, target, line)
    assert faults(ward) == []


def test_moving_to_before_the_admission_needs_acknowledgement(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, by=ward.nurse)
    ward.clock.advance(days=1)
    later = ward.sheet(admission_date=TODAY + timedelta(days=1))["id"]
    for who in (ward.nurse, ward.admin):
        with refused((Code.USED_BEFORE_ADMISSION, "to_sheet_id")):
            moved(ward, sheet_id, later, line, by=who)
    with refused((Code.USED_BEFORE_ADMISSION, "to_sheet_id")):
        moved(ward, sheet_id, later, line, by=ward.nurse, acknowledged=("moment.before_admission",))
    moved(ward, sheet_id, later, line, acknowledged=("moment.before_admission",))
    [there] = listed(ward, consumption_sheet_id=later)
    assert there["acknowledged"] == [Code.USED_BEFORE_ADMISSION]


# --- returns ---------------------------------------------------------------------------------------------------------


def returned(ward: Ward, line: DetailView, quantity: str, *, by: Actor | None = None, **more: Any) -> DetailView:
    draft = ReturnDraft(quantity=Decimal(quantity), **{"reason": "unused", **more})
    return ward.use_cases.details.return_part(by or ward.admin, line["id"], draft).answer


def test_a_return_uses_the_price_of_the_line(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "10")
    ward.use_cases.products.update(ward.admin, ward.product_id, ward_product(ward, "99.00"))
    view = returned(ward, line, "2.5", by=ward.nurse, note="Sin abrir")
    assert (view["quantity"], view["returned"], "total" in view) == (Decimal("7.5"), Decimal("2.5"), False)
    assert total(ward, sheet_id) == Decimal("93.75")
    view = returned(ward, line, "7.5")
    assert (view["quantity"], view["returned"], view["total"]) == (Decimal(0), Decimal(10), Decimal(0))
    with refused((Code.RETURN_TOO_MUCH, "quantity")):
        returned(ward, line, "1")
    assert story(ward, sheet_id)[-2:] == ["detail.returned", "detail.returned"]
    assert faults(ward) == []


def ward_product(ward: Ward, price: str) -> ProductDraft:
    return ProductDraft(name="Gasa estéril", price=Decimal(price), category_id=ward.category_id)


def test_a_return_needs_a_quantity_and_a_reason(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    for draft, field in (
        (ReturnDraft(quantity=Decimal(0), reason="unused"), "quantity"),
        (ReturnDraft(quantity=Decimal(1)), "reason"),
        (ReturnDraft(quantity=Decimal(1), reason=""), "reason"),
    ):
        with refused((Code.REQUIRED, field)):
            ward.use_cases.details.return_part(ward.nurse, line["id"], draft)
    with refused((Code.CHOICE_UNKNOWN, "reason")):
        returned(ward, line, "1", reason="tired")
    draft = ReturnDraft(quantity=Decimal(1), reason="defective")
    with pytest.raises(VersionConflict):
        ward.use_cases.details.return_part(ward.nurse, line["id"], draft, frozenset({7}))
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        returned(ward, line, "1")


def test_a_total_set_by_hand_must_be_given_with_the_return(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "10")
    ward.use_cases.details.edit(ward.admin, line["id"], ward.detail_draft("10", total=Decimal("100.00")))
    with refused((Code.RETURN_TOTAL_NEEDED, "total")):
        returned(ward, line, "5")
    with refused(Code.RETURN_NEEDS_SUPERVISOR):
        returned(ward, line, "5", by=ward.nurse, total=Decimal("50.00"))
    assert returned(ward, line, "5", total=Decimal("50.00"))["total"] == 50
    assert faults(ward) == []


def test_a_retry_of_a_return_counts_once(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "10")
    key, draft = IdempotencyKey("back-1", "body"), ReturnDraft(quantity=Decimal(3), reason="unused")
    for replayed in (False, True):
        done = ward.use_cases.details.return_part(ward.nurse, line["id"], draft, frozenset({1}), idempotency_key=key)
        assert (done.replayed, done.answer["quantity"]) == (replayed, Decimal(7))
