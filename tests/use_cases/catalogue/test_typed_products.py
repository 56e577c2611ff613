"""Products that are chosen by name although they have a code."""

from decimal import Decimal
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.catalogue.product_codes import ProductCodeDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.offline.late_entries import LateEntryDraft
from domain.common.errors import Code, Refused
from tests.builders import Ward

SCAN, TEXT = "scan", "text"


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


@pytest.fixture
def coded(ward: Ward) -> int:
    """Return the id of a product with a code."""
    return ward.product("Sonda", code="S-1").id


def record(ward: Ward, sheet_id: int, product_id: int, method: str | None, **more: Any) -> Any:
    return ward.detail(sheet_id, "1", product_id=product_id, input_method=method, **more)


def typed(ward: Ward, **asked: Any) -> list[tuple[str, str | None, int, int]]:
    items = ward.use_cases.products.list_typed(ward.supervisor, **asked)["items"]
    return [
        (one["product"]["name"], one["area"] and one["area"]["name"], one["typed"], one["scanned"]) for one in items
    ]


def test_only_active_products_with_a_code_are_listed(ward: Ward, sheet_id: int) -> None:
    plain = ward.product("Sin código").id
    with_gtin = ward.product("Con GTIN").id
    ward.use_cases.products.add_code(ward.admin, with_gtin, ProductCodeDraft(system="gtin", code="9506000134352"))
    for product in (plain, with_gtin):
        record(ward, sheet_id, product, TEXT)
    assert typed(ward) == [("Con GTIN", None, 1, 0)]


@pytest.mark.parametrize("weeks", [0, 13, -1])
def test_other_periods_are_refused(ward: Ward, weeks: int) -> None:
    with pytest.raises(Refused) as refusal:
        typed(ward, weeks=weeks)
    assert [(reason.code, reason.field) for reason in refusal.value.reasons] == [(Code.NUMBER_OUT_OF_RANGE, "weeks")]


def test_several_lines_at_once_keep_their_own_methods(ward: Ward, sheet_id: int, coded: int) -> None:
    other = ward.product("Venda", code="V-1").id
    lines = (
        ward.detail_draft("1", product_id=coded, input_method=TEXT),
        ward.detail_draft("1", product_id=other, input_method=SCAN),
        ward.detail_draft("1", product_id=other),
    )
    for _ in range(2):
        # The second one is a retry.
        key = IdempotencyKey("k", "f")
        ward.use_cases.details.record_many(ward.nurse, sheet_id, DetailsDraft(items=lines), idempotency_key=key)
    assert typed(ward) == [("Sonda", None, 1, 0)]


def test_a_scan_is_known_without_being_named(ward: Ward, sheet_id: int, coded: int) -> None:
    record(ward, sheet_id, coded, TEXT)
    record(ward, sheet_id, coded, None, scan="S-1")
    assert typed(ward) == [("Sonda", None, 1, 1)]


def test_an_unknown_method_is_refused(ward: Ward, sheet_id: int, coded: int) -> None:
    with pytest.raises(Refused) as refusal:
        record(ward, sheet_id, coded, "voice")
    assert [(reason.code, reason.field) for reason in refusal.value.reasons] == [(Code.CHOICE_UNKNOWN, "input_method")]


def test_a_correction_keeps_the_method_an_edit_may_lose_it(ward: Ward, sheet_id: int, coded: int) -> None:
    line = record(ward, sheet_id, coded, TEXT)
    draft = CorrectionDraft(quantity=Decimal(2))
    corrected = ward.use_cases.details.correct(ward.admin, line["id"], draft, reason="Eran dos").answer
    assert typed(ward) == [("Sonda", None, 1, 0)]
    other = ward.product("Venda", code="V-1").id
    ward.use_cases.details.edit(ward.admin, corrected["id"], ward.detail_draft("2", product_id=other))
    assert typed(ward) == []


def test_a_late_entry_has_no_method(ward: Ward, sheet_id: int, coded: int) -> None:
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    draft = LateEntryDraft(
        items=(ward.detail_draft("1", product_id=coded, input_method=TEXT),), occurred_at=ward.clock.now
    )
    for _ in range(2):
        ward.use_cases.late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=IdempotencyKey("late", "f"))
    assert typed(ward) == []


def test_the_method_is_in_no_answer_and_no_history(ward: Ward, sheet_id: int, coded: int) -> None:
    line = record(ward, sheet_id, coded, TEXT)
    assert "input_method" not in line
    with ward.store.read() as views:
        entries = views.audit.page(AuditQuery(sheet_id=sheet_id, action="detail.added"))["items"]
    assert [entry["changes"].get("input_method") for entry in entries] == [None]
