"""Which patient a message means, and names."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from application.inbound.held_messages import PatientAnswerDraft
from application.people.patients import PatientDraft
from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from tests.assertions import refused
from tests.builders import Ward
from tests.hl7.messages import NUMBER, Post, a_post, adt, message, patient_of, the_sheet, view_of

HELD, APPLIED = InboundState.HELD, InboundState.APPLIED


BORN = date(1980, 2, 29)


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


# --- patients registered by hand, without a record number ------------------------------------------------------------


def test_a_patient_registered_by_hand_gets_the_record_number(ward: Ward, post: Post) -> None:
    patient = ward.patient("Ana", "Paz", date_of_birth=BORN)
    post.send(adt("A28", visit=None))
    assert patient_of(ward).id == patient.id


DOUBTFUL: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "no date of birth here": ([{}], {}),
    "no date of birth there": ([{"date_of_birth": BORN}], {"born": ""}),
    "two of one day": ([{"date_of_birth": BORN}, {"date_of_birth": BORN}], {}),
    "one of that day and one of none": ([{"date_of_birth": BORN}, {}], {}),
    "a second surname there alone": ([{"date_of_birth": BORN}], {"second_surname": "Ríos"}),
    "a second surname here alone": ([{"date_of_birth": BORN, "second_surname": "Ríos"}], {}),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_a_doubtful_match_is_held_for_a_decision(ward: Ward, post: Post, case: str) -> None:
    known, told_there = DOUBTFUL[case]
    ids = [ward.patient("Ana", "Paz", **each).id for each in known]
    mine = ward.sheet(patient_id=ids[0])["id"]
    kept = post.send(adt("A01", **told_there))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.PATIENT_UNCLEAR)
    assert kept.reason.params == {"patients": ", ".join(map(str, ids))}
    answered = ward.use_cases.inbound_messages.assign_patient(
        ward.admin, kept.id, PatientAnswerDraft(patient_id=ids[0])
    )
    ward.use_cases.inbound_messages.reprocess_held(answered)
    assert message(ward, kept.id).state is APPLIED
    assert (the_sheet(ward).id, patient_of(ward).id) == (mine, ids[0])


def test_a_retry_of_a_doubtful_match_registers_another_patient(ward: Ward, post: Post) -> None:
    other = ward.patient("Ana", "Paz")
    kept = post.send(adt("A01"))
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert message(ward, kept.id).state is APPLIED
    assert patient_of(ward).id != other.id


def test_a_retry_does_not_answer_a_question_not_yet_asked(ward: Ward, post: Post) -> None:
    ward.patient("Ana", "Paz")
    post.send(adt("A03", control_id="77", visit="V-0", number="N-0"))
    kept = post.send(adt("A01", control_id="77"))
    codes = []
    for _ in range(2):
        held = message(ward, kept.id)
        codes.append(held.reason and held.reason.code)
        ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert codes == [Code.CONTROL_ID_REUSED, Code.PATIENT_UNCLEAR]
    assert message(ward, kept.id).state is APPLIED


OTHERS: dict[str, dict[str, Any]] = {
    "another date of birth": {"date_of_birth": date(1981, 2, 28)},
    "a record number": {"date_of_birth": BORN, "record_number": "OTHER"},
    "another second surname": {"date_of_birth": BORN, "second_surname": "Sol"},
    "another name": {"date_of_birth": BORN, "name": "Anabel"},
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_different_person_is_not_matched(ward: Ward, post: Post, case: str) -> None:
    other = ward.patient(**{"name": "Ana", "first_surname": "Paz", "second_surname": "Ríos"} | OTHERS[case])
    kept = post.send(adt("A01", second_surname="Ríos"))
    assert (kept.state, kept.reason) == (APPLIED, None)
    assert patient_of(ward).id != other.id


# --- sheets ----------------------------------------------------------------------------------------------------------


def test_two_sheets_of_the_admission_are_held_for_a_decision(ward: Ward, post: Post) -> None:
    patient = ward.patient("Ana", "Paz", record_number=NUMBER)
    mine, extra = (ward.sheet(patient_id=patient.id)["id"] for _ in range(2))
    kept = post.send(adt("A01"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.SHEET_UNCLEAR)
    assert kept.reason.params == {"patient": patient.id, "sheets": f"{mine}, {extra}"}
    ward.use_cases.sheets.delete(ward.admin, extra)
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert the_sheet(ward).id == mine


def test_a_retry_of_two_sheets_opens_a_third_one(ward: Ward, post: Post) -> None:
    patient = ward.patient("Ana", "Paz", record_number=NUMBER)
    there = [ward.sheet(patient_id=patient.id)["id"] for _ in range(2)]
    kept = post.send(adt("A01"))
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert the_sheet(ward).id not in there


# --- patients without a given name -----------------------------------------------------------------------------------


def test_a_newborn_without_a_name_is_admitted_and_named_later(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A01", name="RN de Paz^"))
    assert (kept.state, kept.reason) == (APPLIED, None)
    patient = patient_of(ward)
    assert (patient.name, patient.first_surname) == ("", "RN de Paz")
    view = ward.use_cases.patients.reader.one(ward.nurse, patient.id)
    assert (view["name"], view_of(ward)["patient"]["name"]) == ("", "")
    # The ward may correct the other fields, and need not name the child yet.
    draft = PatientDraft(first_surname="RN de Paz", second_surname="Ríos", record_number=NUMBER)
    assert ward.use_cases.patients.update(ward.nurse, patient.id, draft).name == ""
    ward.use_cases.patients.update(ward.nurse, patient.id, replace(draft, name="Luz"))
    with refused((Code.REQUIRED, "name")):
        ward.use_cases.patients.update(ward.nurse, patient.id, draft)
    with refused((Code.REQUIRED, "name")):
        ward.use_cases.patients.create(ward.nurse, PatientDraft(first_surname="Paz"))
    post.send(adt("A08", at=post.after(hours=1), name="RN de Paz^"))
    assert patient_of(ward).name == "Luz"
    post.send(adt("A08", at=post.after(hours=2), name="Paz^Lucía"))
    assert patient_of(ward).name == "Lucía"


def test_two_newborns_with_the_same_name_are_not_matched(ward: Ward, post: Post) -> None:
    post.send(adt("A01", name="RN de Paz^", born="20260503"))
    kept = post.send(adt("A01", name="RN de Paz^", born="20260503", number="MRN-8", visit="V-8"))
    assert (kept.state, kept.reason) == (APPLIED, None)
    assert patient_of(ward).id != patient_of(ward, "MRN-8").id


def test_a_missing_given_name_is_taken_from_the_merged_record(ward: Ward, post: Post) -> None:
    post.send(adt("A28", name="RN de Paz^", visit=None))
    ward.patient("Luz", "Paz", record_number="OLD")
    post.send(adt("A40", visit=None, prior="OLD", name="", at=post.after(hours=1)))
    assert (patient_of(ward).name, patient_of(ward).first_surname) == ("Luz", "RN de Paz")


# --- surnames --------------------------------------------------------------------------------------------------------


SURNAMES: dict[str, tuple[tuple[str, str], tuple[str, str | None]]] = {
    "both in PID-5": (("Domínguez Falcó", ""), ("Domínguez", "Falcó")),
    "both, without accents": (("DOMINGUEZ FALCO", ""), ("DOMINGUEZ", "Falcó")),
    "both, and the second in PID-6": (("Domínguez Falcó", "Falcó"), ("Domínguez", "Falcó")),
    "as a whole and in parts": (("Domínguez Falcó&&Domínguez&&Falcó", ""), ("Domínguez", "Falcó")),
    "the first alone": (("Domínguez", ""), ("Domínguez", "Falcó")),
    "another first one": (("de la Cruz", ""), ("de la Cruz", "Falcó")),
    "other ones": (("García Lopera", "Sol"), ("García Lopera", "Sol")),
    "the second alone": (("Falcó", ""), ("Falcó", "Falcó")),
    "two quotes": (("Domínguez Falcó", '""'), ("Domínguez Falcó", None)),
}


@pytest.mark.parametrize("case", SURNAMES)
def test_a_surname_is_stored_only_once(ward: Ward, post: Post, case: str) -> None:
    (family, second), expected = SURNAMES[case]
    post.send(adt("A28", name="Domínguez^Manel", second_surname="Falcó"))
    kept = post.send(adt("A31", at=post.after(hours=1), name=f"{family}^Manel", second_surname=second))
    assert (kept.state, kept.reason) == (APPLIED, None)
    patient = patient_of(ward)
    assert (patient.first_surname, patient.second_surname) == expected


@pytest.mark.parametrize("family", ["Domínguez García", "Pérez López", "Domínguez de Falcó"])
def test_ambiguous_surnames_are_held_for_a_decision(ward: Ward, post: Post, family: str) -> None:
    post.send(adt("A28", name="Domínguez^Manel", second_surname="Falcó"))
    kept = post.send(adt("A31", at=post.after(hours=1), name=f"{family}^Manel"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.SURNAMES_UNCLEAR)
    assert kept.reason.params == {"value": family, "known": "Falcó"}
    patient = patient_of(ward)
    assert (patient.first_surname, patient.second_surname) == ("Domínguez", "Falcó")
    first, _, second = family.partition(" ")
    draft = PatientDraft(name="Manel", first_surname=first, second_surname=second, record_number=NUMBER)
    ward.use_cases.patients.update(ward.admin, patient.id, draft)
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    patient = patient_of(ward)
    assert (message(ward, kept.id).state, patient.first_surname, patient.second_surname) == (APPLIED, first, second)


def test_surnames_do_not_depend_on_the_order_of_messages(ward: Ward, post: Post) -> None:
    post.send(adt("A31", at=post.after(hours=1), name="Domínguez Falcó^Manel"))
    post.send(adt("A28", name="Domínguez^Manel", second_surname="Falcó"))
    patient = patient_of(ward)
    assert (patient.first_surname, patient.second_surname) == ("Domínguez", "Falcó")


# --- numbers of other authorities, and other persons -----------------------------------------------------------------


OTHER_AUTHORITY, OTHER_PERSON = Code.RECORD_NUMBER_OF_ANOTHER_AUTHORITY, Code.PERSON_DIFFERS


A31 = {"name": "Paz^Ana María", "visit": None}


def of_authority(text: str, authority: str, number: str = NUMBER) -> str:
    """Give the number in PID-3 or MRG-1 another assigning authority."""
    sent = text.replace(f"{number}^^^HOSPITAL^MR", f"{number}^^^{authority}^MR")
    assert sent != text
    return sent


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        ("HOSPA", "HOSPB", True),
        ("HOSPA", "hospa", False),
        ("HOSPA&1.2.3&ISO", "HOSPA", False),
        ("HOSPA&1.2.3&ISO", "OTHER&1.2.3&ISO", False),
        ("MRN&1.2.3&ISO", "MRN&1.2.4&ISO", True),
        ("&1.2.3&ISO", "&1.2.4&ISO", True),
        ("HOSPA", "", False),
        ("", "HOSPB", False),
    ],
)
def test_a_number_of_another_authority_is_held(ward: Ward, post: Post, first: str, second: str, held: bool) -> None:
    post.send(of_authority(adt("A28"), first))
    kept = post.send(of_authority(adt("A31", at=post.after(hours=1), **A31), second))
    assert (kept.state, kept.reason and kept.reason.code) == ((HELD, OTHER_AUTHORITY) if held else (APPLIED, None))
    assert patient_of(ward).name == ("Ana" if held else "Ana María")


@pytest.mark.parametrize("kind", ["A01", "A02", "A03", "A08", "A11", "A40", "A47"])
def test_no_event_of_another_authority_is_applied(ward: Ward, post: Post, kind: str) -> None:
    post.send(of_authority(adt("A01"), "HOSPA"))
    view = view_of(ward)
    of_merge = {"visit": None, "number": "8", "prior": NUMBER} if kind in ("A40", "A47") else {}
    kept = post.send(of_authority(adt(kind, at=post.after(hours=1), location="Urgencias^102", **of_merge), "HOSPB"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, OTHER_AUTHORITY)
    assert view_of(ward) == view
    # A retry does not answer the question.
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert message(ward, kept.id).state is HELD


def test_the_patient_of_another_authority_is_remembered(ward: Ward, post: Post) -> None:
    post.send(of_authority(adt("A28"), "HOSPA"))
    luis = ward.patient("Luis", "Gómez")
    sent = [of_authority(adt("A31", name="Gómez^Luis", at=post.after(hours=hour)), "HOSPB") for hour in (1, 2)]
    first, second = (post.send(text) for text in sent)
    answered = ward.use_cases.inbound_messages.assign_patient(
        ward.admin, first.id, PatientAnswerDraft(patient_id=luis.id)
    )
    ward.use_cases.inbound_messages.reprocess_held(answered)
    assert [message(ward, kept.id).patient_id for kept in (first, second)] == [luis.id] * 2
    later = post.send(of_authority(adt("A01", name="Gómez^Luis"), "HOSPB"))
    assert (later.state, later.patient_id) == (APPLIED, luis.id)
    assert post.send(of_authority(adt("A31", at=post.after(hours=3)), "HOSPA")).patient_id == patient_of(ward).id
    # A merge of the other authority leaves the number with its first holder.
    post.send(adt("A28", number="9", name="Gómez^Luis"))
    merged = post.send(of_authority(adt("A40", visit=None, prior="9", name="Gómez^Luis"), "HOSPB"))
    assert (merged.state, merged.patient_id) == (APPLIED, luis.id)
    assert patient_of(ward).name == "Ana"


def test_the_hospitals_own_numbers_are_of_its_authority(ward: Ward, post: Post) -> None:
    ward.patient("Ana", "Paz", record_number=NUMBER, date_of_birth=BORN)
    post.read_by(authority="HOSPA, HOSP-A")
    assert post.send(of_authority(adt("A31"), "HOSPB")).state is HELD
    post.send(of_authority(adt("A31", at=post.after(hours=1)), "HOSPA"))
    assert post.send(of_authority(adt("A31", at=post.after(hours=2), **A31), "HOSP-A")).state is APPLIED
    assert patient_of(ward).name == "Ana María"


ALL_DIFFERENT: dict[str, Any] = {"name": "Gómez^Luis", "born": "19500101"}


@pytest.mark.parametrize("kind", ["A01", "A02", "A03", "A08", "A31", "A40"])
def test_another_person_under_a_known_number_is_held(ward: Ward, post: Post, kind: str) -> None:
    post.send(adt("A01"))
    view = view_of(ward)
    extra: dict[str, Any] = {"visit": None, "prior": "8"} if kind == "A40" else {}
    kept = post.send(adt(kind, at=post.after(hours=1), location="Urgencias^102", **ALL_DIFFERENT, **extra))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, OTHER_PERSON)
    assert kept.reason.params == {"patient": patient_of(ward).id}
    assert view_of(ward) == view


def test_another_person_of_a_known_visit_is_held(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A08", number="", at=post.after(hours=1), **ALL_DIFFERENT))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, OTHER_PERSON)


def test_naming_the_patient_confirms_a_new_identity(ward: Ward, post: Post) -> None:
    post.send(adt("A28"))
    kept = post.send(adt("A31", at=post.after(hours=1), **ALL_DIFFERENT))
    answer = PatientAnswerDraft(patient_id=patient_of(ward).id)
    answered = ward.use_cases.inbound_messages.assign_patient(ward.admin, kept.id, answer)
    ward.use_cases.inbound_messages.reprocess_held(answered)
    assert (message(ward, kept.id).state, patient_of(ward).first_surname) == (APPLIED, "Gómez")


@pytest.mark.parametrize("changed", [{"name": "Gómez^Luis"}, {"name": "Paz^Luis", "born": "19500101"}])
def test_a_person_who_differs_in_part_is_corrected(ward: Ward, post: Post, changed: dict[str, Any]) -> None:
    post.send(adt("A28"))
    assert post.send(adt("A31", at=post.after(hours=1), **changed)).state is APPLIED
    assert patient_of(ward).name == "Luis"


def test_an_unknown_person_is_named_by_a_later_message(ward: Ward, post: Post) -> None:
    post.send(adt("A28", name="NN^Desconocido", born="19000101"))
    assert post.send(adt("A31", at=post.after(hours=1))).state is APPLIED
    assert patient_of(ward).name == "Ana"


def test_a_repeated_value_asks_nothing_after_a_correction(ward: Ward, post: Post) -> None:
    post.send(adt("A28", **ALL_DIFFERENT))
    draft = PatientDraft(name="Ana", first_surname="Paz", date_of_birth=BORN, record_number=NUMBER)
    ward.use_cases.patients.update(ward.admin, patient_of(ward).id, draft)
    assert post.send(adt("A31", at=post.after(hours=1), **ALL_DIFFERENT)).state is APPLIED
    assert patient_of(ward).name == "Ana"


@pytest.mark.parametrize("number", ["0", "0000", "9999", "99999999", "00-00", "NULL", "S/N"])
def test_a_placeholder_is_no_record_number(ward: Ward, post: Post, number: str) -> None:
    kept = post.send(adt("A01", number=number))
    assert kept.reason
    assert (kept.state, kept.reason.code, kept.record_number) == (HELD, Code.RECORD_NUMBER_MISSING, None)
    kept = post.send(adt("A03", visit=number, number="8"))
    assert kept.reason
    assert (kept.reason.code, kept.visit_number) == (Code.VISIT_MISSING, None)
