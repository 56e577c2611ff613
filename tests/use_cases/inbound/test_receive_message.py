"""The effect of HL7 messages, each applied once.

A message that cannot be applied is held with a reason.
"""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from application.audit.views import AuditQuery, NamedEntryView
from application.closing.reopen_sheet import ReopenDraft
from application.inbound.held_messages import DismissMessageDraft, PatientAnswerDraft
from application.people.patients import PatientDraft
from application.sheets.transfer_patient import TransferDraft
from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from tests.assertions import refused
from tests.builders import NOON, TODAY, Ward
from tests.hl7.messages import (
    NUMBER,
    VISIT,
    Post,
    a_post,
    adt,
    message,
    patient_of,
    rooms_of,
    stamp,
    the_sheet,
    view_of,
)

HELD, APPLIED, IGNORED = InboundState.HELD, InboundState.APPLIED, InboundState.IGNORED


def reported(ward: Ward, **about: Any) -> list[NamedEntryView]:
    return ward.use_cases.audit.reader.page(ward.admin, AuditQuery(limit=100, **about))["items"]


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


# --- effects ---------------------------------------------------------------------------------------------------------


def test_an_admission_registers_the_patient_and_opens_the_sheet(ward: Ward, post: Post) -> None:
    sent = adt("A01", second_surname="Ríos", diagnosis="Neumonía", doctor="D7^Vega^Luz", admitted=stamp(NOON))
    kept = post.send(sent)
    assert (kept.state, kept.reason) == (APPLIED, None)
    patient, sheet = patient_of(ward), the_sheet(ward)
    assert (patient.name, patient.first_surname, patient.second_surname) == ("Ana", "Paz", "Ríos")
    assert patient.date_of_birth == date(1980, 2, 29)
    assert (sheet.patient_id, sheet.room_id, sheet.admission_date) == (patient.id, ward.room_id, TODAY)
    assert (sheet.diagnosis, sheet.doctor, sheet.visit_number) == ("Neumonía", "Vega Luz D7", VISIT)
    assert (kept.sheet_id, kept.patient_id) == (sheet.id, patient.id)


def test_a_known_patient_is_not_registered_twice(ward: Ward, post: Post) -> None:
    ward.patient("Ana", "Paz", record_number=NUMBER)
    post.send(adt("A01"))
    with ward.store.begin_read_only() as work:
        assert len(work.patients.find_many("id", range(2, 99))) == 1


def test_a_sheet_opened_by_the_ward_is_used_for_the_visit(ward: Ward, post: Post) -> None:
    """Otherwise an admission would have two sheets with half the lines each."""
    patient = ward.patient("Ana", "Paz", record_number=NUMBER)
    mine = ward.sheet(patient_id=patient.id, diagnosis="", doctor="")
    post.send(adt("A01", diagnosis="Neumonía", location="Urgencias^102"))
    sheet = the_sheet(ward)
    assert (sheet.id, sheet.diagnosis) == (mine["id"], "Neumonía")
    assert rooms_of(ward) == ["102"]


def test_the_sheet_of_another_admission_is_not_changed(ward: Ward, post: Post) -> None:
    patient = ward.patient("Ana", "Paz", record_number=NUMBER)
    other = ward.sheet(patient_id=patient.id, admission_date=TODAY - timedelta(days=9))["id"]
    kept = post.send(adt("A01"))
    assert the_sheet(ward).id != other
    assert kept.reason
    assert (kept.state, kept.reason.code, kept.reason.params) == (
        APPLIED,
        Code.OTHER_SHEET_OPEN,
        {"sheets": str(other)},
    )


