"""Unlisted items.

An item is noted once, and stays open until a decision.
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
from application.common.idempotency import IdempotencyKey
from application.people.merge_patients import MergeDraft
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.offline.unlisted_items import DiscardDraft, ResolveDraft, UnlistedItemDraft
from application.sheets.transfer_patient import TransferDraft
from application.sheets.views import SheetQuery, UnlistedItemView
from domain.common.errors import Code, NotFound, Refused
from domain.common.policy import Actor
from domain.sheets.unlisted_item import UnlistedState
from tests.assertions import refused
from tests.builders import NOON, AnyStore, Ward, a_ward


def a_draft(**particulars: Any) -> UnlistedItemDraft:
    filled_in: dict[str, Any] = {"description": "bisturí láser", "quantity": Decimal(1)}
    return UnlistedItemDraft(**filled_in | particulars)


def note(
    ward: Ward, sheet_id: int, *, by: Actor | None = None, key: str | None = None, **particulars: Any
) -> UnlistedItemView:
    promise = IdempotencyKey(key, "f") if key else None
    draft = a_draft(**particulars)
    return ward.use_cases.unlisted_items.note(by or ward.nurse, sheet_id, draft, idempotency_key=promise).answer


def resolve(ward: Ward, item: int, *acknowledged: str, **particulars: Any) -> UnlistedItemView:
    filled_in: dict[str, Any] = {"product_id": ward.product_id, "acknowledged": acknowledged}
    return ward.use_cases.unlisted_items.resolve(ward.supervisor, item, ResolveDraft(**filled_in | particulars))


def discard(ward: Ward, item: int) -> UnlistedItemView:
    return ward.use_cases.unlisted_items.discard(ward.supervisor, item, DiscardDraft(reason="No se usó"))


def listed(ward: Ward, sheet_id: int) -> list[UnlistedItemView]:
    return ward.use_cases.unlisted_items.list(ward.nurse, sheet_id)["items"]


def close(ward: Ward, sheet_id: int) -> None:
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.close(ward.nurse, sheet_id, acknowledged=[Code.UNLISTED_ITEMS_OPEN])


def lines(ward: Ward, sheet_id: int) -> list[DetailView]:
    with ward.store.read() as views:
        return views.details.page(DetailQuery(consumption_sheet_id=sheet_id))["items"]


def open_count(ward: Ward, sheet_id: int) -> int:
    """Return the number of open items.

    The sheet, its list and the worklist must agree on it.
    """
    with ward.store.read() as views:
        sheet = views.sheets.one(sheet_id)
        assert sheet is not None
        of_list = {one["id"]: one for one in views.sheets.page(SheetQuery(closed=sheet["closed"]))["items"]}
        assert of_list[sheet_id]["unlisted_items"] == sheet["unlisted_items"]
        sheets = views.worklist.unlisted(most=9)
        found = {one["consumption_sheet_id"]: one["items"] for one in sheets}
        assert found.get(sheet_id, 0) == sheet["unlisted_items"] == len(views.open_unlisted_items(sheet_id))
    return sheet["unlisted_items"]


def test_a_noted_item_is_open_and_changes_no_total(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    before = ward.use_cases.sheets.reader.one(ward.supervisor, sheet_id)
    used_at = NOON - timedelta(hours=1)
    # Ward staff always record for their own profile: the staff member in the request is ignored.
    item = note(
        ward, sheet_id, occurred_at=used_at, area_id=ward.area_id, staff_id=999, description="  bisturí  láser "
    )
    assert (item["description"], item["quantity"], item["state"]) == ("bisturí láser", Decimal(1), UnlistedState.OPEN)
    assert (item["by"], item["staff"], item["area"], item["room_id"]) == (
        "Nuria Paz",
        "Nuria Paz",
        "Urgencias",
        ward.room_id,
    )
    assert (item["occurred_at"], item["created_at"], item["detail_id"]) == (used_at, NOON, None)
    after = ward.use_cases.sheets.reader.one(ward.supervisor, sheet_id)
    assert after == before | {"unlisted_items": 1, "version": before["version"] + 1}
    assert (listed(ward, sheet_id), open_count(ward, sheet_id), len(lines(ward, sheet_id))) == ([item], 1, 1)


def test_an_invalid_item_is_refused_with_its_fields(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    with refused((Code.REQUIRED, "description"), (Code.REQUIRED, "quantity")):
        note(ward, sheet_id, description=" ", quantity=None)
    with refused((Code.TEXT_TOO_LONG, "description"), (Code.REQUIRED, "quantity")):
        note(ward, sheet_id, description="x" * 201, quantity=Decimal(0))
    with refused((Code.REFERENCE_UNKNOWN, "staff_id"), (Code.REFERENCE_UNKNOWN, "area_id")):
        note(ward, sheet_id, by=ward.supervisor, staff_id=999, area_id=999)
    with refused((Code.USED_IN_FUTURE, "occurred_at")):
        note(ward, sheet_id, occurred_at=NOON + timedelta(hours=1))
    early = NOON - timedelta(days=2)
    with refused((Code.USED_BEFORE_ADMISSION, "occurred_at")):
        note(ward, sheet_id, occurred_at=early)
    note(ward, sheet_id, by=ward.supervisor, occurred_at=early, acknowledged=(Code.USED_BEFORE_ADMISSION,))
    with pytest.raises(NotFound):
        note(ward, 999)


def test_a_sheet_takes_a_hundred_open_items(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    items = [note(ward, sheet_id, description=f"pinza {number}") for number in range(100)]
    with refused(Code.UNLISTED_ITEMS_TOO_MANY):
        note(ward, sheet_id)
    discard(ward, items[0]["id"])
    note(ward, sheet_id)
    assert len(listed(ward, sheet_id)) == 100


def test_the_same_key_notes_one_item_permanently(ward: Ward) -> None:
    sheet_id, other = ward.sheet()["id"], ward.sheet()["id"]
    first = note(ward, sheet_id, key="k-1")
    assert note(ward, sheet_id, key="k-1") == first
    with ward.store.begin() as work:
        work.idempotency_store.purge(ward.clock.advance(days=40), but=0)
    resolve(ward, first["id"])
    again = ward.use_cases.unlisted_items.note(
        ward.nurse, sheet_id, a_draft(), idempotency_key=IdempotencyKey("k-1", "f")
    )
    assert (again.replayed, again.answer["id"], again.answer["state"]) == (True, first["id"], UnlistedState.RESOLVED)
    with refused(Code.KEY_REUSED):
        ward.use_cases.unlisted_items.note(ward.nurse, other, a_draft(), idempotency_key=IdempotencyKey("k-1", "f"))
    # The same key of another user is another key.
    assert note(ward, sheet_id, by=ward.supervisor, key="k-1")["id"] != first["id"]


def test_a_resolved_item_is_a_detail_of_the_person_who_noted_it(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    used_at = NOON - timedelta(hours=1)
    item = note(ward, sheet_id, key="k-1", quantity=Decimal(3), occurred_at=used_at, area_id=ward.area_id)
    room = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="102", status=1, type=1, area_id=ward.area_id))
    ward.use_cases.sheets.transfer_patient(ward.admin, sheet_id, TransferDraft(room_id=room.id))
    now = ward.clock.advance(days=9)
    resolved = resolve(ward, item["id"], lot="L-1", expiry=None)
    assert (resolved["state"], resolved["decided_by"]) == (UnlistedState.RESOLVED, "supervisor@consumo.test")
    (line,) = lines(ward, sheet_id)
    assert resolved["detail_id"] == line["id"]
    assert (line["user_id"], line["staff_id"], line["area_id"], line["room_id"]) == (
        ward.nurse.user_id,
        ward.nurse.staff_id,
        ward.area_id,
        ward.room_id,
    )
    assert (line["occurred_at"], line["created_at"], line["lot"]) == (used_at, now, "L-1")
    assert (line["quantity"], line["unit_price"], line["total"]) == (Decimal(3), Decimal("12.50"), Decimal("37.50"))
    assert open_count(ward, sheet_id) == 0
    assert ward.use_cases.sheets.reader.one(ward.supervisor, sheet_id)["total"] == Decimal("37.50")
    with ward.store.begin() as work:
        sheet = work.sheets.get(sheet_id)
        assert sheet is not None
        assert sheet.lines == 1


def test_the_person_who_resolves_answers_the_questions(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    product = ward.product("Válvula", asks_lot=1)
    item = note(ward, sheet_id, quantity=Decimal("0.5"))
    with refused((Code.REFERENCE_UNKNOWN, "product_id")):
        resolve(ward, item["id"], product_id=999)
    with refused((Code.LOT_REQUIRED, "lot")):
        resolve(ward, item["id"], product_id=product.id)
    ward.use_cases.products.update(
        ward.admin,
        ward.product_id,
        ProductDraft(name="Gasa", price=Decimal(1), category_id=ward.category_id, decimals=0),
    )
    with refused((Code.QUANTITY_TOO_FINE, "quantity")):
        resolve(ward, item["id"])
    assert (open_count(ward, sheet_id), lines(ward, sheet_id)) == (1, [])
    resolve(ward, item["id"], Code.LOT_REQUIRED, product_id=product.id)
    (line,) = lines(ward, sheet_id)
    assert line["acknowledged"] == [Code.LOT_REQUIRED]


def test_an_item_is_decided_once(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    first, second = note(ward, sheet_id)["id"], note(ward, sheet_id)["id"]
    resolve(ward, first)
    assert discard(ward, second)["reason"] == "No se usó"
    for item in (first, second):
        for decide in (resolve, discard):
            with refused(Code.UNLISTED_ITEM_DECIDED):
                decide(ward, item)
        with refused(Code.UNLISTED_ITEM_DECIDED):
            ward.use_cases.unlisted_items.withdraw(ward.nurse, item)
    assert (listed(ward, sheet_id), len(lines(ward, sheet_id))) == ([], 1)
    with refused((Code.REQUIRED, "reason")):
        ward.use_cases.unlisted_items.discard(ward.supervisor, first, DiscardDraft())
    for call in (resolve, discard):
        with pytest.raises(NotFound):
            call(ward, 999)


def test_a_decision_increases_the_version_of_the_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    item = note(ward, sheet_id)
    before = ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)["version"]
    discard(ward, item["id"])
    assert ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)["version"] == before + 1


def test_the_author_withdraws_an_item_while_the_sheet_is_open(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    own, other = note(ward, sheet_id)["id"], note(ward, sheet_id, by=ward.supervisor)["id"]
    with refused(Code.DETAIL_NOT_OWN):
        ward.use_cases.unlisted_items.withdraw(ward.nurse, other)
    ward.use_cases.unlisted_items.withdraw(ward.nurse, own)
    assert [item["id"] for item in listed(ward, sheet_id)] == [other]
    close(ward, sheet_id)
    with refused(Code.SHEET_CLOSED):
        ward.use_cases.unlisted_items.withdraw(ward.supervisor, other)
    assert open_count(ward, sheet_id) == 1


def test_closing_asks_about_open_items_and_keeps_them_open(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    item = note(ward, sheet_id)
    assert ward.use_cases.sheets.summarize(ward.nurse, sheet_id)["unlisted_items"] == [item]
    ward.clock.advance(minutes=1)
    with pytest.raises(Refused) as asked:
        ward.use_cases.sheets.close(ward.nurse, sheet_id)
    (reason,) = asked.value.reasons
    assert (reason.code, reason.acknowledgeable, reason.params) == (Code.UNLISTED_ITEMS_OPEN, True, {"count": 1})
    assert ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)["closed"] is False
    close(ward, sheet_id)
    assert ward.use_cases.sheets.reader.one(ward.supervisor, sheet_id)["total"] == Decimal("12.50")
    assert open_count(ward, sheet_id) == 1
    with refused(Code.SHEET_CLOSED):
        resolve(ward, item["id"])
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Falta el bisturí"))
    resolve(ward, item["id"])
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    # Each closing froze the items that were open at the time.
    assert [item["id"] for item in ward.use_cases.sheets.read_closing(ward.nurse, sheet_id, 1)["unlisted_items"]] == [
        item["id"]
    ]
    assert ward.use_cases.sheets.read_closing(ward.nurse, sheet_id, 2)["unlisted_items"] == []


def test_a_closed_sheet_takes_items_used_before_its_closing(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    close(ward, sheet_id)
    with refused(Code.SHEET_CLOSED):
        note(ward, sheet_id)
    ward.clock.advance(days=9)
    # A device that was offline for longer than the window in which ward staff may record.
    item = note(ward, sheet_id, occurred_at=NOON)
    assert listed(ward, sheet_id) == [item]
    printed = ward.use_cases.sheets.print(ward.nurse, sheet_id)
    assert printed["unlisted_items"] == [item]
    assert ward.use_cases.sheets.print(ward.nurse, sheet_id, 1)["unlisted_items"] == []
    assert discard(ward, item["id"])["state"] is UnlistedState.DISCARDED


def test_billing_is_charged_for_resolved_items_only(store: AnyStore) -> None:
    ward = a_ward(store, charging=True)
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    item = note(ward, sheet_id)
    close(ward, sheet_id)

    def charged() -> int:
        with ward.store.begin() as work:
            found = work.outbound_messages.find_many("sheet_id", [sheet_id])
        assert not any("bistur" in message.body for message in found)
        return sum(len(charges_in(message.body)) for message in found)

    assert charged() == 1
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Falta el bisturí"))
    resolve(ward, item["id"])
    close(ward, sheet_id)
    assert charged() == 2


def test_items_follow_a_merge_and_are_deleted_with_their_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    item = note(ward, sheet_id)
    into = ward.patient("Ana", "Ríos").id
    ward.use_cases.patients.merge(ward.admin, ward.patient_id, MergeDraft(into_id=into, reason="Dos registros"))
    assert listed(ward, sheet_id) == [item]
    with ward.store.read() as views:
        [found] = views.worklist.unlisted(most=9)
    assert found["patient"]
    assert found["patient"]["id"] == into
    with refused(Code.SHEET_FOR_SUPERVISION):
        ward.use_cases.sheets.delete(ward.nurse, sheet_id)
    ward.use_cases.sheets.delete(ward.supervisor, sheet_id)
    with pytest.raises(NotFound):
        discard(ward, item["id"])
    with pytest.raises(NotFound):
        listed(ward, sheet_id)


def test_the_history_of_the_sheet_has_every_step(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    first, second, third = (note(ward, sheet_id)["id"] for _ in range(3))
    resolve(ward, first)
    discard(ward, second)
    ward.use_cases.unlisted_items.withdraw(ward.nurse, third)
    with ward.store.read() as views:
        entries = views.audit.page(AuditQuery(sheet_id=sheet_id))["items"]
    assert [entry["action"] for entry in entries][:5] == [
        "unlisted_item.withdrawn",
        "unlisted_item.discarded",
        "unlisted_item.resolved",
        "detail.added",
        "unlisted_item.noted",
    ]
    added = entries[3]
    assert added["user"] is not None
    assert (added["user"]["id"], added["changes"]["user_id"]) == (ward.supervisor.user_id, [None, ward.nurse.user_id])
