"""Messages as hospitals really send them."""

from datetime import timedelta
from typing import Any

import pytest

from application.inbound.held_messages import RoomAnswerDraft, SheetAnswerDraft
from domain.common.errors import Code, Refused
from domain.interop.inbound_message import InboundMessage, InboundState
from tests.builders import NOON, TODAY, Ward
from tests.hl7.messages import NUMBER, Post, a_post, adt, message, patient_of, rooms_of, sheet_of, the_sheet

APPLIED, HELD, IGNORED = InboundState.APPLIED, InboundState.HELD, InboundState.IGNORED


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


def outcome(kept: InboundMessage) -> tuple[InboundState, Code | None]:
    return kept.state, kept.reason.code if kept.reason else None


def room_id(ward: Ward, name: str) -> int:
    with ward.store.begin_read_only() as work:
        [room] = work.rooms.find_many("name", [name])
    return room.id


def answer(ward: Ward, kept: InboundMessage) -> InboundMessage:
    """Retry what waits, as after each decision."""
    ward.use_cases.inbound_messages.reprocess_held(message(ward, kept.id))
    return message(ward, kept.id)


def test_an_update_without_visit_corrects_a_known_patient_alone(ward: Ward, post: Post) -> None:
    assert outcome(post.send(adt("A08", visit=""))) == (IGNORED, Code.VISIT_MISSING)
    post.send(adt("A01", at=post.after(hours=1)))
    kept = post.send(adt("A08", visit="", at=post.after(hours=2), name="Paz^Anabel", location="Urgencias^102"))
    assert outcome(kept) == (APPLIED, None)
    assert (patient_of(ward).name, rooms_of(ward)) == ("Anabel", ["101"])


@pytest.mark.parametrize("kind", ["A01", "A02", "A03", "A04", "A08", "A13"])
def test_outpatients_without_a_visit_are_ignored(post: Post, kind: str) -> None:
    assert post.send(adt(kind, visit="", patient_class="O")).state is IGNORED


def test_an_update_of_an_unknown_inpatient_is_held(post: Post) -> None:
    assert outcome(post.send(adt("A08"))) == (HELD, Code.VISIT_UNKNOWN)


def test_a_user_opens_a_sheet_with_a_held_message(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A08", location="Urgencias^102", doctor="D1^Vega^Luz"))
    ward.use_cases.inbound_messages.open_sheet(ward.admin, kept.id, RoomAnswerDraft())
    assert outcome(answer(ward, kept)) == (APPLIED, None)
    assert (rooms_of(ward), the_sheet(ward).doctor) == (["102"], "Vega Luz D1")
    post.send(adt("A01", at=post.after(hours=-2)))
    assert rooms_of(ward) == ["102"]


def test_a_sheet_opened_with_a_message_needs_a_room(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A03", location=None))
    with pytest.raises(Refused) as refused:
        ward.use_cases.inbound_messages.open_sheet(ward.admin, kept.id, RoomAnswerDraft())
    assert [reason.field for reason in refused.value.reasons] == ["room_id"]
    draft = RoomAnswerDraft(room_id=room_id(ward, "103"))
    ward.use_cases.inbound_messages.open_sheet(ward.admin, kept.id, draft)
    assert outcome(answer(ward, kept)) == (APPLIED, None)
    assert rooms_of(ward) == ["103"]


def test_a_message_held_for_a_question_opens_no_sheet(ward: Ward, post: Post) -> None:
    ward.patient("Ana", "Paz")
    kept = post.send(adt("A01"))
    assert outcome(kept) == (HELD, Code.PATIENT_UNCLEAR)
    with pytest.raises(Refused, match=Code.MESSAGE_OPENS_NO_SHEET):
        ward.use_cases.inbound_messages.open_sheet(ward.admin, kept.id, RoomAnswerDraft())


def test_a_user_answers_the_room_of_an_admission_without_a_bed(ward: Ward, post: Post) -> None:
    kept, other = post.send(adt("A01", location=None)), post.send(adt("A01", location=None, visit="V-8", number="8"))
    assert outcome(kept) == outcome(other) == (HELD, Code.LOCATION_MISSING)
    draft = RoomAnswerDraft(room_id=room_id(ward, "103"))
    ward.use_cases.inbound_messages.assign_room(ward.admin, kept.id, draft)
    assert outcome(answer(ward, kept)) == (APPLIED, None)
    # The answer counts for that message alone.
    assert (rooms_of(ward), sheet_of(ward, "V-8")) == (["103"], None)


def test_a_sheet_opened_by_hand_gets_the_visit_number(ward: Ward, post: Post) -> None:
    patient = ward.patient("Ana", "Paz", record_number=NUMBER)
    sheet = ward.sheet(patient_id=patient.id, admission_date=TODAY - timedelta(days=5))
    kept = post.send(adt("A08", diagnosis="Sepsis"))
    assert outcome(kept) == (HELD, Code.VISIT_UNKNOWN)
    ward.use_cases.inbound_messages.assign_sheet(
        ward.admin, kept.id, SheetAnswerDraft(consumption_sheet_id=sheet["id"])
    )
    assert outcome(answer(ward, kept)) == (APPLIED, None)
    assert (the_sheet(ward).id, the_sheet(ward).diagnosis) == (sheet["id"], "Sepsis")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"number": "another"}, Code.VISIT_OF_ANOTHER),
        ({"visit": "", "kind": "A01"}, Code.VISIT_MISSING),
    ],
)
def test_another_patients_sheet_gets_no_visit_number(
    ward: Ward, post: Post, change: dict[str, Any], code: Code
) -> None:
    ward.patient("Eva", "Sol", record_number="another")
    patient = ward.patient("Ana", "Paz", record_number=NUMBER)
    sheet = ward.sheet(patient_id=patient.id)
    kept = post.send(adt(**({"kind": "A08"} | change)))
    with pytest.raises(Refused, match=code):
        ward.use_cases.inbound_messages.assign_sheet(
            ward.admin, kept.id, SheetAnswerDraft(consumption_sheet_id=sheet["id"])
        )