def test_a_transfer_moves_the_patient_at_its_time(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    moved = NOON + timedelta(hours=2)
    post.send(adt("A02", at=moved, location="Urgencias^102"))
    assert rooms_of(ward) == ["101", "102"]
    assert view_of(ward)["stays"][1]["from"] == moved


def test_a_transfer_by_hand_is_kept_among_reported_ones(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    room_102, room_103 = ward.room_id + 1, ward.room_id + 2
    at = NOON + timedelta(hours=1)
    ward.use_cases.sheets.transfer_patient(ward.nurse, the_sheet(ward).id, TransferDraft(room_id=room_102, at=at))
    post.send(adt("A02", at=NOON + timedelta(hours=1, minutes=5), location="Urgencias^102"))
    post.send(adt("A02", at=NOON + timedelta(hours=3), location="Urgencias^103"))
    assert rooms_of(ward) == ["101", "102", "103"]
    assert the_sheet(ward).room_id == room_103
    assert view_of(ward)["stays"][1]["from"] == at


def test_a_corrected_room_is_kept_until_a_newer_one_is_reported(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    sheet = the_sheet(ward)
    right = ward.sheet_draft(patient_id=sheet.patient_id, room_id=ward.room_id + 1)
    ward.use_cases.sheets.update(ward.nurse, sheet.id, right)
    post.send(adt("A08", at=NOON - timedelta(minutes=1), location="Urgencias^101"))
    assert rooms_of(ward) == ["102"]
    post.send(adt("A02", at=NOON + timedelta(hours=2), location="Urgencias^103"))
    assert rooms_of(ward) == ["102", "103"]


def test_a_cancelled_transfer_has_no_effect(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A02", at=NOON + timedelta(hours=1), location="Urgencias^102"))
    post.send(adt("A12", at=NOON + timedelta(hours=2), location="Urgencias^101"))
    assert rooms_of(ward) == ["101"]


def test_a_discharge_is_proposed_and_never_closes(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A03", at=NOON + timedelta(hours=2)))
    sheet = the_sheet(ward)
    assert (sheet.closed, sheet.discharge_proposed_at) == (False, NOON + timedelta(hours=2))
    post.send(adt("A13", at=NOON + timedelta(hours=3)))
    assert the_sheet(ward).discharge_proposed_at is None


def test_a_discharge_cancelled_after_the_closing_is_held(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A03", at=NOON + timedelta(hours=2)))
    ward.use_cases.sheets.close(ward.nurse, the_sheet(ward).id)
    kept = post.send(adt("A13", at=NOON + timedelta(hours=3)))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.DISCHARGE_UNDONE)
    ward.use_cases.sheets.reopen(ward.admin, the_sheet(ward).id, ReopenDraft(reason="Vuelve"))
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert (message(ward, kept.id).state, the_sheet(ward).discharge_proposed_at) == (APPLIED, None)


def test_a_cancelled_admission_is_marked_and_nothing_is_deleted(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A11", at=NOON + timedelta(hours=1)))
    assert the_sheet(ward).admission_cancelled_at == NOON + timedelta(hours=1)


def test_an_update_changes_only_the_reported_fields(ward: Ward, post: Post) -> None:
    post.send(adt("A01", diagnosis="Neumonía", doctor="D7^Vega^Luz", second_surname="Ríos"))
    later = NOON + timedelta(hours=1)
    post.send(adt("A08", at=later, name="Paz^Ana María", second_surname='""', diagnosis="Sepsis", location=None))
    sheet, patient = the_sheet(ward), patient_of(ward)
    assert (sheet.diagnosis, sheet.doctor, sheet.room_id) == ("Sepsis", "Vega Luz D7", ward.room_id)
    assert (patient.name, patient.second_surname) == ("Ana María", None)


def test_a_repeated_value_does_not_overwrite_a_correction(ward: Ward, post: Post) -> None:
    """A hospital's system repeats all its data with every message."""
    post.send(adt("A01", diagnosis="Neumonia"))
    sheet = the_sheet(ward)
    right = ward.sheet_draft(patient_id=sheet.patient_id, room_id=sheet.room_id, diagnosis="Neumonía izquierda")
    ward.use_cases.sheets.update(ward.nurse, sheet.id, right)
    ward.use_cases.patients.update(
        ward.nurse, sheet.patient_id, PatientDraft(name="Anita", first_surname="Paz", record_number=NUMBER, active=1)
    )
    post.send(adt("A08", at=NOON + timedelta(hours=1), diagnosis="Neumonia"))
    assert (the_sheet(ward).diagnosis, patient_of(ward).name) == ("Neumonía izquierda", "Anita")


def test_a_closed_sheet_is_unchanged_but_its_patient_is_updated(ward: Ward, post: Post) -> None:
    post.send(adt("A01", diagnosis="Neumonía"))
    ward.use_cases.sheets.close(ward.nurse, the_sheet(ward).id)
    before = the_sheet(ward)
    kept = post.send(adt("A08", at=NOON + timedelta(hours=1), name="Paz^Anabel", diagnosis="Sepsis"))
    moved = post.send(adt("A02", at=NOON + timedelta(hours=2), location="Urgencias^102"))
    assert (kept.state, moved.state) == (APPLIED, IGNORED)
    assert replace(the_sheet(ward), external_record=None) == replace(before, external_record=None)
    assert patient_of(ward).name == "Anabel"


def test_an_admission_is_not_moved_after_a_use(ward: Ward, post: Post) -> None:
    post.send(adt("A01", admitted=stamp(NOON)))
    ward.detail(the_sheet(ward).id, "2")
    later = NOON + timedelta(days=3)
    ward.clock.advance(days=3)
    kept = post.send(adt("A08", at=later, admitted=stamp(later), diagnosis="Sepsis"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (APPLIED, Code.USED_BEFORE_ADMISSION)
    assert (the_sheet(ward).admission_date, the_sheet(ward).diagnosis) == (TODAY, "Sepsis")


def test_a_patient_is_registered_without_a_visit(ward: Ward, post: Post) -> None:
    post.send(adt("A28", visit=None))
    post.send(adt("A31", visit=None, at=NOON + timedelta(hours=1), name="Paz^Anabel"))
    assert patient_of(ward).name == "Anabel"


MERGES: dict[str, tuple[list[str], list[str]]] = {
    "both are known": (["OLD", NUMBER], [NUMBER]),
    "the one that goes is known": (["OLD"], [NUMBER]),
    "the one that stays is known": ([NUMBER], [NUMBER]),
}


@pytest.mark.parametrize("case", MERGES)
def test_a_merge_message_merges_the_two_records(ward: Ward, post: Post, case: str) -> None:
    known, left = MERGES[case]
    for number in known:
        ward.patient("Ana", "Paz", record_number=number)
    kept = post.send(adt("A40", visit=None, prior="OLD", at=NOON + timedelta(hours=1)))
    assert kept.state is APPLIED
    with ward.store.begin_read_only() as work:
        stay = [one for one in work.patients.find_many("id", range(2, 99)) if one.merged_into is None]
        assert [one.record_number for one in stay] == left
        assert work.former_record_numbers.whose("OLD") == stay[0].id


# --- held messages ---------------------------------------------------------------------------------------------------


def test_a_message_about_an_inactive_patient_is_held(ward: Ward, post: Post) -> None:
    patient = ward.patient("Ana", "Paz", record_number=NUMBER, active=0)
    kept = post.send(adt("A01"))
    assert kept.reason
    assert kept.reason.code is Code.PATIENT_INACTIVE
    draft = PatientDraft(name="Ana", first_surname="Paz", record_number=NUMBER, active=1)
    ward.use_cases.patients.update(ward.admin, patient.id, draft)
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert message(ward, kept.id).state is APPLIED


def test_a_message_with_the_wrong_patient_of_a_visit_is_held(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    before = the_sheet(ward)
    ward.patient("Otra", "Persona", record_number="MRN-8")
    kept = post.send(adt("A08", number="MRN-8", name="Persona^Otra", at=NOON + timedelta(hours=1)))
    assert kept.reason
    assert kept.reason.code is Code.VISIT_OF_ANOTHER
    assert (the_sheet(ward), patient_of(ward).name) == (before, "Ana")


# --- once ------------------------------------------------------------------------------------------------------------


def test_the_same_message_again_does_nothing(ward: Ward, post: Post) -> None:
    sent = adt("A01")
    first = post.send(sent)
    noted = reported(ward)
    again = post.send(sent)
    assert (first.id, reported(ward)) == (again.id, noted)


def test_a_reused_control_id_is_held(ward: Ward, post: Post) -> None:
    post.send(adt("A01", control_id="77"))
    kept = post.send(adt("A03", control_id="77", at=NOON + timedelta(hours=1)))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.CONTROL_ID_REUSED)
    post.send(adt("A08", at=NOON + timedelta(minutes=1)))
    assert message(ward, kept.id).state is HELD
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert the_sheet(ward).discharge_proposed_at is not None


def test_two_sources_may_use_the_same_control_id(ward: Ward, post: Post) -> None:
    post.send(adt("A01", control_id="1"))
    assert post.send(adt("A03", control_id="1", source="OTRO", at=NOON + timedelta(hours=1))).state is APPLIED


# --- decisions -------------------------------------------------------------------------------------------------------


def test_a_patient_decision_is_remembered_for_the_number(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    patient = patient_of(ward)
    kept = post.send(adt("A08", number="PROV-1", name="Paz^Anabel", at=NOON + timedelta(hours=1)))
    assert kept.state is HELD
    answered = ward.use_cases.inbound_messages.assign_patient(
        ward.admin, kept.id, PatientAnswerDraft(patient_id=patient.id)
    )
    ward.use_cases.inbound_messages.reprocess_held(answered)
    assert (message(ward, kept.id).state, patient_of(ward).name) == (APPLIED, "Anabel")
    assert post.send(adt("A03", number="PROV-1", at=NOON + timedelta(hours=2))).state is APPLIED


def test_a_dismissed_message_has_a_reason_and_is_not_retried(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A03", at=NOON + timedelta(hours=1)))
    with refused((Code.REQUIRED, "reason")):
        ward.use_cases.inbound_messages.dismiss(ward.admin, kept.id, DismissMessageDraft())
    dismissed = ward.use_cases.inbound_messages.dismiss(ward.admin, kept.id, DismissMessageDraft(reason="De prueba"))
    assert (dismissed.state, dismissed.decided_by, dismissed.note) == (
        InboundState.DISMISSED, ward.admin.user_id, "De prueba",
    )  # fmt: skip
    post.send(adt("A01"))
    assert the_sheet(ward).discharge_proposed_at is None
    with refused(Code.MESSAGE_DECIDED):
        ward.use_cases.inbound_messages.retry(ward.admin, kept.id)


def test_every_change_names_its_message(ward: Ward, post: Post) -> None:
    kept = [
        post.send(adt("A01")),
        post.send(adt("A08", at=NOON + timedelta(hours=1), name="Paz^Anabel", diagnosis="X")),
    ]
    of_messages = {str(one.id) for one in kept}
    changed = reported(ward, user_id=post.receiver.actor.user_id)
    assert {one["action"] for one in changed} == {"patient.created", "sheet.opened", "patient.updated", "sheet.updated"}
    assert {one["changes"]["message_id"][1] for one in changed} == of_messages


# --- views -----------------------------------------------------------------------------------------------------------


def test_the_overview_has_discharges_and_messages_held_for_long(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A03", at=NOON + timedelta(hours=2)))
    post.send(adt("A03", visit="V-0"))
    overview = ward.use_cases.reports.read_overview(ward.nurse)
    [discharge] = overview["discharges"]
    assert (discharge["consumption_sheet_id"], discharge["room"]) == (the_sheet(ward).id, "101")
    assert discharge["at"] == NOON + timedelta(hours=2)
    assert "discharges" not in ward.use_cases.reports.read_overview(ward.supervisor)
    worklist = ward.use_cases.reports.read_worklist(ward.supervisor)
    assert (worklist["discharges"], worklist["held_messages"], worklist["count"]) == ([discharge], 0, 1)
    ward.clock.advance(minutes=11)
    assert ward.use_cases.reports.read_worklist(ward.supervisor)["held_messages"] == 1
    ward.use_cases.sheets.close(ward.nurse, the_sheet(ward).id)
    assert "discharges" not in ward.use_cases.reports.read_overview(ward.nurse)
