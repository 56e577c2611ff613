"""Admitting and identifying unidentified patients."""

from datetime import date
from functools import partial
from typing import Any

import pytest

from application.audit.views import AuditQuery
from application.common.idempotency import IdempotencyKey
from application.people.identify_patient import IdentityDraft
from application.people.merge_patients import MergeDraft
from application.people.patients import PatientDraft
from application.sheets.admit_unidentified import UnidentifiedDraft
from application.sheets.views import SheetView
from domain.common.errors import Code, NotFound, Refused
from tests.builders import Ward

LUZ = IdentityDraft(name="Luz", first_surname="Soto", date_of_birth=date(1984, 5, 1), record_number="U-1")


def admit(ward: Ward, **told: Any) -> SheetView:
    draft = UnidentifiedDraft(**({"room_id": ward.room_id} | told))
    return ward.use_cases.sheets.admit_unidentified(ward.nurse, draft).answer


def codes(call: Any, *given: Any, **named: Any) -> list[Code]:
    with pytest.raises(Refused) as refused:
        call(*given, **named)
    return [reason.code for reason in refused.value.reasons]


def story(ward: Ward, patient_id: int) -> list[str]:
    with ward.store.read() as views:
        page = views.audit.page(AuditQuery(entity="patient", entity_id=patient_id, limit=100))
    return [entry["action"] for entry in page["items"]]


def patient(ward: Ward, patient_id: int) -> Any:
    with ward.store.read() as views:
        return views.patients.one(patient_id)


def test_patient_and_sheet_are_created_in_one_step(ward: Ward) -> None:
    sheet = admit(ward, sex="male", age=40, doctor="Dra. Vega")
    assert sheet["patient"] == {
        "id": sheet["patient_id"],
        "name": "",
        "first_surname": "Sin identificar 1 · hombre · ~40 años",
        "second_surname": None,
        "record_number": None,
        "date_of_birth": None,
        "unidentified": True,
    }
    assert (sheet["doctor"], sheet["room_id"], sheet["closed"]) == ("Dra. Vega", ward.room_id, False)
    assert patient(ward, sheet["patient_id"])["unidentified"] is True
    assert admit(ward)["patient"]["first_surname"] == "Sin identificar 2"


def test_everything_wrong_is_told_at_once(ward: Ward) -> None:
    draft = UnidentifiedDraft(sex="x", age=131, room_id=999)
    refused = codes(ward.use_cases.sheets.admit_unidentified, ward.nurse, draft)
    assert refused == [Code.CHOICE_UNKNOWN, Code.AGE_TOO_HIGH, Code.REFERENCE_UNKNOWN]
    assert codes(admit, ward, age=-1, room_id=None) == [Code.NEGATIVE, Code.REQUIRED]


def test_identifying_fills_in_the_record(ward: Ward) -> None:
    sheet = admit(ward)
    known = ward.use_cases.patients.identify(ward.nurse, sheet["patient_id"], LUZ)
    assert (known["name"], known["first_surname"], known["record_number"]) == ("Luz", "Soto", "U-1")
    assert "unidentified" not in known
    assert story(ward, sheet["patient_id"]) == ["patient.identified", "patient.created"]
    now = ward.use_cases.sheets.read(ward.nurse, sheet["id"])
    assert now["version"] > sheet["version"]
    assert "unidentified" not in now["patient"]
    # The number is free again.
    assert admit(ward)["patient"]["first_surname"] == "Sin identificar 1"
    assert codes(ward.use_cases.patients.identify, ward.nurse, sheet["patient_id"], LUZ) == [Code.PATIENT_IDENTIFIED]


def test_a_given_name_identifies_too(ward: Ward) -> None:
    patient_id = admit(ward)["patient_id"]
    update = partial(ward.use_cases.patients.update, ward.nurse, patient_id)
    update(PatientDraft(first_surname="Sin identificar 1 · hombre", record_number="T-7"))
    assert patient(ward, patient_id)["unidentified"] is True
    update(PatientDraft(name="Luz", first_surname="Soto", record_number="T-7"))
    assert "unidentified" not in patient(ward, patient_id)