def test_a_sheet_of_a_visit_gets_no_other_visit_number(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A08", visit="V-8"))
    draft = SheetAnswerDraft(consumption_sheet_id=the_sheet(ward).id)
    with pytest.raises(Refused, match=Code.SHEET_HAS_VISIT):
        ward.use_cases.inbound_messages.assign_sheet(ward.admin, kept.id, draft)


def test_a_moment_in_the_future_counts_as_now(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A08", at=NOON + timedelta(days=36 * 365), diagnosis="Sepsis"))
    assert outcome(kept) == (APPLIED, Code.MOMENT_IN_FUTURE)
    ward.clock.advance(hours=1)
    later = post.send(adt("A08", at=ward.clock(), diagnosis="Neumonía"))
    assert outcome(later) == (APPLIED, None)
    assert the_sheet(ward).diagnosis == "Neumonía"


def test_bytes_that_contradict_their_character_set_are_held(ward: Ward, post: Post) -> None:
    [taken] = post.receiver.process(adt("A01", name="Muñoz^Íñigo").encode("latin-1"))
    kept = taken.kept
    assert kept is not None
    assert kept.reason is not None
    assert outcome(kept) == (HELD, Code.CHARACTER_SET_CONTRADICTED)
    assert kept.reason.params == {"declared": "UNICODE UTF-8", "encoding": "Windows-1252"}
    # Another message of the visit does not answer the question.
    post.send(adt("A08", at=post.after(hours=1)))
    assert outcome(message(ward, kept.id)) == (HELD, Code.CHARACTER_SET_CONTRADICTED)
    assert sheet_of(ward) is None
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert outcome(message(ward, kept.id)) == (APPLIED, None)
    assert patient_of(ward).name == "Íñigo"


def test_a_changed_identifier_becomes_the_record_number(ward: Ward, post: Post) -> None:
    post.send(adt("A01", number="OLD"))
    kept = post.send(adt("A47", visit=None, prior="OLD", at=post.after(hours=1)))
    assert outcome(kept) == (APPLIED, None)
    assert patient_of(ward).id == the_sheet(ward).patient_id
    # Two patients are not merged by it.
    ward.patient("Eva", "Sol", record_number="another")
    kept = post.send(adt("A47", visit=None, prior="another", at=post.after(hours=2)))
    assert outcome(kept) == (HELD, Code.MERGE_UNCLEAR)


def test_a_cancelled_transfer_to_the_same_room_says_so(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A12", at=post.after(hours=1)))
    assert outcome(kept)[1] is Code.ALREADY_IN_ROOM
    assert rooms_of(ward) == ["101"]


@pytest.mark.parametrize("blank", [" ", "  ", "\t"])
def test_blanks_around_codes_have_no_effect(ward: Ward, post: Post, blank: str) -> None:
    post.send(adt("A01"))
    sent = adt("A02", at=post.after(hours=1), visit=f"{blank}V-7{blank}", number=f"{blank}MRN-7{blank}")
    kept = post.send(sent.replace("Urgencias^101", f"{blank}Urgencias{blank}^{blank}102{blank}"))
    assert outcome(kept) == (APPLIED, None)
    assert rooms_of(ward) == ["101", "102"]
