"""Correcting the quantity of a line.

One call voids the line and records another.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from adapters.simulator.charges import charges_in
from application.audit.views import AuditQuery
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey, Replayable
from application.sheets.detail_views import DetailQuery, DetailView, Voided
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.transfer_patient import TransferDraft
from domain.billing.charges import transaction_id
from domain.common.errors import Code, NotFound, VersionConflict
from domain.common.policy import Actor
from domain.sheets.anomalies import MEDIAN_RANK
from tests.assertions import refused
from tests.builders import AnyStore, Ward, a_ward

REASON = "Cantidad corregida"


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


@pytest.fixture
def closings_told(store: AnyStore) -> Ward:
    """Return a ward whose closings are sent to billing."""
    return a_ward(store, charging=True)


def correct(
    ward: Ward,
    line: DetailView,
    quantity: str,
    *,
    by: Actor | None = None,
    expected: frozenset[int] | None = None,
    key: IdempotencyKey | None = None,
    **particulars: Any,
) -> Replayable[DetailView]:
    draft = CorrectionDraft(quantity=Decimal(quantity), **particulars)
    return ward.use_cases.details.correct(
        by or ward.nurse, line["id"], draft, expected, reason=REASON, idempotency_key=key
    )


def listed(ward: Ward, voided: Voided | None = None) -> list[DetailView]:
    return ward.use_cases.details.reader.page(ward.admin, DetailQuery(voided=voided))["items"]


def total(ward: Ward, sheet_id: int) -> Decimal:
    return ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]


def faults(ward: Ward) -> list[Any]:
    return list(ward.use_cases.reports.check_consistency())


# --- the corrected line ----------------------------------------------------------------------------------------------


def test_a_correction_voids_the_line_and_records_another(ward: Ward, sheet_id: int) -> None:
    theatre = ward.area_id
    line = ward.detail(sheet_id, "650", by=ward.nurse, area_id=theatre, lot="L-1", gtin="7501031311309")
    version = ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["version"]
    at = ward.clock.advance(days=1, hours=2)
    answer = correct(ward, line, "65", expected=frozenset({1}))
    changed = {
        "id": answer.answer["id"],
        "quantity": Decimal("65.000"),
        "corrected_from": Decimal("650.000"),
        "created_at": at,
        # The time of use is the time when the first line was recorded.
        "occurred_at": line["created_at"],
    }
    assert {**answer.answer, "warnings": []} == {**line, **changed, "warnings": []}
    [there] = listed(ward)
    assert (there["id"], there["corrected_from"], there["total"]) == (changed["id"], Decimal(650), Decimal("812.50"))
    assert ward.use_cases.details.reader.one(ward.nurse, answer.answer["id"])["corrected_from"] == Decimal(650)
    [struck] = listed(ward, Voided.ONLY)
    assert (struck["id"], struck["quantity"], struck["corrected_from"]) == (line["id"], Decimal(650), None)
    assert struck["voided"] == {"at": at, "by": {"id": ward.nurse.user_id, "name": "Nuria Paz"}, "reason": REASON}
    assert total(ward, sheet_id) == Decimal("812.50")
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["version"] > version
    assert faults(ward) == []


def test_the_history_has_both_lines_with_reason_and_user(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "6", by=ward.nurse)
    corrected = correct(ward, line, "5", by=ward.supervisor).answer
    # The author of the line stays the same, and so may correct it again.
    assert corrected["user_id"] == ward.nurse.user_id
    history = ward.use_cases.sheets.read_history(ward.admin, sheet_id, AuditQuery())["items"]
    added, voided = history[0], history[1]
    assert (voided["action"], voided["entity_id"], voided["changes"]["reason"]) == (
        "detail.voided",
        line["id"],
        [None, REASON],
    )
    assert (added["action"], added["entity_id"], added["changes"]["corrected_from"]) == (
        "detail.added",
        corrected["id"],
        [None, "6.000"],
    )
    assert [each["user"] and each["user"]["id"] for each in (added, voided)] == [ward.supervisor.user_id] * 2
    again = correct(ward, corrected, "4").answer
    assert (again["corrected_from"], again["user_id"]) == (Decimal(5), ward.nurse.user_id)


def test_a_correction_keeps_the_price_of_an_inactive_product(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2", by=ward.nurse)
    draft = ProductDraft(name="Gasa nueva", price=Decimal(99), category_id=ward.category_id, active=0)
    ward.use_cases.products.update(ward.admin, ward.product_id, draft)
    corrected = correct(ward, line, "3", by=ward.admin).answer
    assert (corrected["unit_price"], corrected["total"]) == (Decimal("12.50"), Decimal("37.50"))


def test_room_and_time_of_use_are_kept_after_a_transfer(ward: Ward, sheet_id: int) -> None:
    used_at = ward.clock.now - timedelta(hours=1)
    line = ward.detail(sheet_id, "2", by=ward.nurse, occurred_at=used_at)
    room = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="7", status=1, type=1, area_id=ward.area_id)).id
    ward.clock.advance(days=5)
    ward.use_cases.sheets.transfer_patient(ward.admin, sheet_id, TransferDraft(room_id=room))
    # Ward staff may correct their own lines, however long ago the supplies were used.
    corrected = correct(ward, line, "3").answer
    assert (corrected["room_id"], corrected["day"]) == (line["room_id"], line["day"])
    assert corrected["occurred_at"] == used_at


def test_a_moved_line_is_corrected_on_its_new_sheet(ward: Ward, sheet_id: int) -> None:
    line, target = ward.detail(sheet_id, "2", by=ward.nurse), ward.sheet()["id"]
    move = MoveDraft(detail_ids=(line["id"],), to_sheet_id=target, reason="Otro paciente")
    ward.use_cases.details.move(ward.nurse, sheet_id, move)
    assert correct(ward, line, "3").answer["consumption_sheet_id"] == target
    assert (total(ward, sheet_id), total(ward, target)) == (Decimal(0), Decimal("37.50"))
    assert faults(ward) == []


def test_a_line_with_returns_is_corrected_to_the_used_quantity(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "10", by=ward.nurse)
    ward.use_cases.details.return_part(ward.nurse, line["id"], ReturnDraft(quantity=Decimal(3), reason="unused"))
    corrected = correct(ward, line, "8").answer
    assert (corrected["corrected_from"], corrected["returned"]) == (Decimal(7), Decimal(0))
    assert total(ward, sheet_id) == Decimal("100.00")
    assert faults(ward) == []


def test_billing_gets_a_credit_and_a_new_charge(closings_told: Ward) -> None:
    ward = closings_told
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, "6", by=ward.nurse)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Cantidad"))
    corrected = correct(ward, line, "5").answer
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with ward.store.begin() as work:
        *_, last = sorted(work.outbound_messages.find_many("sheet_id", [sheet_id]), key=lambda one: one.id)
    reported = [(one.transaction_id, one.kind, one.quantity, one.total) for one in charges_in(last.body)]
    assert corrected["id"] != line["id"]
    assert reported == [
        (transaction_id(sheet_id, 2), "CD", Decimal(6), Decimal("75.00")),
        (transaction_id(sheet_id, 3), "CG", Decimal(5), Decimal("62.50")),
    ]
    assert faults(ward) == []


# --- refusals and questions ------------------------------------------------------------------------------------------


def test_correcting_needs_the_permission_to_void_the_line(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    with refused(Code.DETAIL_NOT_OWN):
        correct(ward, line, "3")
    with pytest.raises(NotFound):
        correct(ward, {**line, "id": 999}, "3")


def test_old_versions_voided_lines_and_closed_sheets_are_refused(ward: Ward, sheet_id: int) -> None:
    line, void = ward.detail(sheet_id, "2", by=ward.nurse), ward.detail(sheet_id, "2", by=ward.nurse)
    with pytest.raises(VersionConflict):
        correct(ward, line, "3", expected=frozenset({2}))
    ward.use_cases.details.delete(ward.nurse, void["id"])
    with refused(Code.DETAIL_VOIDED):
        correct(ward, void, "3", expected=frozenset({1}))
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        correct(ward, line, "3")
    assert total(ward, sheet_id) == Decimal("25.00")


def test_a_quantity_far_above_the_usual_is_asked_or_warned_about(ward: Ward, sheet_id: int) -> None:
    ward.details(sheet_id, *[ward.detail_draft("2") for _ in range(MEDIAN_RANK)])
    line = ward.detail(sheet_id, "2", by=ward.nurse)
    with refused((Code.QUANTITY_FAR_OUT, "quantity")):
        correct(ward, line, "21", acknowledged=())
    assert total(ward, sheet_id) == Decimal("25.00") * (MEDIAN_RANK + 1)
    corrected = correct(ward, line, "21").answer
    assert [one["code"] for one in corrected["warnings"]] == [Code.QUANTITY_FAR_OUT]


def test_a_high_total_is_asked_about_only_if_prices_are_visible(ward: Ward, sheet_id: int) -> None:
    plate = ward.product("Placa", "100.00").id
    line = ward.detail(sheet_id, "1", by=ward.nurse, product_id=plate)
    with refused((Code.QUANTITY_FAR_OUT, "quantity")):
        correct(ward, line, "6", by=ward.supervisor, acknowledged=())
    assert correct(ward, line, "6", acknowledged=()).answer["acknowledged"] == []


def test_a_total_set_by_hand_is_recomputed_only_by_supervision(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2", by=ward.nurse)
    ward.use_cases.details.edit(ward.admin, line["id"], ward.detail_draft("2", total=Decimal(9)))
    with refused(Code.CORRECTION_FOR_SUPERVISION):
        correct(ward, line, "3")
    assert correct(ward, line, "3", by=ward.supervisor).answer["total"] == Decimal("37.50")


# --- idempotency -----------------------------------------------------------------------------------------------------


def test_a_retry_corrects_once_even_after_answers_were_purged(ward: Ward, sheet_id: int) -> None:
    line, key = ward.detail(sheet_id, "2", by=ward.nurse), IdempotencyKey("k", "f")
    seen = frozenset({1})
    first = correct(ward, line, "3", key=key, expected=seen)
    assert first.replayed is False
    assert correct(ward, line, "3", key=key, expected=seen) == (first.answer, True)
    with refused(Code.KEY_REUSED):
        correct(ward, line, "4", key=IdempotencyKey("k", "another body"), expected=seen)
    with ward.store.begin() as work:
        work.idempotency_store.purge(ward.clock.now + timedelta(days=1), but=0)
    again = correct(ward, line, "3", key=key, expected=seen)
    assert (again.replayed, again.answer["id"]) == (True, first.answer["id"])
    with refused(Code.DETAIL_VOIDED):
        correct(ward, line, "3", key=IdempotencyKey("k-2", "f"), expected=seen)
    assert len(listed(ward, Voided.INCLUDE)) == 2
