"""Contract of every store: usual products, from recent details only."""

from decimal import Decimal

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.sheets.ports import LATEST_OF_AREA, LATEST_OF_PERSON, LATEST_OF_ROOM, LATEST_OF_SHEET, SheetPlace
from domain.common.errors import NotFound
from domain.common.policy import Actor
from tests.builders import Ward


def products(ward: Ward, *names: str) -> list[int]:
    return [ward.product(name).id for name in names]


def record(ward: Ward, sheet_id: int, *product_ids: int, by: Actor | None = None) -> None:
    """Record products one after the other, a second apart."""
    for product_id in product_ids:
        ward.clock.advance(seconds=1)
        ward.detail(sheet_id, product_id=product_id, by=by)


def of_person(ward: Ward, who: Actor, most: int = 100) -> list[int]:
    with ward.store.read() as views:
        return [product["id"] for product in views.usual_products.of_person(who.user_id, is_page=False, most=most)]


def of_area(ward: Ward, area_id: int | None = None, most: int = 100) -> list[int]:
    with ward.store.read() as views:
        return [
            product["id"]
            for product in views.usual_products.of_area(SheetPlace(area_id or ward.area_id, is_page=False), most=most)
        ]


def room(ward: Ward, area_id: int) -> int:
    draft = RoomDraft(name="Otra", status=1, type=1, area_id=area_id)
    return ward.use_cases.rooms.create(ward.admin, draft).id


def retire(ward: Ward, product_id: int) -> None:
    product = ward.use_cases.products.reader.one(ward.admin, product_id)
    draft = ProductDraft(name=product["name"], price=product["price"], category_id=product["category_id"], active=0)
    ward.use_cases.products.update(ward.admin, product_id, draft)


def test_the_area_of_a_sheet_is_the_area_of_its_room(ward: Ward) -> None:
    theatre = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    here, there = ward.sheet()["id"], ward.sheet(room_id=room(ward, theatre))["id"]
    with ward.store.read() as views:
        assert [views.usual_products.place_of(sheet) for sheet in (here, there, 999)] == [
            SheetPlace(ward.area_id, is_page=False),
            SheetPlace(theatre, is_page=False),
            None,
        ]


def test_a_users_products_come_newest_first_without_repeats(ward: Ward) -> None:
    gauze, tube, glove = products(ward, "Gasa", "Sonda", "Guante")
    sheet_id = ward.sheet()["id"]
    record(ward, sheet_id, gauze, tube, gauze, glove, gauze, tube, by=ward.nurse)
    record(ward, sheet_id, glove)
    assert of_person(ward, ward.nurse) == [tube, gauze, glove]
    assert of_person(ward, ward.nurse, most=2) == [tube, gauze]
    assert of_person(ward, ward.admin) == [glove]
    assert of_person(ward, ward.supervisor) == []


def test_a_users_products_look_back_a_limited_number_of_details(ward: Ward) -> None:
    long_ago, once, always = products(ward, "Gasa", "Sonda", "Guante")
    sheet_id = ward.sheet()["id"]
    record(ward, sheet_id, long_ago, once, *[always] * (LATEST_OF_PERSON - 1))
    assert of_person(ward, ward.admin) == [always, once]


def test_inactive_products_and_voided_lines_are_not_usual(ward: Ward) -> None:
    gauze, tube, glove = products(ward, "Gasa", "Sonda", "Guante")
    sheet_id = ward.sheet()["id"]
    record(ward, sheet_id, gauze, tube)
    slip = ward.detail(sheet_id, product_id=glove)
    ward.use_cases.details.delete(ward.admin, slip["id"])
    retire(ward, tube)
    assert of_person(ward, ward.admin) == of_area(ward) == [gauze]


def pinned(ward: Ward, who: Actor, most: int = 100) -> list[int]:
    with ward.store.read() as views:
        return [product["id"] for product in views.usual_products.pinned(who.user_id, most=most)]


def test_pinned_products_come_in_pin_order_for_each_user(ward: Ward) -> None:
    gauze, tube, glove = products(ward, "Gasa", "Sonda", "Guante")
    pin, unpin = ward.use_cases.products.pin, ward.use_cases.products.unpin
    for product_id in (tube, gauze, tube, glove, tube):
        ward.clock.advance(seconds=1)
        pin(ward.nurse, product_id)
    pin(ward.admin, glove)
    assert pinned(ward, ward.nurse) == [tube, gauze, glove]
    assert pinned(ward, ward.nurse, most=2) == [tube, gauze]
    assert pinned(ward, ward.admin) == [glove]
    for product_id in (tube, tube):
        unpin(ward.nurse, product_id)
    pin(ward.nurse, tube)
    assert pinned(ward, ward.nurse) == [gauze, glove, tube]
    retire(ward, gauze)
    assert pinned(ward, ward.nurse) == [glove, tube]


def test_pins_are_deleted_with_their_product(ward: Ward) -> None:
    gauze, tube = products(ward, "Gasa", "Sonda")
    for product_id in (gauze, tube):
        ward.use_cases.products.pin(ward.nurse, product_id)
    ward.use_cases.products.delete(ward.admin, gauze)
    with ward.store.begin() as work:
        work.products.remove_all([tube])
    assert pinned(ward, ward.nurse) == []
    for call in (ward.use_cases.products.pin, ward.use_cases.products.unpin):
        with pytest.raises(NotFound):
            call(ward.nurse, gauze)


