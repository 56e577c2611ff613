"""Unidentified patients, messages and billing."""

from typing import Any

import pytest

from application.people.patients import PatientDraft
from application.sheets.admit_unidentified import UnidentifiedDraft
from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from tests.assertions import refused
from tests.builders import AnyStore, Ward, a_ward
from tests.hl7.charges import read
from tests.hl7.messages import Post, a_post, adt


@pytest.fixture
def ward(store: AnyStore) -> Ward:
    """Return a ward whose closings are sent to billing."""
    return a_ward(store, charging=True)


def admit(ward: Ward, number: str | None = None) -> tuple[int, int]:
    """Admit an unidentified patient, and return the ids of sheet and patient."""
    sheet = ward.use_cases.sheets.admit_unidentified(ward.nurse, UnidentifiedDraft(room_id=ward.room_id)).answer
    if number is not None:
        named = PatientDraft(first_surname=sheet["patient"]["first_surname"], record_number=number)
        ward.use_cases.patients.update(ward.nurse, sheet["patient_id"], named)
    return sheet["id"], sheet["patient_id"]


def patient(ward: Ward, patient_id: int) -> Any:
    return ward.use_cases.patients.reader.one(ward.admin, patient_id)


def sent(ward: Ward, sheet_id: int) -> list[str]:
    with ward.store.begin() as work:
        return [one.body for one in work.outbound_messages.find_many("sheet_id", [sheet_id])]


def test_nothing_is_charged_before_the_acknowledgement(ward: Ward) -> None:
    sheet_id, _ = admit(ward)
    ward.detail(sheet_id, "2")
    with refused(Code.PATIENT_UNIDENTIFIED):
        ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert sent(ward, sheet_id) == []
    ward.use_cases.sheets.close(ward.nurse, sheet_id, acknowledged=["patient.unidentified"])
    [body] = sent(ward, sheet_id)
    assert read(body)
    assert "Sin identificar 1" in body


def test_a_message_with_a_given_name_identifies(ward: Ward) -> None:
    post: Post = a_post(ward)
    _, patient_id = admit(ward, number="T-1")
    kept = post.send(adt("A08", number="T-1", visit=None, name="Soto^Luz"))
    assert kept.state is InboundState.APPLIED
    known = patient(ward, patient_id)
    assert (known["name"], known["first_surname"], "unidentified" in known) == ("Luz", "Soto", False)


def test_a_merge_message_moves_the_sheet(ward: Ward) -> None:
    post: Post = a_post(ward)
    sheet_id, patient_id = admit(ward, number="T-1")
    line = ward.detail(sheet_id, "2")
    known = ward.patient("Luz", "Soto", record_number="HC-1")
    kept = post.send(adt("A40", number="HC-1", prior="T-1", visit=None, name="Soto^Luz"))
    assert kept.state is InboundState.APPLIED
    sheet = ward.use_cases.sheets.read(ward.admin, sheet_id)
    assert (sheet["patient_id"], sheet["total"]) == (known.id, line["total"])
    former = patient(ward, patient_id)
    assert (former["merged_into"], "unidentified" in former) == (known.id, False)
