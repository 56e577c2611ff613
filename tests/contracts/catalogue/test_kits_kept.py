"""Contract of every store: kits, their ordered lines and references."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from application.catalogue.areas import AreaDraft
from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.views import KitQuery, KitView
from application.common.paging import Sort
from application.sheets.detail_views import DetailQuery
from domain.catalogue.kit import MAX_OWN, Kit, KitLine
from domain.common.errors import Code, Refused
from domain.common.policy import Actor
from domain.common.text import unique_key
from tests.assertions import refused
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once


def kit_of(ward: Ward, name: str = "Vía periférica", **particulars: Any) -> Kit:
    lines = (KitLine(product_id=ward.product_id, quantity=Decimal("2.125")),)
    return Kit(**{"name": name, "lines": lines} | particulars)


def kept(ward: Ward, *kits: Kit) -> list[Kit]:
    with ward.store.begin() as work:
        for kit in kits:
            work.kits.add(kit)
    return list(kits)


def draft(ward: Ward, name: str = "Vía", **particulars: Any) -> KitDraft:
    line = KitLineDraft(product_id=ward.product_id, quantity=Decimal(1))
    return KitDraft(**{"name": name, "lines": (line,)} | particulars)


def read(ward: Ward, who: Actor | None = None, **asked: Any) -> list[KitView]:
    with ward.store.read() as views:
        return views.kits.page(KitQuery(user_id=who.user_id if who else 0, **asked))["items"]


def names(ward: Ward, who: Actor | None = None, **asked: Any) -> list[str]:
    return [kit["name"] for kit in read(ward, who, **asked)]


def test_a_kit_is_stored_in_every_field_with_ordered_lines(ward: Ward) -> None:
    tape, tube = ward.product("Esparadrapo").id, ward.product("Sonda").id
    lines = (
        KitLine(product_id=tube, quantity=Decimal("0.000")),
        KitLine(product_id=ward.product_id, quantity=Decimal("0.125"), optional=True),
    )
    [kit] = kept(ward, kit_of(ward, area_id=ward.area_id, user_id=ward.nurse.user_id, lines=lines, version=3))
    swapped = replace(kit, name="Vía ½", area_id=None, user_id=None, version=4, lines=(
        replace(lines[1], optional=False), KitLine(product_id=tape, quantity=Decimal(1)), lines[0]
    ))  # fmt: skip
    with ward.store.begin() as work:
        assert work.kits.get(kit.id) == work.kits.lock(kit.id) == kit
        work.kits.save(swapped)
    with ward.store.begin() as work:
        assert work.kits.get(kit.id) == swapped
        work.kits.save(swapped.retired())
    with ward.store.begin() as work:
        assert work.kits.get(kit.id) == swapped.retired()
        work.kits.remove(swapped)
        assert work.kits.get(kit.id) is work.kits.lock(kit.id) is None
    with ward.store.read() as views:
        assert views.kits.one(kit.id) is None


def test_a_detail_is_read_with_the_name_of_its_kit(ward: Ward) -> None:
    [kit] = kept(ward, kit_of(ward))
    sheet_id = ward.sheet()["id"]
    used, other = ward.detail(sheet_id, by=ward.nurse, kit_id=kit.id), ward.detail(sheet_id, by=ward.nurse)
    with ward.store.read() as views:
        read = {one["id"]: one for one in views.details.page(DetailQuery(consumption_sheet_id=sheet_id))["items"]}
    reported = {"id": kit.id, "name": "Vía periférica"}
    assert (
        [read[one["id"]]["kit"] for one in (used, other)] == [one["kit"] for one in (used, other)] == [reported, None]
    )


def test_a_kit_is_found_by_owner_and_name(ward: Ward) -> None:
    mine, theirs = ward.nurse.user_id, ward.admin.user_id
    shared, own = kept(ward, kit_of(ward), kit_of(ward, user_id=mine))
    key = unique_key("VÍA periférica")
    with ward.store.begin() as work:
        assert work.kits.find("name", (0, key)) == shared
        assert work.kits.find("name", (mine, key)) == own
        assert work.kits.find("name", (theirs, key)) is work.kits.find("name", (0, "x")) is None
        work.kits.save(shared.retired())
        assert work.kits.find("name", (0, key)) is None
        work.kits.add(kit_of(ward))
        assert work.kits.owned_by(mine) == [own]
        work.kits.save(own.retired())
        assert work.kits.owned_by(mine) == work.kits.owned_by(theirs) == []


def test_two_kits_of_one_owner_cannot_have_the_same_name(ward: Ward) -> None:
    kept(ward, kit_of(ward), kit_of(ward, user_id=ward.nurse.user_id), kit_of(ward, user_id=ward.admin.user_id))
    for user_id in (None, ward.nurse.user_id):
        with refused((Code.TAKEN, "name")):
            kept(ward, kit_of(ward, "VÍA PERIFÉRICA", user_id=user_id))


def test_references_to_and_from_a_kit_count_as_uses(ward: Ward) -> None:
    [kit] = kept(ward, kit_of(ward, area_id=ward.area_id, user_id=ward.nurse.user_id))
    before = _uses(ward)
    detail = ward.detail(ward.sheet()["id"], by=ward.nurse, kit_id=kit.id)
    with ward.store.begin() as work:
        assert work.kits.reference_count(kit.id) == 1
    with refused(Code.IN_USE), ward.store.begin() as work:
        work.kits.remove(kit)
    ward.use_cases.details.delete(ward.admin, detail["id"])
    with ward.store.begin() as work:
        assert work.kits.reference_count(kit.id) == 1, "a void line stays"
    ward.use_cases.sheets.delete(ward.admin, detail["consumption_sheet_id"])
    assert _uses(ward) == before
    with ward.store.begin() as work:
        assert work.kits.reference_count(kit.id) == 0
        work.kits.save(kit.retired())
    assert before - _uses(ward) == Counter(products=1, areas=1)


def _uses(ward: Ward) -> Counter[str]:
    with ward.store.begin() as work:
        return Counter(
            products=work.products.reference_count(ward.product_id),
            areas=work.areas.reference_count(ward.area_id),
            users=work.users.reference_count(ward.nurse.user_id),
        )


def test_lists_have_own_kits_first_then_those_of_the_area(ward: Ward) -> None:
    theatre = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    kept(
        ward,
        kit_of(ward, "Aspiración"),
        kit_of(ward, "sonda vesical", area_id=ward.area_id),
        kit_of(ward, "Párto", area_id=theatre),
        kit_of(ward, "Vía", user_id=ward.nurse.user_id, area_id=theatre),
        kit_of(ward, "Sutura", user_id=ward.nurse.user_id),
        kit_of(ward, "Ajena", user_id=ward.admin.user_id),
        kit_of(ward, "Vieja").retired(),
    )
    assert names(ward, ward.nurse) == ["Vía", "Sutura", "Párto", "sonda vesical", "Aspiración"]
    assert names(ward, ward.nurse, area_id=theatre) == ["Vía", "Sutura", "Párto", "Aspiración"]
    assert names(ward, ward.nurse, own=True) == ["Vía", "Sutura"]
    assert names(ward, ward.nurse, own=True, area_id=ward.area_id) == ["Vía", "Sutura"]
    assert names(ward, ward.nurse, own=False) == ["Párto", "sonda vesical", "Aspiración"]
    assert names(ward) == ["Párto", "sonda vesical", "Aspiración"]
    assert names(ward, ward.nurse, q="PARTO") == ["Párto"]
    assert names(ward, ward.nurse, q="vesi son") == ["sonda vesical"]
    assert names(ward, ward.nurse, sort=Sort("name", descending=True))[:2] == ["Vía", "Sutura"]
    assert names(ward, ward.nurse, limit=2, page=2) == ["Párto", "sonda vesical"]
    with ward.store.read() as views:
        assert views.kits.page(KitQuery(user_id=ward.nurse.user_id, limit=2))["meta"]["total"] == 5
        for kit in read(ward, ward.nurse):
            assert views.kits.one(kit["id"]) == kit
            assert [line["product_id"] for line in kit["lines"]] == [ward.product_id]
        assert views.names("kit_id", [kit["id"] for kit in read(ward)]) == {
            kit["id"]: kit["name"] for kit in read(ward)
        }


def test_one_of_several_kits_with_the_same_name_is_created(ward: Ward) -> None:
    outcomes = at_once([partial(ward.use_cases.kits.create, who, draft(ward)) for who in [ward.admin] * 4])
    assert Counter(type(outcome) for outcome in outcomes) == {Kit: 1, Refused: 3}
    assert {outcome.reasons[0].code for outcome in outcomes if isinstance(outcome, Refused)} == {Code.TAKEN}


def test_concurrent_creations_do_not_exceed_the_kit_limit(ward: Ward) -> None:
    kept(ward, *(kit_of(ward, f"Vía {number}", user_id=ward.nurse.user_id) for number in range(MAX_OWN - 2)))
    quick = [draft(ward, f"Sonda {number}", own=True) for number in range(6)]
    outcomes = at_once([partial(ward.use_cases.kits.create, ward.nurse, each) for each in quick])
    assert Counter(type(outcome) for outcome in outcomes) == {Kit: 2, Refused: 4}
    assert len(read(ward, ward.nurse, limit=100)) == MAX_OWN


def test_a_kit_deleted_while_recording_is_kept_or_refused(ward: Ward) -> None:
    [kit] = kept(ward, kit_of(ward))
    sheet_id = ward.sheet()["id"]
    recorded, deleted = at_once(
        [
            partial(ward.detail, sheet_id, kit_id=kit.id),
            partial(ward.use_cases.kits.delete, ward.admin, kit.id),
        ]
    )
    if isinstance(recorded, Exception):
        assert isinstance(recorded, Refused)
        assert recorded.reasons[0].code in (Code.REFERENCE_UNKNOWN, Code.REFERENCE_GONE)
        assert deleted is None
    else:
        assert recorded["kit_id"] == kit.id
        assert deleted is None or (isinstance(deleted, Refused) and deleted.reasons[0].code is Code.IN_USE)