def test_an_areas_products_come_by_number_of_lines(ward: Ward) -> None:
    gauze, tube, glove, mask = products(ward, "Gasa", "Sonda", "Guante", "Mascarilla")
    here, beside = ward.sheet()["id"], ward.sheet(room_id=room(ward, ward.area_id))["id"]
    record(ward, here, gauze, tube, tube, by=ward.nurse)
    record(ward, beside, gauze, gauze, mask)
    ward.detail(beside, "500", product_id=glove)
    # The glove is the newest of the products with a single line.
    assert of_area(ward) == [gauze, tube, glove, mask]
    assert of_area(ward, most=2) == [gauze, tube]


def test_products_of_other_areas_do_not_count(ward: Ward) -> None:
    theatre = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    gauze, tube = products(ward, "Gasa", "Sonda")
    record(ward, ward.sheet()["id"], gauze)
    record(ward, ward.sheet(room_id=room(ward, theatre))["id"], tube, tube)
    # The area of a detail is where the product was used; the usual products use the area of the patient's room.
    ward.detail(ward.sheet()["id"], product_id=gauze, area_id=theatre)
    assert of_area(ward) == [gauze]
    assert of_area(ward, theatre) == [tube]
    assert of_area(ward, 999) == []


def test_closed_sheets_count_if_among_the_newest_of_their_room(ward: Ward) -> None:
    old, new = products(ward, "Gasa", "Sonda")
    oldest = ward.sheet()["id"]
    record(ward, oldest, old, old, old)
    ward.use_cases.sheets.close(ward.admin, oldest)
    for _ in range(LATEST_OF_ROOM - 1):
        record(ward, ward.sheet()["id"], new)
    assert of_area(ward) == [old, new]
    ward.sheet()
    assert of_area(ward) == [new]


def test_an_area_looks_back_a_limited_number_of_sheets(ward: Ward) -> None:
    old, new = products(ward, "Gasa", "Sonda")
    record(ward, ward.sheet()["id"], old)
    record(ward, ward.sheet(room_id=room(ward, ward.area_id))["id"], new)
    for _ in range(LATEST_OF_AREA - 2):
        ward.sheet(room_id=room(ward, ward.area_id))
    assert of_area(ward) == [new, old]
    ward.sheet(room_id=room(ward, ward.area_id))
    assert of_area(ward) == [new]


def test_a_long_sheet_counts_by_its_newest_lines(ward: Ward) -> None:
    once, always = products(ward, "Gasa", "Guante")
    sheet_id = ward.sheet()["id"]
    record(ward, sheet_id, once, *[always] * (LATEST_OF_SHEET - 1))
    assert of_area(ward) == [always, once]
    record(ward, sheet_id, always)
    assert of_area(ward) == [always]


def test_quantities_of_a_product_come_newest_first(ward: Ward) -> None:
    gauze, tube = products(ward, "Gasa", "Sonda")
    here, there = ward.sheet()["id"], ward.sheet()["id"]
    for sheet_id, product_id, quantity in ((here, gauze, "2"), (there, gauze, "0.5"), (here, tube, "7")):
        ward.detail(sheet_id, quantity, product_id=product_id)
    ward.detail(there, "300", product_id=gauze, by=ward.nurse)
    with ward.store.read() as views:
        look = views.usual_products.quantities
        assert look(gauze, most=9) == [Decimal(300), Decimal("0.5"), Decimal(2)]
        assert look(gauze, most=2) == [Decimal(300), Decimal("0.5")]
        assert look(999, most=9) == []


def test_a_usual_product_has_all_fields(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"])
    with ward.store.read() as views:
        whole = views.products.one(ward.product_id)
        assert views.usual_products.of_person(ward.admin.user_id, is_page=False, most=1) == [whole]
        assert views.usual_products.of_area(SheetPlace(ward.area_id, is_page=False), most=1) == [whole]


def numbers(ward: Ward, sheet_id: int) -> tuple[list[int], list[int]]:
    """Return the nurse's products by number, and the changed ones."""
    view = ward.use_cases.sheets.list_usual_products(ward.nurse, sheet_id)
    return [product["id"] for product in view["items"]], view["changed"]


def test_a_user_has_one_list_for_each_area_and_shift(ward: Ward) -> None:
    here, beside = ward.sheet()["id"], ward.sheet(patient_id=ward.patient("Eva", "Sol").id)["id"]
    first, second, third = (ward.product(f"Venda {number}").id for number in range(3))
    for product_id in (first, second):
        ward.detail(here, product_id=product_id, by=ward.nurse)
    assert numbers(ward, here) == ([second, first], [])
    # Whatever is recorded or pinned, on whichever sheet, the numbers stay until the shift ends.
    ward.detail(beside, product_id=third, by=ward.nurse)
    ward.detail(beside, product_id=first, by=ward.nurse)
    ward.use_cases.products.pin(ward.nurse, third)
    assert numbers(ward, beside) == numbers(ward, here) == ([second, first, third], [])
    ward.clock.advance(hours=9)
    assert numbers(ward, beside) == numbers(ward, here) == ([third, second, first], [third, second, first])
    ward.clock.advance(hours=9)
    assert numbers(ward, here) == ([third, second, first], [])
