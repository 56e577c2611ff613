"""Kits: managing personal and shared ones, and recording with them."""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.products import ProductDraft
from application.catalogue.views import KitQuery
from application.sheets.lines.record_details import DetailsDraft
from domain.catalogue.kit import MAX_OWN, Kit
from domain.common.errors import Code, NotFound, Reason, Refused, VersionConflict
from domain.common.policy import Actor
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import audit_log, nothing_written


def line(product_id: int | None, quantity: str = "1", **particulars: Any) -> KitLineDraft:
    return KitLineDraft(product_id=product_id, quantity=Decimal(quantity), **particulars)


def draft(ward: Ward, name: str = "Vía periférica", **particulars: Any) -> KitDraft:
    return KitDraft(**{"name": name, "lines": (line(ward.product_id, "2"),)} | particulars)


def create(ward: Ward, who: Actor, name: str = "Vía periférica", **particulars: Any) -> Kit:
    return ward.use_cases.kits.create(who, draft(ward, name, **particulars))


def listed(ward: Ward, who: Actor, **asked: Any) -> list[str]:
    return [kit["name"] for kit in ward.use_cases.kits.reader.page(who, KitQuery(**asked))["items"]]


def retire(ward: Ward, product_id: int) -> None:
    product = ward.use_cases.products.reader.one(ward.admin, product_id)
    retired = ProductDraft(name=product["name"], price=product["price"], category_id=product["category_id"], active=0)
    ward.use_cases.products.update(ward.admin, product_id, retired)


# --- managing --------------------------------------------------------------------------------------------------------


def test_a_line_is_as_fine_as_its_product(ward: Ward) -> None:
    whole = ward.product("Catéter", decimals=0).id
    with refused((Code.QUANTITY_TOO_FINE, "lines.1.quantity")):
        create(ward, ward.nurse, own=True, lines=(line(ward.product_id, "0.5"), line(whole, "0.5")))
    kit = create(ward, ward.nurse, own=True, lines=(line(ward.product_id, "0.5"),))
    product = ward.use_cases.products.reader.one(ward.admin, ward.product_id)
    coarser = ProductDraft(name=product["name"], price=product["price"], category_id=ward.category_id, decimals=0)
    ward.use_cases.products.update(ward.admin, ward.product_id, coarser)
    # What the kit has already does not hinder another change of it.
    renamed = draft(ward, "Otra", own=True, lines=(line(ward.product_id, "0.5"),))
    assert ward.use_cases.kits.update(ward.nurse, kit.id, renamed).name == "Otra"


def test_a_kit_is_read_as_saved_with_product_names_and_no_prices(ward: Ward) -> None:
    tape = ward.product("Esparadrapo", "7.77", unit="rollo", code="E-1")
    lines = (line(tape.id, "0.5", optional=True), line(ward.product_id, "2"))
    kit = create(ward, ward.supervisor, lines=lines, area_id=ward.area_id)
    assert ward.use_cases.kits.reader.one(ward.nurse, kit.id) == {
        "id": kit.id,
        "name": "Vía periférica",
        "area_id": ward.area_id,
        "area": {"id": ward.area_id, "name": "Urgencias"},
        "own": False,
        "user_id": None,
        "lines": [
            {
                "product_id": tape.id,
                "product": {"id": tape.id, "code": "E-1", "name": "Esparadrapo", "unit": "rollo", "active": True},
                "quantity": Decimal("0.5"),
                "optional": True,
            },
            {
                "product_id": ward.product_id,
                "product": {
                    "id": ward.product_id, "code": None, "name": "Gasa estéril", "unit": None, "active": True
                },
                "quantity": Decimal(2),
                "optional": False,
            },
        ],
        "version": 1,
    }  # fmt: skip


def test_each_change_is_logged_with_old_and_new_lines(ward: Ward) -> None:
    gauze, tape = ward.product_id, ward.product("Esparadrapo").id
    kit = create(ward, ward.nurse, own=True)
    changed = draft(ward, "Vía", lines=(line(gauze, "2"), line(tape, optional=True)))
    ward.use_cases.kits.update(ward.nurse, kit.id, changed)
    ward.use_cases.kits.update(ward.nurse, kit.id, changed)
    ward.use_cases.kits.delete(ward.nurse, kit.id)
    reported = [(one.action, one.entity, one.changes["lines"]) for one in audit_log(ward) if one.entity == "kit"]
    before, after = "2 Gasa estéril", "2 Gasa estéril; (1 Esparadrapo)"
    assert reported == [
        ("kit.created", "kit", (None, before)),
        ("kit.updated", "kit", (before, after)),
        ("kit.deleted", "kit", (after, None)),
    ]


