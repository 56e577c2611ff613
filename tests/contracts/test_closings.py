"""Contract of every store: a closing freezes the sheet permanently.

Renaming, correcting or moving things later does not change the frozen document.
"""

import json
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from inspect import unwrap
from typing import Any

import pytest

from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.people.patients import PatientDraft
from application.sheets import closings
from application.sheets.reopen_sheet import ReopenDraft
from application.views.details import DetailQuery
from application.views.summaries import SheetDocument
from domain.errors import NotFound
from tests.builders import Ward


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Return the id of a sheet with two lines."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2", area_id=ward.area_id, lot="L-1")
    ward.detail(sheet_id, "0.5", product_id=ward.product("Venda", "3.33").id)
    return sheet_id


def rename_all(ward: Ward) -> None:
    """Rename the category, product, patient and room of the sheet."""
    uc, admin = ward.use_cases, ward.admin
    uc.categories.update(admin, ward.category_id, CategoryDraft(code="XXX", name="Otra categoría"))
    product = ProductDraft(name="Otro producto", price=Decimal(99), category_id=ward.category_id, code="ZZ-1")
    uc.products.update(admin, ward.product_id, product)
    uc.patients.update(admin, ward.patient_id, PatientDraft(name="Otra", first_surname="Persona", record_number="HC-9"))
    uc.rooms.update(admin, ward.room_id, RoomDraft(name="Otra", status=1, type=1, area_id=ward.area_id))


def frozen(ward: Ward, sheet_id: int, turn: int | None = None) -> SheetDocument | None:
    with ward.store.read() as views:
        return views.closings.document(sheet_id, turn)