def test_the_sheet_moves_to_a_known_patient(ward: Ward) -> None:
    sheet = admit(ward)
    line = ward.detail(sheet["id"], "3")
    known = ward.patient("Luz", "Soto", record_number="U-1", active=0)
    moved = ward.use_cases.patients.identify(ward.nurse, sheet["patient_id"], IdentityDraft(into_id=known.id))
    assert (moved["id"], moved["active"], moved["open_sheets"], moved["first_surname"]) == (known.id, 1, 1, "Soto")
    now = ward.use_cases.sheets.read(ward.supervisor, sheet["id"])
    assert now["patient_id"] == known.id
    assert now["total"] == line["total"]
    former = patient(ward, sheet["patient_id"])
    assert (former["merged_into"], former["active"], "unidentified" in former) == (known.id, 0, False)
    assert story(ward, sheet["patient_id"])[:2] == ["patient.identified", "patient.merged"]


def test_a_patient_with_an_open_sheet_is_refused(ward: Ward) -> None:
    sheet = admit(ward)
    identify = partial(ward.use_cases.patients.identify, ward.nurse, sheet["patient_id"])
    assert codes(identify, IdentityDraft(into_id=ward.sheet()["patient_id"])) == [Code.PATIENT_HAS_OPEN_SHEET]
    assert codes(identify, IdentityDraft(into_id=admit(ward)["patient_id"])) == [Code.REFERENCE_UNKNOWN]
    assert codes(identify, IdentityDraft(into_id=9_999)) == [Code.REFERENCE_UNKNOWN]
    assert codes(identify, IdentityDraft()) == [Code.REQUIRED, Code.REQUIRED]
    with pytest.raises(NotFound):
        ward.use_cases.patients.identify(ward.nurse, 9_999, IdentityDraft(into_id=sheet["patient_id"]))
    assert ward.use_cases.sheets.read(ward.nurse, sheet["id"])["patient"]["unidentified"] is True


def test_closing_asks_first(ward: Ward) -> None:
    sheet = admit(ward)
    close = ward.use_cases.sheets.close
    assert codes(close, ward.nurse, sheet["id"]) == [Code.PATIENT_UNIDENTIFIED]
    assert close(ward.nurse, sheet["id"], acknowledged=["patient.unidentified"])["closed"]


def test_undoing_the_move_restores_the_mark(ward: Ward) -> None:
    sheet = admit(ward)
    known = ward.patient("Luz", "Soto", record_number="U-1")
    ward.use_cases.patients.identify(ward.nurse, sheet["patient_id"], IdentityDraft(into_id=known.id))
    ward.use_cases.patients.unmerge(ward.admin, sheet["patient_id"])
    assert ward.use_cases.sheets.read(ward.nurse, sheet["id"])["patient"].get("unidentified") is True


def test_a_known_patient_is_not_merged_into_an_unknown(ward: Ward) -> None:
    known, unknown = ward.patient("Luz", "Soto"), admit(ward)["patient_id"]
    draft = MergeDraft(into_id=unknown, reason="Al revés")
    assert codes(ward.use_cases.patients.merge, ward.supervisor, known.id, draft) == [Code.PATIENT_UNIDENTIFIED_STAYS]


def test_a_repeated_request_admits_no_second_patient(ward: Ward) -> None:
    key = IdempotencyKey("k-1", "the same")
    first, second = (
        ward.use_cases.sheets.admit_unidentified(ward.nurse, UnidentifiedDraft(room_id=ward.room_id), key)
        for _ in range(2)
    )
    assert (first.replayed, second.replayed) == (False, True)
    assert first.answer["id"] == second.answer["id"]