def test_all_errors_of_a_kit_are_reported_at_once(ward: Ward) -> None:
    old = ward.product("Termómetro de mercurio", active=0)
    create(ward, ward.admin)
    lines = (
        line(999),
        line(old.id),
        line(ward.product_id, "-1"),
        line(ward.product_id),
        KitLineDraft(parse_errors=(Reason(Code.NUMBER_EXPECTED, "quantity"),)),
    )
    with (
        nothing_written(ward),
        refused(
            (Code.REFERENCE_UNKNOWN, "area_id"),
            (Code.REFERENCE_UNKNOWN, "lines.0.product_id"),
            (Code.PRODUCT_INACTIVE, "lines.1.product_id"),
            (Code.NEGATIVE, "lines.2.quantity"),
            (Code.NUMBER_EXPECTED, "lines.4.quantity"),
            (Code.REQUIRED, "lines.4.product_id"),
            (Code.KIT_PRODUCT_TWICE, "lines.3.product_id"),
            (Code.TAKEN, "name"),
        ),
    ):
        create(ward, ward.admin, "VÍA periférica", area_id=999, lines=lines)


def test_a_product_that_became_inactive_may_stay_in_its_kit(ward: Ward) -> None:
    kit = create(ward, ward.admin)
    retire(ward, ward.product_id)
    assert ward.use_cases.kits.update(ward.admin, kit.id, draft(ward, "Vía")).name == "Vía"
    assert ward.use_cases.kits.reader.one(ward.admin, kit.id)["lines"][0]["product"]["active"] is False


def test_a_kit_name_is_unique_for_its_owner(ward: Ward) -> None:
    for who, own in ((ward.nurse, True), (ward.admin, True), (ward.admin, False)):
        create(ward, who, own=own)
        with refused((Code.TAKEN, "name")):
            create(ward, who, "vía PERIFÉRICA", own=own)


def test_the_number_of_personal_kits_is_limited(ward: Ward) -> None:
    kits = [create(ward, ward.nurse, f"Vía {number}", own=True) for number in range(MAX_OWN)]
    with nothing_written(ward), refused(Code.KITS_TOO_MANY):
        create(ward, ward.nurse, own=True)
    ward.use_cases.kits.update(ward.nurse, kits[0].id, draft(ward))
    create(ward, ward.admin, own=True)
    ward.use_cases.kits.delete(ward.nurse, kits[0].id)
    create(ward, ward.nurse, own=True)


def test_the_limit_applies_when_a_shared_kit_becomes_personal(ward: Ward) -> None:
    for number in range(MAX_OWN):
        create(ward, ward.admin, f"Vía {number}", own=True)
    shared = create(ward, ward.admin)
    with refused(Code.KITS_TOO_MANY):
        ward.use_cases.kits.update(ward.admin, shared.id, draft(ward, own=True))


def test_an_old_version_is_neither_changed_nor_deleted(ward: Ward) -> None:
    kit = create(ward, ward.admin)
    ward.use_cases.kits.update(ward.admin, kit.id, draft(ward, "Vía"), frozenset({1}))
    with nothing_written(ward):
        with pytest.raises(VersionConflict):
            ward.use_cases.kits.update(ward.admin, kit.id, draft(ward), frozenset({1}))
        with pytest.raises(VersionConflict):
            ward.use_cases.kits.delete(ward.admin, kit.id, frozenset({1}))


# --- owners ----------------------------------------------------------------------------------------------------------


def test_ward_staff_manage_personal_kits_only(ward: Ward) -> None:
    shared = create(ward, ward.supervisor)
    with nothing_written(ward):
        for refused_call in (
            lambda: create(ward, ward.nurse),
            lambda: ward.use_cases.kits.update(ward.nurse, shared.id, draft(ward)),
            lambda: ward.use_cases.kits.update(ward.nurse, shared.id, draft(ward, own=True)),
            lambda: ward.use_cases.kits.delete(ward.nurse, shared.id),
        ):
            with pytest.raises(Refused, match=Code.KIT_FOR_SUPERVISION):
                refused_call()
    own = create(ward, ward.nurse, own=True)
    with pytest.raises(Refused, match=f"own:{Code.KIT_FOR_SUPERVISION}"):
        ward.use_cases.kits.update(ward.nurse, own.id, draft(ward, own=False))
    ward.use_cases.kits.delete(ward.nurse, own.id)


def test_a_personal_kit_is_hidden_even_from_administrators(ward: Ward) -> None:
    kit = create(ward, ward.nurse, own=True)
    assert listed(ward, ward.admin) == []
    for call in (
        lambda: ward.use_cases.kits.reader.one(ward.admin, kit.id),
        lambda: ward.use_cases.kits.update(ward.admin, kit.id, draft(ward)),
        lambda: ward.use_cases.kits.delete(ward.admin, kit.id),
    ):
        with pytest.raises(NotFound):
            call()


