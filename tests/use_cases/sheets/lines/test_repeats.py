"""Warnings about possible duplicates.

A duplicate is never refused.
"""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.lines.record_details import DetailsDraft
from domain.common.errors import Code
from tests.builders import Ward


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def reported(answer: Any) -> list[Any]:
    return list(answer.get("warnings", ()))


def test_a_duplicate_warns_with_author_quantity_and_time(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "7")
    ward.clock.advance(minutes=1)
    first = ward.detail(sheet_id, "2.5", by=ward.nurse)
    at = ward.clock.now
    ward.clock.advance(minutes=3, seconds=59)
    again = ward.detail(sheet_id, "2", by=ward.supervisor)
    assert reported(again) == [
        {
            "code": Code.DETAIL_REPEATED,
            "detail_id": first["id"],
            "by": "Nuria Paz",
            "product": "Gasa estéril",
            "quantity": Decimal("2.5"),
            "at": at,
            "minutes": 3,
        }
    ]
    # A user without a profile is named by the account. The warning is only in the first answer: it is not stored with
    # the line.
    assert reported(ward.detail(sheet_id))[0]["by"] == "supervisor@consumo.test"
    assert reported(ward.use_cases.details.reader.one(ward.admin, again["id"])) == []


def test_other_products_other_sheets_and_voids_do_not_warn(ward: Ward, sheet_id: int) -> None:
    ward.detail(ward.sheet()["id"])
    ward.detail(sheet_id, product_id=ward.product("Esparadrapo").id)
    slip = ward.detail(sheet_id)
    ward.use_cases.details.delete(ward.admin, slip["id"])
    assert reported(ward.detail(sheet_id)) == []


def test_area_and_staff_do_not_matter(ward: Ward, sheet_id: int) -> None:
    theatre = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    first = ward.detail(sheet_id, area_id=theatre, staff_id=ward.nurse.staff_id)
    assert reported(ward.detail(sheet_id, area_id=ward.area_id))[0]["detail_id"] == first["id"]


def test_a_batch_warns_about_earlier_lines_not_about_itself(ward: Ward, sheet_id: int) -> None:
    tape, gauze = ward.product("Esparadrapo").id, ward.product_id
    drafts = DetailsDraft(items=tuple(ward.detail_draft(product_id=one) for one in (tape, gauze, gauze)))
    record = ward.use_cases.details.record_many
    first = record(ward.nurse, sheet_id, drafts).answer
    assert reported(first) == []
    again = record(ward.nurse, sheet_id, drafts).answer
    ids = [one["id"] for one in first["items"]]
    assert [(one["field"], one["detail_id"]) for one in reported(again)] == [
        ("items.0", ids[0]),
        ("items.1", ids[2]),
        ("items.2", ids[2]),
    ]
    assert not [one for one in again["items"] if "warnings" in one]


def test_a_replay_has_the_same_warnings(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id)
    ward.clock.advance(minutes=2)
    key, draft = IdempotencyKey("k", "f"), ward.detail_draft()
    first = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    ward.clock.advance(hours=2)
    again = ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=key)
    assert len(reported(first.answer)) == 1
    assert again == (first.answer, True)


def test_an_edit_does_not_warn(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id)
    second = ward.detail(sheet_id)
    assert reported(ward.use_cases.details.edit(ward.admin, second["id"], ward.detail_draft("3"))) == []
