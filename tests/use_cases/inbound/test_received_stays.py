"""Stays without visit numbers, and classes."""

from typing import Any

import pytest

from adapters.hl7.adt_parser import VisitSource
from application.inbound.held_messages import RoomAnswerDraft
from domain.common.errors import Code
from domain.interop.inbound_message import InboundMessage, InboundState
from tests.builders import NOON, Ward
from tests.hl7.messages import NUMBER, Post, a_post, adt, message, patient_of, rooms_of, sheet_of, stamp, the_sheet

HELD, APPLIED, IGNORED = InboundState.HELD, InboundState.APPLIED, InboundState.IGNORED
ADMISSION_VISIT = f"{NUMBER}@209105030600"
AT_NOON: dict[str, Any] = {"visit": "", "admitted": stamp(NOON)}


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


@pytest.fixture
def numberless(post: Post) -> Post:
    """Return a post of a hospital without visit numbers."""
    post.read_by(visit=VisitSource.ADMISSION)
    return post


def outcome(kept: InboundMessage) -> tuple[InboundState, Code | None]:
    return kept.state, kept.reason.code if kept.reason else None


# --- record number and admission as the visit ------------------------------------------------------------------------


@pytest.mark.parametrize("visit", ["", "IGNORED"])
def test_a_stay_without_visit_numbers_is_one_sheet(ward: Ward, numberless: Post, visit: str) -> None:
    opened = numberless.send(adt("A01", visit=visit))
    later = {"visit": visit, "admitted": stamp(NOON)}
    moved = numberless.send(adt("A02", at=numberless.after(hours=1), location="Urgencias^102", **later))
    ended = numberless.send(adt("A03", at=numberless.after(hours=2), **later))
    assert [outcome(one) for one in (opened, moved, ended)] == [(APPLIED, None)] * 3
    sheet = sheet_of(ward, ADMISSION_VISIT)
    assert sheet
    assert {one.sheet_id for one in (opened, moved, ended)} == {sheet.id}
    assert sheet.discharge_proposed_at == numberless.after(hours=2)


def test_events_of_such_a_stay_may_arrive_in_any_order(ward: Ward, numberless: Post) -> None:
    ended = numberless.send(adt("A03", at=numberless.after(hours=2), **AT_NOON))
    assert outcome(ended) == (HELD, Code.VISIT_UNKNOWN)
    numberless.send(adt("A01", **AT_NOON))
    assert outcome(message(ward, ended.id)) == (APPLIED, None)


def test_another_admission_of_the_number_is_another_stay(ward: Ward, numberless: Post) -> None:
    first = numberless.send(adt("A01", **AT_NOON))
    second = numberless.send(adt("A01", at=numberless.after(hours=3), visit=""))
    assert first.sheet_id != second.sheet_id
    # It may be of either stay.
    unclear = adt("A03", at=numberless.after(hours=4), visit="", admitted=stamp(numberless.after(hours=2)))
    assert outcome(numberless.send(unclear)) == (HELD, Code.VISIT_UNKNOWN)


def test_a_corrected_admission_time_finds_the_only_stay(ward: Ward, numberless: Post) -> None:
    opened = numberless.send(adt("A01", **AT_NOON))
    corrected = {"visit": "", "admitted": stamp(numberless.after(hours=-2))}
    kept = numberless.send(adt("A08", at=numberless.after(hours=1), diagnosis="Sepsis", **corrected))
    assert (outcome(kept), kept.sheet_id) == ((APPLIED, None), opened.sheet_id)


def test_a_stay_keeps_its_sheet_under_a_new_number(ward: Ward, numberless: Post) -> None:
    opened = numberless.send(adt("A01", **AT_NOON, number="OLD"))
    numberless.send(adt("A47", at=numberless.after(hours=1), visit=None, prior="OLD"))
    # A second stay of the day, so that only the number finds the first one.
    numberless.send(adt("A01", at=numberless.after(hours=2), visit=""))
    kept = numberless.send(adt("A03", at=numberless.after(hours=3), **AT_NOON))
    assert (outcome(kept), kept.sheet_id) == ((APPLIED, None), opened.sheet_id)


def test_without_an_admission_time_a_stay_is_missing(numberless: Post) -> None:
    assert outcome(numberless.send(adt("A02", visit="V-7"))) == (HELD, Code.VISIT_MISSING)


# --- patient classes -------------------------------------------------------------------------------------------------


def test_classes_of_the_hospital_are_mapped(ward: Ward, post: Post) -> None:
    post.read_by(class_map={"HOSP": "I", "AMB": "O"})
    assert outcome(post.send(adt("A01", patient_class="hosp"))) == (APPLIED, None)
    outpatient = post.send(adt("A04", patient_class="AMB", visit="V-8", number="8", name="Sol^Eva"))
    assert outcome(outpatient) == (IGNORED, Code.UNSUPPORTED_PATIENT_CLASS)


@pytest.mark.parametrize(("visit", "patient_class"), [("V-7", "HOSP"), ("V-7", "U"), ("", "1")])
def test_a_class_in_no_map_is_held(ward: Ward, post: Post, visit: str, patient_class: str) -> None:
    kept = post.send(adt("A01", patient_class=patient_class, visit=visit))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.PATIENT_CLASS_UNKNOWN)
    assert kept.reason.params == {"value": patient_class}
    ward.use_cases.inbound_messages.open_sheet(ward.admin, kept.id, RoomAnswerDraft())
    post.receiver.reprocess.reprocess(kept.id)
    opened = message(ward, kept.id)
    assert (opened.state, opened.patient_id) == (APPLIED, patient_of(ward).id)


def test_a_known_visit_takes_messages_of_any_class(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A02", at=post.after(hours=1), location="Urgencias^102", patient_class="HOSP"))
    assert outcome(kept) == (APPLIED, None)


def test_a_bed_with_a_known_class_opens_the_sheet(ward: Ward, post: Post) -> None:
    admitted = post.send(adt("A01", patient_class="HOSP"))
    post.send(adt("A02", at=post.after(hours=1), location="Urgencias^102"))
    assert outcome(message(ward, admitted.id)) == (APPLIED, None)
    assert the_sheet(ward).visit_number
    assert rooms_of(ward) == ["101", "102"]
