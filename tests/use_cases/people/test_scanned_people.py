"""Patients of scanned wristbands and labels."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from application.audit.views import AuditQuery
from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.rooms import RoomDraft
from application.people.merge_patients import MergeDraft
from application.people.scanned_views import ScannedPersonView
from application.scanning.look_up_product import Lookup
from application.scanning.views import ProductLookupView
from application.sheets.open_sheet import open_sheet
from domain.common.policy import Actor, Permission, Role
from domain.scanning.label import LabelKind, label_text
from tests.builders import TODAY, Ward, own_label

GS = "\x1d"


MISSING_KIT = {"kind": "kit", "state": "missing", "kit_id": None}


GSRN = "952000000000000019"


BORN = date(1951, 2, 3)


def look_up(ward: Ward, scan: str, who: Actor | None = None) -> ProductLookupView:
    return ward.use_cases.products.look_up(who or ward.nurse, Lookup(scan=scan))


def people(ward: Ward, scan: str) -> list[int]:
    found = look_up(ward, scan)
    assert found["noted"] is None
    return [person["id"] for person in found["people"]]


@pytest.fixture
def ana(ward: Ward) -> int:
    """Return a patient with an open sheet of a visit, among other patients."""
    patient = ward.patient("Ana", "Vega", record_number="EXP-2026-0013", date_of_birth=BORN)
    with ward.store.begin() as work:
        open_sheet(work, ward.admin, ward.sheet_draft(patient_id=patient.id), ward.clock.now, visit_number="V-77")
    ward.sheet(patient_id=ward.patient("Eva", "Soto", record_number="EXP-2026-0014").id)
    return patient.id


@pytest.mark.parametrize(
    "scan",
    [
        *("EXP-2026-0013", "exp-2026-0013", "  EXP-2026-0013 \r\n", "EXP20260013", "*EXP-2026-0013*"),
        *("]C0EXP-2026-0013", "EXP-2026-0013^^^HOSP", "EXP-2026-0013^^^HOSP&1.2&ISO^MR", "V-77", "v-77"),
        # scanned with another keyboard layout
        "EXP'2026'0013",
    ],
)
def test_a_number_finds_its_patient_in_every_scanned_form(ward: Ward, ana: int, scan: str) -> None:
    assert people(ward, scan) == [ana]


def test_a_scanned_person_has_room_and_birth_date(ward: Ward, ana: int) -> None:
    [person] = look_up(ward, "EXP-2026-0013")["people"]
    [sheet] = person["sheets"]
    assert person == ScannedPersonView(
        id=ana,
        name="Ana",
        first_surname="Vega",
        second_surname=None,
        record_number="EXP-2026-0013",
        date_of_birth=BORN,
        sheet_id=None,
        sheets=[{"id": sheet["id"], "room": {"id": ward.room_id, "name": "101"}, "admission_date": TODAY}],
    )
    [visitor] = look_up(ward, "V-77")["people"]
    assert visitor == {**person, "sheet_id": sheet["id"]}


def test_a_former_number_finds_the_surviving_patient(ward: Ward, ana: int) -> None:
    merged = ward.patient("Ana", "Bega", record_number="VIEJO-1").id
    assert people(ward, "VIEJO-1") == [merged]
    ward.use_cases.patients.merge(ward.admin, merged, MergeDraft(into_id=ana, reason="La misma", number_end="VIEJO-1"))
    assert people(ward, "viejo-1") == [ana]


@pytest.mark.parametrize(
    "scan",
    [
        *(f"8018{GSRN}", f"(8018){GSRN}", f"]C18018{GSRN}", f"]d28018{GSRN}801901", f"]d28018{GSRN}{GS}10L1"),
        f"]d2{GS}8018{GSRN}{GS}21X",
    ],
)
def test_a_service_relation_number_finds_its_patient(ward: Ward, scan: str) -> None:
    assert people(ward, scan) == []
    patient = ward.patient("Ana", "Vega", record_number=GSRN).id
    assert people(ward, scan) == [patient]


def test_a_label_of_this_program_finds_its_sheet(ward: Ward, ana: int) -> None:
    room = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="102", status=1, type=1, area_id=ward.area_id))
    later = ward.sheet(patient_id=ana, room_id=room.id, admission_date=TODAY)["id"]
    label = own_label(ward, LabelKind.SHEET, later)
    [person] = look_up(ward, label.lower())["people"]
    assert (person["id"], person["sheet_id"]) == (ana, later)
    # The answer has both open sheets, newest first.
    assert [sheet["room"]["name"] for sheet in person["sheets"]] == ["102", "101"]
    assert look_up(ward, label)["label"] == {"kind": "sheet", "state": "found", "kit_id": None}
    damaged = label[:-1] + str((int(label[-1]) + 1) % 10)
    missing = own_label(ward, LabelKind.SHEET, 999)
    assert people(ward, damaged) == people(ward, missing) == people(ward, "CNSS" + "9" * 30) == []
    assert look_up(ward, damaged)["label"] is None
    assert look_up(ward, missing)["label"] == {"kind": "sheet", "state": "missing", "kit_id": None}


def test_a_label_of_another_installation_finds_nothing(ward: Ward, ana: int) -> None:
    with ward.store.read() as views:
        other = views.installation_number() % 900_000 + 100_000
    for kind, number in ((LabelKind.PATIENT, ana), (LabelKind.PRODUCT, ward.product_id)):
        found = look_up(ward, label_text(kind, number, other))
        assert (found["people"], found["matches"], found["noted"]) == ([], [], None)
        assert found["label"] == {"kind": kind.name.lower(), "state": "foreign", "kit_id": None}


def test_a_product_label_finds_the_product_without_code(ward: Ward) -> None:
    found = look_up(ward, own_label(ward, LabelKind.PRODUCT, ward.product_id))
    assert [match["product"]["id"] for match in found["matches"]] == [ward.product_id]
    assert found["label"] == {"kind": "product", "state": "found", "kit_id": None}
    assert "price" not in found["matches"][0]["product"]


def test_a_kit_label_finds_visible_kits_only(ward: Ward) -> None:
    lines = (KitLineDraft(product_id=ward.product_id, quantity=Decimal(1)),)
    kits = ward.use_cases.kits
    shared = kits.create(ward.admin, KitDraft(name="Vía", own=False, lines=lines)).id
    own = kits.create(ward.admin, KitDraft(name="Mío", own=True, lines=lines)).id
    label = own_label(ward, LabelKind.KIT, shared)
    assert look_up(ward, label)["label"] == {"kind": "kit", "state": "found", "kit_id": shared}
    assert look_up(ward, own_label(ward, LabelKind.KIT, own))["label"] == MISSING_KIT
    mine = look_up(ward, own_label(ward, LabelKind.KIT, own), ward.admin)["label"]
    assert mine == {"kind": "kit", "state": "found", "kit_id": own}
    sheet_id = ward.sheet()["id"]
    ward.use_cases.details.add(ward.nurse, ward.detail_draft("1", kit_id=shared), sheet_id=sheet_id)
    kits.delete(ward.admin, shared)
    assert look_up(ward, label)["label"] == MISSING_KIT


def test_a_discharged_patient_has_no_open_sheet(ward: Ward, ana: int) -> None:
    [sheet] = look_up(ward, "V-77")["people"][0]["sheets"]
    ward.use_cases.sheets.close(ward.admin, sheet["id"])
    [person] = look_up(ward, "V-77")["people"]
    assert (person["id"], person["sheets"], person["sheet_id"]) == (ana, [], sheet["id"])


def test_a_scan_can_find_a_product_and_a_patient(ward: Ward, ana: int) -> None:
    product = ward.product("Sonda", code="EXP-2026-0013").id
    found = look_up(ward, "EXP-2026-0013")
    assert [match["product"]["id"] for match in found["matches"]] == [product]
    assert [person["id"] for person in found["people"]] == [ana]
    # Without separators, the scan matches only a product.
    other = ward.product("Otra", code="EXP20260013").id
    found = look_up(ward, "EXP20260013")
    assert ([match["product"]["id"] for match in found["matches"]], found["people"]) == ([other], [])


def test_a_scan_shaped_like_a_record_number_is_not_noted(ward: Ward, ana: int) -> None:
    del ana
    for scan in ("EXP-2026-9999", "exp20269999", "ABC-2026-0001", "EXP-2026-9999^^^HOSP"):
        assert people(ward, scan) == [], scan
    assert look_up(ward, "AB-1")["noted"] == {"system": "code", "code": "AB-1"}
    # Any eight digits may be a record number, even with a valid check digit; a symbol identifier proves a GTIN.
    ward.patient("Luz", "Mora", record_number="12345678")
    assert people(ward, "96385074") == []
    assert look_up(ward, "]E096385074")["noted"] == {"system": "gtin", "code": "00000096385074"}
    noted = ward.use_cases.products.list_unknown_codes(ward.supervisor)["items"]
    assert {one["code"] for one in noted} == {"00000096385074", "AB-1"}


@pytest.mark.parametrize("lacking", [Permission.READ_PATIENTS, Permission.READ_SHEETS])
def test_without_permission_a_scan_finds_no_patient(ward: Ward, ana: int, lacking: Permission) -> None:
    scopes = {Permission.READ_CATALOGUE, Permission.READ_PATIENTS, Permission.READ_SHEETS}
    program = Actor(user_id=ward.nurse.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=frozenset(scopes))
    assert [person["id"] for person in look_up(ward, "V-77", program)["people"]] == [ana]
    program = replace(program, scopes=frozenset(scopes - {lacking}))
    found = look_up(ward, "V-77", program)
    assert (found["people"], found["noted"]) == ([], None)


def test_a_scan_is_not_logged_as_a_read_of_a_sheet(ward: Ward, ana: int) -> None:
    del ana

    def looks() -> list[str]:
        with ward.store.begin() as work:
            return [entry["action"] for entry in work.views.audit.page(AuditQuery(user_id=ward.nurse.user_id))["items"]]

    before = looks()
    ward.clock.advance(seconds=1)
    look_up(ward, "V-77")
    assert looks() == ["patient.read", *before]
    ward.patient("Ana", "Vega", record_number="7-7")
    ward.patient("Eva", "Vega", record_number="77")
    look_up(ward, "7.7")
    assert looks() == ["patient.listed", "patient.read", *before]
