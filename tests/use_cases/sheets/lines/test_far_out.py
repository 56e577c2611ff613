"""Questions about quantities far above the usual.

A client that cannot answer questions gets a warning instead.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailView
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.offline.late_entries import LateEntryDraft, RecordLateDraft
from domain.common.errors import Code, Refused
from domain.common.policy import Actor
from domain.sheets.anomalies import MEDIAN_RANK
from tests.assertions import refused
from tests.builders import Ward

FAR_OUT = (Code.QUANTITY_FAR_OUT, "quantity")


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def make_usual(ward: Ward, sheet_id: int, quantity: str) -> None:
    """Record the gauze often enough to have a usual quantity."""
    ward.details(sheet_id, *[ward.detail_draft(quantity) for _ in range(MEDIAN_RANK)])


def warned(answer: Any) -> list[Any]:
    return [one for one in answer.get("warnings", ()) if one["code"] is Code.QUANTITY_FAR_OUT]


def quoted(call: Callable[[], object]) -> list[tuple[str | None, dict[str, object]]]:
    """Return the parameters of the far-out questions by field."""
    with pytest.raises(Refused) as caught:
        call()
    assert all(reason.acknowledgeable for reason in caught.value.reasons)
    return [(reason.field, dict(reason.params)) for reason in caught.value.reasons]


def test_a_client_that_can_answer_is_asked_the_answer_is_kept(ward: Ward, sheet_id: int) -> None:
    make_usual(ward, sheet_id, "2")
    assert quoted(lambda: ward.detail(sheet_id, "20.001", by=ward.nurse, acknowledged=())) == [
        ("quantity", {"quantity": Decimal("20.001"), "usual_quantity": Decimal(2)})
    ]
    assert ward.detail(sheet_id, "20", by=ward.nurse, acknowledged=())["acknowledged"] == []
    line = ward.detail(sheet_id, "21", by=ward.nurse, acknowledged=("quantity.far_out",))
    assert (line["acknowledged"], warned(line)) == ([Code.QUANTITY_FAR_OUT], [])
    [added, *_] = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="consumption_detail"))["items"]
    assert added["changes"]["acknowledged"] == [None, "quantity.far_out"]
    # An acknowledgement without a question is not stored.
    assert ward.detail(sheet_id, "1", acknowledged=("quantity.far_out",))["acknowledged"] == []


def test_a_client_that_cannot_answer_is_warned(ward: Ward, sheet_id: int) -> None:
    make_usual(ward, sheet_id, "2")
    key, draft = IdempotencyKey("k", "f"), ward.detail_draft("21")
    first = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    assert warned(first.answer) == [
        {"code": Code.QUANTITY_FAR_OUT, "quantity": Decimal(21), "usual_quantity": Decimal(2)}
    ]
    again = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    assert again == (first.answer, True)
    assert warned(ward.use_cases.details.reader.one(ward.nurse, first.answer["id"])) == []


def test_each_line_of_a_batch_is_asked_or_warned_about(ward: Ward, sheet_id: int) -> None:
    tape = ward.product("Esparadrapo").id
    make_usual(ward, sheet_id, "2")

    def record(**particulars: Any) -> Any:
        few, many = ward.detail_draft("20", **particulars), ward.detail_draft("21", **particulars)
        unknown = ward.detail_draft("21", **particulars | {"product_id": tape})
        draft = DetailsDraft(items=(few, many, unknown))
        return ward.use_cases.details.record_many(ward.nurse, sheet_id, draft).answer

    asked = [
        ("items.1.quantity", {"quantity": Decimal(21), "usual_quantity": Decimal(2)}),
        ("items.2.quantity", {"quantity": Decimal(21)}),
    ]
    assert quoted(lambda: record(acknowledged=())) == asked
    assert [line["acknowledged"] for line in record(acknowledged=("quantity.far_out",))["items"]] == [
        [],
        [Code.QUANTITY_FAR_OUT],
        [Code.QUANTITY_FAR_OUT],
    ]
    assert [one["field"] for one in warned(record())] == ["items.1", "items.2"]


def test_a_high_total_is_asked_about_only_if_prices_are_visible(ward: Ward, sheet_id: int) -> None:
    plate = ward.product("Placa", "100.00").id

    def record(by: Actor, quantity: str = "6", **particulars: Any) -> DetailView:
        return ward.detail(sheet_id, quantity, by=by, **particulars | {"product_id": plate})

    assert quoted(lambda: record(ward.supervisor, acknowledged=())) == [
        ("quantity", {"quantity": Decimal(6), "total": Decimal("600.00")})
    ]
    assert warned(record(ward.supervisor, "5")) == []
    assert [one["total"] for one in warned(record(ward.supervisor))] == [Decimal("600.00")]
    # Everyone can read the acknowledged codes: they must not show that the total was high.
    assert record(ward.supervisor, acknowledged=("quantity.far_out",))["acknowledged"] == []
    assert record(ward.nurse, acknowledged=())["acknowledged"] == []
    assert warned(record(ward.nurse)) == []
    with refused(FAR_OUT):
        record(ward.nurse, "21", acknowledged=())


def test_an_edit_asks_only_if_quantity_or_product_changes(ward: Ward, sheet_id: int) -> None:
    make_usual(ward, sheet_id, "2")
    line, plate = ward.detail(sheet_id, "2"), ward.product("Placa", "300.00").id

    def edit(quantity: str, **particulars: Any) -> DetailView:
        return ward.use_cases.details.edit(ward.admin, line["id"], ward.detail_draft(quantity, **particulars))

    with refused(FAR_OUT):
        edit("21", acknowledged=())
    assert [one["quantity"] for one in warned(edit("21"))] == [Decimal(21)]
    assert warned(edit("21", area_id=ward.area_id, acknowledged=())) == []
    with refused(FAR_OUT):
        edit("2", product_id=plate, acknowledged=())
    # A total that is set by hand is intended.
    assert edit("2", product_id=plate, total=Decimal(501), acknowledged=())["total"] == Decimal(501)


def test_a_late_entry_is_recorded_after_its_question_is_answered(ward: Ward, sheet_id: int) -> None:
    make_usual(ward, sheet_id, "2")
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    draft = LateEntryDraft(items=(ward.detail_draft("21"),), occurred_at=ward.clock.now)
    key = IdempotencyKey("k", "f")
    late = ward.use_cases.late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=key).answer["id"]
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Llegó tarde"))
    [entry] = ward.use_cases.late_entries.list(ward.supervisor, sheet_id)["items"]
    assert entry["errors"] == [
        {
            "field": "items.0.quantity",
            "code": Code.QUANTITY_FAR_OUT,
            "quantity": Decimal(21),
            "usual_quantity": Decimal(2),
            "acknowledgeable": True,
        }
    ]
    with refused((Code.QUANTITY_FAR_OUT, "items.0.quantity")):
        ward.use_cases.late_entries.record(ward.supervisor, late, RecordLateDraft())
    recorded = ward.use_cases.late_entries.record(
        ward.supervisor, late, RecordLateDraft(acknowledged=("quantity.far_out",))
    )
    assert recorded["decision"] == "recorded"


def test_other_errors_of_the_quantity_come_first(ward: Ward, sheet_id: int) -> None:
    pin = ward.product("Clavo", decimals=0).id
    with refused((Code.QUANTITY_TOO_FINE, "quantity")):
        ward.detail(sheet_id, "20.5", product_id=pin, acknowledged=())
    with refused((Code.SERIAL_QUANTITY, "quantity")):
        ward.detail(sheet_id, "21", product_id=pin, serial="S-1", acknowledged=())
