"""Contract of every store: counts of references, and their protection.

Nothing that is in use can be removed.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adapters.sql.store import SqlStore
from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import ProductQuery
from application.common.paging import ListQuery
from domain.catalogue.area import Area
from domain.catalogue.product import Category
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Role
from domain.common.text import unique_key
from tests.assertions import refused
from tests.builders import ZONE, AnyStore, Ward, a_ward

NOUNS = ("areas", "categories", "products", "rooms", "patients", "staff", "users")


def spare(ward: Ward) -> dict[str, int]:
    """Create one unreferenced thing of each kind."""
    use_cases, admin = ward.use_cases, ward.admin
    room = RoomDraft(name="103", status=1, type=1, area_id=ward.area_id)
    return {
        "areas": use_cases.areas.create(admin, AreaDraft(name="Quirófano")).id,
        "categories": use_cases.categories.create(admin, CategoryDraft(code="MED", name="Medicación")).id,
        "products": ward.product("Sonda", code="S-1", gtin="4006381333931").id,
        "rooms": use_cases.rooms.create(admin, room).id,
        "patients": ward.patient("Luis", "Gil", record_number="EXP-7").id,
        "staff": ward.staff("Luz", "Gil").id,
        "users": ward.register("luz@consumo.test", Role.USER).user_id,
    }


def uses(ward: Ward, ids: dict[str, int]) -> dict[str, int]:
    """Return the number of references to each thing."""
    with ward.store.begin() as work:
        return {store: getattr(work, store).reference_count(this) for store, this in ids.items()}


def test_uses_count_the_references_to_each_thing(ward: Ward) -> None:
    unused = spare(ward)
    used = {
        "areas": ward.area_id,
        "categories": ward.category_id,
        "products": ward.product_id,
        "rooms": ward.room_id,
        "patients": ward.patient_id,
        "staff": ward.nurse.staff_id or 0,
        "users": ward.nurse.user_id,
    }
    nothing = dict.fromkeys(NOUNS, 0)
    assert uses(ward, dict.fromkeys(NOUNS, 999)) == nothing
    assert uses(ward, unused) == nothing
    # The spare room is in the area too, and the profile belongs to a user.
    at_first = {"areas": 2, "categories": 2, "products": 0, "rooms": 0, "patients": 0, "staff": 1, "users": 0}
    assert uses(ward, used) == at_first

    first, second = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(first, by=ward.nurse, area_id=ward.area_id)
    ward.detail(first, staff_id=ward.nurse.staff_id)
    gone = ward.detail(second, by=ward.nurse)
    ward.use_cases.sheets.close(ward.admin, first)
    in_all = {"areas": 3, "categories": 2, "products": 3, "rooms": 5, "patients": 2, "staff": 4, "users": 2}
    assert uses(ward, used) == in_all
    with ward.store.begin() as work:
        assert (
            work.sheets.reference_count(first),
            work.sheets.reference_count(second),
            work.details.reference_count(gone["id"]),
        ) == (2, 1, 0)

    ward.use_cases.details.delete(ward.admin, gone["id"])
    assert uses(ward, used) == in_all, "a void line stays"
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    assert uses(ward, used) == in_all | {"staff": 3}
    ward.use_cases.sheets.delete(ward.admin, first)
    ward.use_cases.sheets.delete(ward.admin, second)
    assert uses(ward, used) == at_first | {"staff": 0}
    assert uses(ward, unused) == nothing


def test_a_removed_id_is_not_reused_but_the_name_is_free(ward: Ward) -> None:
    before = spare(ward)
    with ward.store.begin() as work:
        for store, this in before.items():
            getattr(work, store).remove(getattr(work, store).get(this))
            assert getattr(work, store).get(this) is None
    with ward.store.begin() as work:
        assert [getattr(work, store).get(this) for store, this in before.items()] == [None] * len(NOUNS)
    again = spare(ward)
    assert all(again[store] > before[store] for store in NOUNS)


def test_removed_things_are_not_found(ward: Ward) -> None:
    ids = spare(ward)

    def listed(store: str, query: ListQuery) -> list[int]:
        with ward.store.read() as views:
            return [item["id"] for item in getattr(views, store).page(query)["items"]]

    assert listed("products", ProductQuery(q="sonda")) == [ids["products"]]
    ward.use_cases.products.delete(ward.admin, ids["products"])
    ward.use_cases.areas.delete(ward.admin, ids["areas"])
    for query in (ProductQuery(q="sonda"), ProductQuery(q="S-1"), ProductQuery(q="so")):
        assert listed("products", query) == []
    assert listed("areas", ListQuery()) == [ward.area_id]
    with ward.store.begin() as work:
        assert work.products.find("code", unique_key("S-1")) is work.products.find("gtin", "4006381333931") is None
        assert work.areas.find("name", unique_key("Quirófano")) is None
    with ward.store.read() as views:
        assert views.products.one(ids["products"]) is None
        assert views.areas.one(ids["areas"]) is None


def test_a_store_refuses_to_remove_things_in_use(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, by=ward.nurse, area_id=ward.area_id)
    used: dict[str, int] = {
        "areas": ward.area_id,
        "categories": ward.category_id,
        "products": ward.product_id,
        "rooms": ward.room_id,
        "patients": ward.patient_id,
        "staff": ward.nurse.staff_id or 0,
    }

    def remove(store: str, this: int) -> None:
        with ward.store.begin() as work:
            work.areas.add(Area(name="no such area"))
            getattr(work, store).remove(getattr(work, store).get(this))

    for store, this in used.items():
        with pytest.raises(Refused) as refusal:
            remove(store, this)
        assert [reason.code for reason in refusal.value.reasons] == [Code.IN_USE]
        with ward.store.begin() as work:
            assert getattr(work, store).get(this) is not None
            assert work.areas.find("name", unique_key("no such area")) is None


@pytest.fixture
def database_ward(database_url: str) -> Iterator[Ward]:
    """Return a ward on each database engine, for checks by foreign keys."""
    store = SqlStore(database_url, ZONE)
    yield a_ward(store)
    store.close()


def test_a_reference_to_a_missing_row_is_refused(database_ward: Ward) -> None:
    store: AnyStore = database_ward.store

    def kept(change: Callable[[Any], object]) -> None:
        with store.begin() as work:
            work.categories.add(Category(code="X", name="Otra"))
            change(work)

    room = Room(name="9", status=RoomStatus.AVAILABLE, type=RoomType.SINGLE, area_id=999)
    for change in (
        lambda work: work.rooms.add(room),
        lambda work: work.rooms.save(
            Room(id=database_ward.room_id, name="9", status=room.status, type=room.type, area_id=999)
        ),
    ):
        with refused(Code.REFERENCE_GONE):
            kept(change)
        with store.begin() as work:
            assert work.categories.find("code", unique_key("X")) is None


def test_the_refusal_has_the_number_of_references(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(12):
        ward.detail(sheet_id)
    with pytest.raises(Refused) as refusal:
        ward.use_cases.products.delete(ward.admin, ward.product_id)
    assert refusal.value.reasons == (Reason(Code.IN_USE, None, {"count": 12}),)