def test_supervisors_share_kits_and_updates_keep_the_owner(ward: Ward) -> None:
    kit = create(ward, ward.supervisor, own=True)
    assert ward.use_cases.kits.update(ward.supervisor, kit.id, draft(ward, "Vía")).user_id == ward.supervisor.user_id
    ward.use_cases.kits.update(ward.supervisor, kit.id, draft(ward, "Vía", own=False))
    assert listed(ward, ward.nurse) == ["Vía"]
    assert ward.use_cases.kits.update(ward.admin, kit.id, draft(ward)).user_id is None


def test_personal_kits_come_first_then_an_areas_then_the_others(ward: Ward) -> None:
    theatre = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    create(ward, ward.admin, "Aspiración")
    create(ward, ward.admin, "Sonda", area_id=ward.area_id)
    create(ward, ward.admin, "Parto", area_id=theatre)
    create(ward, ward.nurse, "Vía", own=True, area_id=theatre)
    assert listed(ward, ward.nurse) == ["Vía", "Parto", "Sonda", "Aspiración"]
    assert listed(ward, ward.nurse, area_id=ward.area_id) == ["Vía", "Sonda", "Aspiración"]
    assert listed(ward, ward.admin, area_id=ward.area_id) == ["Sonda", "Aspiración"]
    assert listed(ward, ward.nurse, q="son") == ["Sonda"]


def test_deleting_a_user_deletes_or_retires_their_kits(ward: Ward) -> None:
    kit = create(ward, ward.nurse, own=True)
    used = create(ward, ward.nurse, "Sonda", own=True)
    detail = ward.detail(ward.sheet()["id"], by=ward.nurse, kit_id=used.id)
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    with ward.store.begin() as work:
        left = work.kits.get(used.id)
        assert left is not None
        assert (work.kits.get(kit.id), left.active) == (None, False)
    assert ward.use_cases.details.reader.one(ward.admin, detail["id"])["kit_id"] == used.id


# --- recording -------------------------------------------------------------------------------------------------------


def test_lines_keep_the_kit_they_were_recorded_with(ward: Ward) -> None:
    kit, sheet_id = create(ward, ward.admin), ward.sheet()["id"]
    together = DetailsDraft(items=(ward.detail_draft("3"), ward.detail_draft("2")), kit_id=kit.id)
    recorded = ward.use_cases.details.record_many(ward.nurse, sheet_id, together).answer["items"]
    single = ward.detail(sheet_id, by=ward.nurse, kit_id=kit.id)
    for each in (*recorded, single):
        assert each["kit_id"] == kit.id
        assert ward.use_cases.details.reader.one(ward.admin, each["id"])["kit_id"] == kit.id
    edited = ward.use_cases.details.edit(ward.admin, single["id"], ward.detail_draft("9"))
    assert (edited["kit_id"], edited["kit"]) == (kit.id, {"id": kit.id, "name": kit.name})
    assert [one.changes["kit_id"] for one in audit_log(ward) if one.action == "detail.added"] == [(None, kit.id)] * 3


def test_lines_can_be_recorded_with_a_deleted_kit(ward: Ward) -> None:
    kit, sheet_id = create(ward, ward.admin), ward.sheet()["id"]
    ward.detail(sheet_id, kit_id=kit.id)
    ward.use_cases.kits.delete(ward.admin, kit.id)
    assert listed(ward, ward.admin) == []
    with pytest.raises(NotFound):
        ward.use_cases.kits.reader.one(ward.admin, kit.id)
    assert ward.detail(sheet_id, "5", kit_id=kit.id)["kit_id"] == kit.id
    create(ward, ward.admin)


@pytest.mark.parametrize("own", [True, False])
def test_a_kit_that_is_not_visible_is_refused_once(ward: Ward, own: bool) -> None:
    sheet_id = ward.sheet()["id"]
    kit_id = create(ward, ward.admin, own=True).id if own else 99
    together = DetailsDraft(items=(ward.detail_draft(),) * 3, kit_id=kit_id)
    with nothing_written(ward), refused((Code.REFERENCE_UNKNOWN, "kit_id")):
        ward.use_cases.details.record_many(ward.nurse, sheet_id, together)
    with nothing_written(ward), refused((Code.REFERENCE_UNKNOWN, "kit_id")):
        ward.detail(sheet_id, by=ward.nurse, kit_id=kit_id)


def test_products_and_area_of_a_kit_cannot_be_deleted(ward: Ward) -> None:
    tape = ward.product("Esparadrapo").id
    theatre = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano")).id
    kit = create(ward, ward.admin, lines=(line(tape), line(ward.product_id)), area_id=theatre)
    ward.detail(ward.sheet()["id"], kit_id=kit.id)
    with refused(Code.IN_USE):
        ward.use_cases.products.delete(ward.admin, tape)
    with refused(Code.IN_USE):
        ward.use_cases.areas.delete(ward.admin, theatre)
    ward.use_cases.kits.delete(ward.admin, kit.id)
    ward.use_cases.products.delete(ward.admin, tape)
    ward.use_cases.areas.delete(ward.admin, theatre)
