"""Contract of every store: pages of areas."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any, cast

import pytest
from sqlalchemy.exc import IntegrityError

from adapters.sql.sheets.tables import sheets
from adapters.sql.unit_of_work import SqlUnitOfWork
from application.catalogue.areas import AreaDraft
from application.common.idempotency import IdempotencyKey
from application.reports.ports import InconsistencyKind
from application.sheets.area_sheets import OpenedPage
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.offline.late_entries import LateEntryDraft, RecordLateDraft
from application.sheets.offline.unlisted_items import ResolveDraft, UnlistedItemDraft
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor
from domain.sheets.anomalies import SAMPLE_SIZE
from domain.sheets.sheet import MAX_LINES, AreaSheet
from tests.assertions import refused
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once


def a_page(ward: Ward, by: Actor | None = None) -> int:
    return ward.use_cases.area_sheets.open(by or ward.nurse, ward.area_id).view["id"]


def move(ward: Ward, sheet_id: int, line: int, to: int, by: Actor | None = None, **changes: Any) -> dict[str, Any]:
    draft = MoveDraft(detail_ids=(line,), to_sheet_id=to, reason="Hoja equivocada", **changes)
    return dict(ward.use_cases.details.move(by or ward.admin, sheet_id, draft))


def test_two_who_open_it_at_once_get_the_same_page(ward: Ward) -> None:
    for number in range(5):
        area = ward.use_cases.areas.create(ward.admin, AreaDraft(name=f"Área {number}")).id
        opened = at_once([partial(ward.use_cases.area_sheets.open, ward.nurse, area)] * 4)
        assert all(isinstance(one, OpenedPage) for one in opened), opened
        assert len({one.view["id"] for one in opened}) == 1
        assert sum(one.is_new for one in opened) == 1


def test_a_month_begins_a_page_and_a_full_one_another(ward: Ward) -> None:
    first = a_page(ward)
    assert a_page(ward) == first
    with ward.store.begin() as work:
        page = work.sheets.lock(first)
        assert isinstance(page, AreaSheet)
        work.sheets.save(replace(page, lines=MAX_LINES))
    second = a_page(ward)
    ward.clock.advance(days=31)
    third = a_page(ward)
    listed = ward.use_cases.area_sheets.list(ward.nurse, ward.area_id)
    assert [(one["id"], one["part"]) for one in listed["items"]] == [(third, 1), (second, 2), (first, 1)]
    assert listed["items"][0]["month"] > listed["items"][1]["month"] == listed["items"][2]["month"]
    earlier = ward.use_cases.area_sheets.list(ward.nurse, ward.area_id, before=second)
    assert [one["id"] for one in earlier["items"]] == [first]
    for unknown in (ward.use_cases.area_sheets.open, ward.use_cases.area_sheets.list):
        with pytest.raises(NotFound):
            unknown(ward.nurse, 999)


def test_a_page_tells_its_value_to_those_who_see_prices(ward: Ward) -> None:
    page = a_page(ward)
    dear = ward.product("Sutura", "0.33").id
    ward.detail(page, "1.5", use_reason="opened", product_id=dear)
    ward.detail(page, "2", use_reason="cleaning", product_id=dear)
    view = ward.use_cases.area_sheets.read(ward.admin, page)
    assert (view["lines"], view["value"]) == (2, Decimal("1.16"))
    assert [(day["details"], day["value"]) for day in view["consumptions"]] == [(2, Decimal("1.16"))]
    assert "value" not in ward.use_cases.area_sheets.read(ward.nurse, page)
    with pytest.raises(NotFound):
        ward.use_cases.area_sheets.read(ward.nurse, ward.sheet()["id"])


def test_an_area_with_pages_stays(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Diálisis")).id
    ward.use_cases.area_sheets.open(ward.nurse, area)
    with refused(Code.IN_USE):
        ward.use_cases.areas.delete(ward.admin, area)


def test_the_database_refuses_a_sheet_of_both_kinds(ward: Ward) -> None:
    page = a_page(ward)
    for column, value in (("patient_id", ward.patient_id), ("total", Decimal(5)), ("part", None)):
        change = sheets.update().where(sheets.c.id == page).values({column: value})
        with ward.store.begin() as work, pytest.raises(IntegrityError):
            cast("SqlUnitOfWork", work).connection.execute(change)


def test_moving_both_ways_puts_the_money_right(ward: Ward) -> None:
    page, sheet = a_page(ward), ward.sheet()["id"]
    line = ward.detail(sheet, "3")
    with refused((Code.REQUIRED, "use_reason")):
        move(ward, sheet, line["id"], page)
    with refused((Code.CHOICE_UNKNOWN, "use_reason")):
        move(ward, sheet, line["id"], page, use_reason="lost")
    moved = move(ward, sheet, line["id"], page, use_reason="cleaning")
    assert (moved["from"]["total"], moved["to"]["total"], moved["moved"][0]["total"]) == (0, 0, 0)
    assert (moved["moved"][0]["unbilled"], moved["moved"][0]["area_id"]) == ("area", ward.area_id)
    back = move(ward, page, line["id"], sheet)
    assert back["moved"][0]["total"] == back["to"]["total"] == line["total"] > 0
    assert (back["moved"][0]["unbilled"], back["moved"][0]["use_reason"], back["from"]["total"]) == (None, None, 0)
    assert list(ward.use_cases.reports.check_consistency()) == []


def test_lines_of_areas_change_for_three_days(ward: Ward) -> None:
    page, use = a_page(ward), ward.use_cases.details
    line = ward.detail(page, "3", by=ward.nurse, use_reason="other")
    of_patient = ward.detail(ward.sheet()["id"], "3", by=ward.nurse)
    ward.clock.advance(hours=73)
    for change in (
        lambda by: use.void(by, line["id"], VoidDraft(reason="Repetida")),
        lambda by: use.delete(by, line["id"]),
        lambda by: use.return_part(by, line["id"], ReturnDraft(quantity=Decimal(1), reason="unused")),
    ):
        with refused(Code.DETAIL_TOO_OLD):
            change(ward.nurse)
    with refused((Code.DETAIL_TOO_OLD, "ids")):
        use.void.several(ward.nurse, VoidDraft(ids=(line["id"],), reason="Repetida"))
    with refused((Code.DETAIL_TOO_OLD, "detail_ids")):
        move(ward, page, line["id"], of_patient["consumption_sheet_id"], by=ward.nurse)
    with refused((Code.DETAIL_TOO_OLD, "detail_ids")):
        move(ward, of_patient["consumption_sheet_id"], of_patient["id"], page, by=ward.nurse, use_reason="other")
    use.return_part(ward.supervisor, line["id"], ReturnDraft(quantity=Decimal(1), reason="unused"))
    use.void(ward.supervisor, line["id"], VoidDraft(reason="Repetida"))


def test_an_edit_keeps_or_changes_the_reason(ward: Ward) -> None:
    page = a_page(ward)
    line = ward.detail(page, use_reason="other", area_id=999)
    assert line["area_id"] == ward.area_id

    def edited(**changes: Any) -> dict[str, Any]:
        draft = DetailDraft(product_id=ward.product_id, quantity=Decimal(4), sent_fields=frozenset(changes), **changes)
        return dict(ward.use_cases.details.edit(ward.supervisor, line["id"], draft))

    assert [edited()["use_reason"], edited(use_reason="dropped")["use_reason"]] == ["other", "dropped"]
    assert edited()["total"] == 0
    with refused((Code.REQUIRED, "use_reason")):
        edited(use_reason=None)
    with refused(Code.SHEET_OF_AREA):
        ward.use_cases.details.unmark_waste(ward.supervisor, line["id"])


def test_unlisted_and_late_entries_keep_their_reason(ward: Ward) -> None:
    page = a_page(ward)
    with refused((Code.REQUIRED, "use_reason")):
        ward.use_cases.unlisted_items.note(
            ward.nurse, page, UnlistedItemDraft(description="Láser", quantity=Decimal(1))
        )
    noted = UnlistedItemDraft(description="Láser", quantity=Decimal(1), use_reason="training")
    item = ward.use_cases.unlisted_items.note(ward.nurse, page, noted).answer
    assert (item["area_id"], item["room_id"], item["use_reason"]) == (ward.area_id, None, "training")
    draft = LateEntryDraft(
        items=(ward.detail_draft(use_reason="crash_cart"),), occurred_at=ward.clock.now - timedelta(hours=80)
    )
    late = ward.use_cases.late_entries.submit(
        ward.nurse, page, draft, idempotency_key=IdempotencyKey(key="k", fingerprint="x")
    ).answer
    with ward.store.read() as views:
        for [waiting] in (views.worklist.late(most=9), views.worklist.unlisted(most=9)):
            assert (waiting["patient"], waiting["room"]) == (None, None)
            assert waiting.get("area", {}).get("id") == ward.area_id
    ward.use_cases.late_entries.record(ward.supervisor, late["id"], RecordLateDraft())
    ward.use_cases.unlisted_items.resolve(ward.supervisor, item["id"], ResolveDraft(product_id=ward.product_id))
    with ward.store.begin_read_only() as work:
        lines = work.details.on_sheet(page)
    assert sorted(f"{line.use_reason}" for line in lines) == ["crash_cart", "training"]
    assert {(line.area_id, line.room_id, line.unbilled) for line in lines} == {(ward.area_id, None, "area")}


def test_a_wrong_line_of_an_area_is_found(ward: Ward) -> None:
    line, other = ward.detail(a_page(ward), use_reason="other"), ward.detail(ward.sheet()["id"])
    assert list(ward.use_cases.reports.check_consistency()) == []
    with ward.store.begin() as work:
        for one, change in ((line, {"use_reason": None}), (other, {"use_reason": "cleaning"})):
            detail = work.details.get(one["id"])
            assert detail
            work.details.save(replace(detail, **change))
    found = [(one.kind, one.detail_id) for one in ward.use_cases.reports.check_consistency()]
    assert found == [(InconsistencyKind.AREA_LINE, line["id"]), (InconsistencyKind.AREA_LINE, other["id"])]


def test_usual_products_of_a_page_are_those_of_areas(ward: Ward) -> None:
    page, sheet = a_page(ward), ward.sheet()["id"]
    cleaner = ward.product("Desinfectante").id
    ward.detail(sheet, by=ward.nurse)
    numbers = ward.use_cases.sheets.list_usual_products(ward.nurse, sheet)
    ward.detail(page, "400", by=ward.nurse, use_reason="cleaning", product_id=cleaner)
    on_page = ward.use_cases.sheets.list_usual_products(ward.nurse, page)
    assert [one["id"] for one in on_page["items"]] == [cleaner]
    assert ward.use_cases.sheets.list_usual_products(ward.nurse, sheet) == numbers
    [again] = ward.use_cases.sheets.list_repeatable(ward.nurse, page)["items"]
    assert again["product"]["id"] == cleaner
    assert ward.use_cases.missed_charges.list(ward.nurse, page)["items"] == []


def test_what_is_usual_in_areas_asks_nothing_at_a_bedside(ward: Ward) -> None:
    page, sheet = a_page(ward), ward.sheet()["id"]
    for _ in range(SAMPLE_SIZE):
        ward.detail(sheet, "1")
    for _ in range(SAMPLE_SIZE):
        ward.detail(page, "50", use_reason="cleaning")
    ward.detail(page, "400", use_reason="cleaning", acknowledged=())
    ward.detail(sheet, "10", acknowledged=())
    with refused((Code.QUANTITY_FAR_OUT, "quantity")):
        ward.detail(sheet, "11", acknowledged=())
    with refused((Code.QUANTITY_FAR_OUT, "quantity")):
        ward.detail(page, "501", use_reason="cleaning", acknowledged=())