def reopen(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una venda"))


def lines_of(document: Any) -> list[Any]:
    return [line for day in document["days"] for group in day["categories"] for line in group["details"]]


def test_a_frozen_document_is_not_changed_by_renaming(ward: Ward, sheet_id: int) -> None:
    assert frozen(ward, sheet_id) is None
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    document, paper = frozen(ward, sheet_id), ward.use_cases.sheets.print(ward.admin, sheet_id)
    rename_all(ward)
    assert frozen(ward, sheet_id) == document
    assert ward.use_cases.sheets.print(ward.admin, sheet_id) == paper
    assert paper["sheet"]["patient"]["name"] == "Ana"
    assert {line["product"]["name"] for line in lines_of(paper)} == {"Gasa estéril", "Venda"}
    # All other answers show the current names.
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["patient"]["name"] == "Otra"


def test_a_closing_can_be_read_in_full(ward: Ward, sheet_id: int) -> None:
    slip = ward.detail(sheet_id, "9")
    ward.use_cases.details.delete(ward.nurse if slip["user_id"] == ward.nurse.user_id else ward.admin, slip["id"])
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    rename_all(ward)
    read = ward.use_cases.sheets.read_closing(ward.admin, sheet_id, 1)
    assert (read["sheet"]["patient"]["name"], read["lines"], read["voided"]) == ("Ana", 2, 1)
    assert read["total"] == sum(line["total"] for line in lines_of(read)) == Decimal("26.67")
    assert {line["product"]["name"] for line in lines_of(read)} == {"Gasa estéril", "Venda"}
    reported = str(ward.use_cases.sheets.read_closing(ward.nurse, sheet_id, 1))
    assert "Gasa" in reported
    for secret in ("price", "total", "12.50", "26.67", "CUR"):
        assert secret not in reported
    for nothing in ((sheet_id, 2), (999, 1)):
        with pytest.raises(NotFound):
            ward.use_cases.sheets.read_closing(ward.admin, *nothing)


def test_an_open_sheet_is_printed_in_its_current_state(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    reopen(ward, sheet_id)
    rename_all(ward)
    assert ward.use_cases.sheets.print(ward.admin, sheet_id)["sheet"]["patient"]["name"] == "Otra"


def test_every_version_can_be_printed_with_its_own_total(ward: Ward, sheet_id: int) -> None:
    first_at = ward.clock.now
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    reopen(ward, sheet_id)
    [line, _] = ward.use_cases.details.reader.page(ward.admin, DetailQuery(consumption_sheet_id=sheet_id))["items"]
    ward.use_cases.details.edit(ward.admin, line["id"], ward.detail_draft("7", product_id=line["product_id"]))
    ward.clock.advance(hours=1)
    ward.use_cases.sheets.close(ward.supervisor, sheet_id)
    listed = ward.use_cases.sheets.list_closings(ward.admin, sheet_id)["items"]
    assert listed == [
        {"turn": 1, "closed_at": first_at, "by": "Nuria Paz", "total": Decimal("26.67"), "lines": 2},
        {
            "turn": 2,
            "closed_at": ward.clock.now,
            "by": "supervisor@consumo.test",
            "total": Decimal("48.31"),
            "lines": 2,
        },
    ]
    for one in listed:
        paper = ward.use_cases.sheets.print(ward.admin, sheet_id, one["turn"])
        assert paper["total"] == one["total"] == sum(line["total"] for line in lines_of(paper))
        assert len(lines_of(paper)) == one["lines"]
    assert ward.use_cases.sheets.print(ward.admin, sheet_id)["total"] == Decimal("48.31")
    with pytest.raises(NotFound):
        ward.use_cases.sheets.print(ward.admin, sheet_id, 3)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.list_closings(ward.admin, 999)


def test_ward_staff_see_no_price_in_a_closing(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    reported = str(ward.use_cases.sheets.list_closings(ward.nurse, sheet_id)) + str(
        ward.use_cases.sheets.print(ward.nurse, sheet_id, 1)
    )
    assert "Gasa" in reported
    for secret in ("price", "total", "12.50", "26.67", "CUR"):
        assert secret not in reported
    # Redacting one user's answer does not change the stored document.
    document = frozen(ward, sheet_id)
    assert document is not None
    assert document["total"] == Decimal("26.67")


def test_closings_are_deleted_with_their_sheet(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert frozen(ward, sheet_id, 1) is None


def closed_before(ward: Ward, count: int) -> list[int]:
    """Create sheets closed by a version of the program without closings."""
    ids = []
    for _ in range(count):
        sheet_id = ward.sheet()["id"]
        ward.detail(sheet_id)
        with ward.store.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            assert sheet
            sheet.closed_at = ward.clock.now
            work.sheets.save(sheet)
        ids.append(sheet_id)
    return ids


def test_the_backfill_of_closings_resumes_after_an_interruption(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closings, "BACKFILL_BATCH", 2)
    before, opened = closed_before(ward, 5), ward.sheet()["id"]
    # Before the backfill, the sheet is printed in its current state.
    assert ward.use_cases.sheets.print(ward.admin, before[0])["lines"] == 1
    assert ward.use_cases.sheets.backfill_closings() == before[:2]

    # The backfill is interrupted in the middle of the next batch: none of that batch is stored.
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped, suppress(KeyboardInterrupt):
        take_snapshot = closings.take_snapshot
        stopped.setattr(
            closings,
            "take_snapshot",
            lambda work, one, *so: stop() if one == before[3] else take_snapshot(work, one, *so),
        )
        ward.use_cases.sheets.backfill_closings(before[1])
    assert [frozen(ward, one, 1) is not None for one in before] == [True, True, False, False, False]

    assert ward.use_cases.sheets.backfill_closings() == before[2:4]
    assert ward.use_cases.sheets.backfill_closings(before[3]) == before[4:]
    assert ward.use_cases.sheets.backfill_closings() == []
    assert ward.use_cases.sheets.list_closings(ward.admin, opened)["items"] == []
    [one] = ward.use_cases.sheets.list_closings(ward.admin, before[4])["items"]
    assert (one["turn"], one["by"], one["lines"], one["total"]) == (1, None, 1, Decimal("12.50"))


# A document as version 1 wrote it. Never change it: the reader must keep supporting this format.
OF_FORMAT_1 = json.dumps(
    {
        "format": 1,
        "sheet": {
            "id": 7, "diagnosis": "Neumonía", "doctor": "Dra. Vega", "patient_id": 1,
            "patient": {
                "id": 1, "name": "Ana", "first_surname": "Ríos", "second_surname": None, "record_number": None
            },
            "room_id": 1, "room": {"id": 1, "name": "101", "area_id": 1}, "admission_date": "2091-05-03",
            "total": "26.67", "closed": True, "deleted_at": "2091-05-03T12:00:00Z",
            "consumptions": [{"created_at": "2091-05-03T12:00:00Z", "details": 1}], "version": 4,
            "something_new": {"of": ["a later version"]},
        },
        "record_number": None, "date_of_birth": None, "area": "Urgencias", "lines": 1, "total": "25.00",
        "days": [
            {
                "day": "2091-05-03", "lines": 1, "total": "25.00",
                "categories": [
                    {
                        "category": {"id": 1, "code": "CUR", "name": "Curación"}, "lines": 1, "total": "25.00",
                        "details": [
                            {
                                "id": 1, "consumption_sheet_id": 7, "product_id": 1,
                                "product": {
                                    "id": 1, "code": None, "name": "Gasa estéril", "price": "12.50",
                                    "category": {"id": 1, "code": "CUR", "name": "Curación"},
                                },
                                "staff_id": None, "staff": None, "user_id": 1, "area_id": None, "area": None,
                                "quantity": "2.000", "unit_price": "12.50", "total": "25.00",
                                "created_at": "2091-05-03T12:00:00Z", "day": "2091-05-03", "lot": "L-1", "version": 1,
                            }
                        ],
                    }
                ],
            }
        ],
        "unknown": 1,
    }
)  # fmt: skip


def test_a_sheet_closed_again_during_the_backfill_is_frozen_once(ward: Ward) -> None:
    [sheet_id] = closed_before(ward, 1)
    backfill_closings = unwrap(ward.use_cases.sheets.backfill_closings)

    def begin_later() -> Any:
        ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó algo"))
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        return ward.store.begin()

    assert replace(backfill_closings, begin=begin_later)() == [sheet_id]
    [one] = ward.use_cases.sheets.list_closings(ward.admin, sheet_id)["items"]
    assert (one["turn"], one["lines"], one["total"]) == (1, 2, Decimal("25.00"))


def test_the_closing_in_force_has_its_user(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]

    def closed_by() -> int | None:
        with ward.store.read() as views:
            return views.closings.closed_by(sheet_id)

    assert closed_by() is None
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert closed_by() == ward.nurse.user_id
    ward.use_cases.sheets.undo_closing(ward.nurse, sheet_id)
    assert closed_by() is None
    # At the same moment: the later closing counts.
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    assert closed_by() == ward.admin.user_id
