"""Times in messages, and their order."""

from datetime import timedelta
from typing import Any

import pytest

from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from tests.builders import NOON, TODAY, Ward
from tests.hl7.messages import Post, a_post, adt, message, patient_of, rooms_of, sheet_of, stamp, the_sheet, view_of

HELD, APPLIED = InboundState.HELD, InboundState.APPLIED


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


def test_a_message_with_an_unreadable_time_is_held(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    at = post.after(hours=2)
    sent = adt("A02", at=at, location="Urgencias^102")
    kept = post.send(sent.replace(f"EVN|A02|{stamp(at)}||||{stamp(at)}", "EVN|A02|2091-05"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.MOMENT_UNREADABLE)
    assert kept.reason.params == {"place": "EVN-2", "value": "2091-05"}
    assert rooms_of(ward) == ["101"]
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert rooms_of(ward) == ["101", "102"]
    assert view_of(ward)["stays"][1]["from"] == at


@pytest.mark.parametrize("kind", ["A01", "A04"])
def test_an_admission_with_an_unreadable_day_is_held(ward: Ward, post: Post, kind: str) -> None:
    kept = post.send(adt(kind, admitted="2091-05-02T14"))
    assert kept.reason
    assert (kept.state, kept.reason.code, sheet_of(ward)) == (HELD, Code.MOMENT_UNREADABLE, None)
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert the_sheet(ward).admission_date == TODAY
    noted = message(ward, kept.id)
    assert noted.reason
    assert (noted.state, noted.reason.code) == (APPLIED, Code.MOMENT_LEFT_OUT)


def test_an_ignored_message_with_an_unreadable_time_is_not_held(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A04", patient_class="O", admitted="2091-05"))
    assert kept.state is InboundState.IGNORED


def test_an_unreadable_optional_time_is_left_out_with_a_note(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A01", born="1980-02"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (APPLIED, Code.MOMENT_LEFT_OUT)
    assert patient_of(ward).date_of_birth is None


def test_an_update_with_an_unreadable_admission_day_keeps_it(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A08", at=post.after(hours=1), admitted="0000", diagnosis="Sepsis"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (APPLIED, Code.MOMENT_LEFT_OUT)
    assert (the_sheet(ward).admission_date, the_sheet(ward).diagnosis) == (TODAY, "Sepsis")


@pytest.mark.parametrize(
    ("written", "instead"),
    [("EVN|A01|{0}||||{0}", "EVN||18000101000000"), ("|{0}\r", "|19700101\r"), ("|{0}\r", "|19891231235959\r")],
)
def test_an_admission_before_1990_is_held(ward: Ward, post: Post, written: str, instead: str) -> None:
    sent = adt("A01", admitted=stamp(NOON))
    assert written.format(stamp(NOON)) in sent
    kept = post.send(sent.replace(written.format(stamp(NOON)), instead))
    assert kept.reason
    assert (kept.state, kept.reason.code, sheet_of(ward)) == (HELD, Code.MOMENT_UNREADABLE, None)
    ward.use_cases.inbound_messages.retry(ward.admin, kept.id)
    assert the_sheet(ward).admission_date == TODAY


def test_a_discharge_before_1990_is_held(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A03", at=post.after(hours=2), admitted="|19000101"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (HELD, Code.MOMENT_UNREADABLE)
    assert the_sheet(ward).discharge_proposed_at is None


@pytest.mark.parametrize(("born", "noted"), [("18991231", True), ("18000101", True), ("19000101", False)])
def test_a_birth_before_1900_is_left_out_with_a_note(ward: Ward, post: Post, born: str, noted: bool) -> None:
    kept = post.send(adt("A01", born=born))
    assert (kept.state, kept.reason and kept.reason.code) == (APPLIED, Code.MOMENT_LEFT_OUT if noted else None)
    assert (patient_of(ward).date_of_birth is None) is noted


@pytest.mark.parametrize(
    ("admitted", "discharged", "noted"),
    [
        ("20910503060000-0600", "20910502060000-0600", True),
        ("20910503060000-0600", "20910503050000-0600", True),
        ("20910503060000-0600", "20910503", False),
        ("20910503060000-0600", "20910503060000-0600", False),
    ],
)
def test_a_discharge_before_its_admission_is_noted(
    ward: Ward, post: Post, admitted: str, discharged: str, noted: bool
) -> None:
    post.send(adt("A01"))
    kept = post.send(adt("A03", at=post.after(hours=2), admitted=f"{admitted}|{discharged}"))
    assert (kept.state, kept.reason and kept.reason.code) == (
        APPLIED,
        Code.PROPOSED_DISCHARGE_TOO_EARLY if noted else None,
    )
    assert the_sheet(ward).discharge_proposed_at is not None


def test_an_admission_moved_behind_its_discharge_is_noted(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A03", at=post.after(hours=2)))
    kept = post.send(adt("A08", at=post.after(hours=3), admitted="20910504"))
    assert kept.reason
    assert (kept.state, kept.reason.code) == (APPLIED, Code.PROPOSED_DISCHARGE_TOO_EARLY)


ORDERS: dict[str, list[dict[str, Any]]] = {
    "by when it was recorded": [{"recorded": stamp(NOON + timedelta(minutes=n))} for n in (61, 62)],
    "by when it was sent": [{"sent": stamp(NOON + timedelta(minutes=n))} for n in (61, 62)],
    "by arrival": [{}, {}],
}


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("case", ORDERS)
def test_transfers_of_the_same_minute_are_in_order(ward: Ward, post: Post, case: str, is_late: bool) -> None:
    post.send(adt("A01"))
    at = post.after(hours=1)
    first, second = ORDERS[case]
    sent = [
        adt("A02", at=at, control_id="b7e1", location="Urgencias^102", **first),
        adt("A02", at=at, control_id="a7e2", location="Urgencias^103", **second),
    ]
    if is_late and case != "by arrival":
        sent.reverse()
    for one in sent:
        post.send(one)
    assert rooms_of(ward) == ["101", "102", "103"]


def test_an_escape_sequence_joins_no_visits_and_holds_nothing(ward: Ward, post: Post) -> None:
    post.send(adt("A01", number="H\\1", visit="V\\12", diagnosis="\\X000d\\ \\H\\Sepsis\\N\\ abdominal 4\\5"))
    other = post.send(adt("A01", number="H\\2", visit="V\\13", diagnosis="\\X07\\"))
    assert (other.state, other.reason, other.visit_number) == (APPLIED, None, "V\\13")
    sheet = sheet_of(ward, "V\\12")
    assert sheet
    assert sheet.diagnosis == "\\X000d\\ Sepsis abdominal 4\\5"
    assert patient_of(ward, "H\\1").id != patient_of(ward, "H\\2").id
