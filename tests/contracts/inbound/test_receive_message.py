"""Contract of every store: the effect of HL7 messages, each applied once.

A message that cannot be applied is held with a reason.
"""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from application.inbound.held_messages import RoomAnswerDraft
from application.inbound.views import InboundMessageQuery
from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from tests.builders import NOON, Ward
from tests.contracts.common.concurrently import at_once
from tests.hl7.messages import (
    Post,
    a_post,
    adt,
    message,
    rooms_of,
    sheet_of,
    the_sheet,
)
from tests.use_cases.inbound.test_receive_message import APPLIED, HELD, IGNORED, reported


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


# --- effects ---------------------------------------------------------------------------------------------------------


def test_a_late_transfer_is_inserted_in_order(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    post.send(adt("A02", at=NOON + timedelta(hours=5), location="Urgencias^103"))
    post.send(adt("A02", at=NOON + timedelta(hours=2), location="Urgencias^102"))
    assert rooms_of(ward) == ["101", "102", "103"]


# --- held messages ---------------------------------------------------------------------------------------------------


CANNOT: dict[str, tuple[str, Code, InboundState]] = {
    "no visit": (adt("A01", visit=""), Code.VISIT_MISSING, HELD),
    "a visit without a sheet": (adt("A02", visit="V-0"), Code.VISIT_UNKNOWN, HELD),
    "no room": (adt("A01", location=""), Code.LOCATION_MISSING, HELD),
    "a room that is none": (adt("A01", location="UCI^201^B"), Code.LOCATION_UNKNOWN, HELD),
    "no record number": (adt("A01", number=None), Code.RECORD_NUMBER_MISSING, HELD),
    "no surname": (adt("A01", name="^Ana"), Code.REQUIRED, HELD),
    "a name too long to read": (adt("A01", name="Paz^" + "a" * 300), Code.TEXT_TOO_LONG, HELD),
    "a merge without the other": (adt("A40", visit=None), Code.RECORD_NUMBER_MISSING, HELD),
    "a merge of strangers": (adt("A40", visit=None, prior="OLD"), Code.MERGE_OF_UNKNOWN, IGNORED),
    "a patient who is not admitted": (adt("A04", patient_class="O"), Code.UNSUPPORTED_PATIENT_CLASS, IGNORED),
    "another event": (adt("A60"), Code.UNSUPPORTED_EVENT, IGNORED),
}


@pytest.mark.parametrize("case", CANNOT)
def test_a_message_that_cannot_be_applied_changes_nothing(ward: Ward, post: Post, case: str) -> None:
    sent, code, state = CANNOT[case]
    kept = post.send(sent)
    assert kept.reason
    assert (kept.state, kept.reason.code) == (state, code)
    assert sheet_of(ward) is None
    with ward.store.begin_read_only() as work:
        assert len(work.patients.find_many("id", range(9))) == 1


# --- decisions -------------------------------------------------------------------------------------------------------


def test_a_room_decision_settles_all_messages_waiting_for_it(ward: Ward, post: Post) -> None:
    first = post.send(adt("A01", location="UCI^201^B"))
    second = post.send(adt("A01", visit="V-8", number="MRN-8", location="UCI^201^B"))
    moved = post.send(adt("A02", at=NOON + timedelta(hours=1), location="Urgencias^102"))
    other = post.send(adt("A01", visit="V-9", number="MRN-9", location="UCI^202^B"))
    answered = ward.use_cases.inbound_messages.assign_room(ward.admin, first.id, RoomAnswerDraft(room_id=ward.room_id))
    ward.use_cases.inbound_messages.reprocess_held(answered, (answered.source, answered.location or ""))
    states = [message(ward, one.id).state for one in (first, second, moved, other)]
    assert states == [APPLIED, APPLIED, APPLIED, HELD]
    assert rooms_of(ward) == ["101", "102"]
    # From then on the room mapping is stored.
    assert post.send(adt("A01", visit="V-10", number="MRN-10", location="UCI^201^B")).state is APPLIED


def test_message_bodies_are_purged_except_held_ones(ward: Ward, post: Post) -> None:
    done, held = post.send(adt("A01")), post.send(adt("A03", visit="V-0"))
    with ward.store.begin() as work:
        work.inbound_messages.purge(ward.clock() + timedelta(seconds=1))
    assert (message(ward, done.id).body is None, message(ward, held.id).body is None) == (True, False)


# --- concurrency -----------------------------------------------------------------------------------------------------


def test_a_message_received_twice_at_once_is_stored_once(ward: Ward, post: Post) -> None:
    sent = adt("A01").encode()
    kept = at_once([lambda: [*post.receiver.process(sent)]] * 4)
    assert {taken.ack_code for [taken] in kept} == {"A"}
    with ward.store.begin_read_only() as work:
        assert len(work.inbound_messages.find_many("id", range(99))) == 1
        assert len(work.sheets.find_many("id", range(99))) == 1


def test_concurrent_messages_of_a_visit_are_all_applied(ward: Ward, post: Post) -> None:
    """Messages before the admission are held until the last receiver retries."""
    sent = [
        adt("A01"),
        adt("A02", at=NOON + timedelta(hours=1), location="Urgencias^102"),
        adt("A02", at=NOON + timedelta(hours=2), location="Urgencias^103"),
        adt("A08", at=NOON + timedelta(hours=3), location=None, diagnosis="Sepsis"),
        adt("A03", at=NOON + timedelta(hours=4)),
    ]
    at_once([partial(post.receiver.answer, one.encode()) for one in sent])
    sheet = the_sheet(ward)
    assert (rooms_of(ward), sheet.diagnosis) == (["101", "102", "103"], "Sepsis")
    assert sheet.discharge_proposed_at == NOON + timedelta(hours=4)


def test_a_failing_held_message_does_not_block_the_others(ward: Ward, post: Post) -> None:
    bad, good = (post.send(adt(kind, at=NOON + timedelta(hours=1))) for kind in ("A03", "A08"))
    reprocess: Any = post.receiver.reprocess
    reprocess = getattr(reprocess, "__wrapped__", reprocess)
    parse = reprocess.parse_message

    def fails_for_one(text: str) -> Any:
        if "ADT^A03" in text:
            raise OverflowError
        return parse(text)

    object.__setattr__(reprocess, "parse_message", fails_for_one)
    assert post.send(adt("A01")).state is APPLIED
    kept = message(ward, bad.id)
    assert (kept.state, kept.reason and kept.reason.code) == (HELD, Code.MESSAGE_FAILED)
    assert message(ward, good.id).state is not HELD


# --- views -----------------------------------------------------------------------------------------------------------


def test_messages_are_listed_and_reading_one_is_logged(ward: Ward, post: Post) -> None:
    sent = [post.send(adt("A01")), *(post.send(adt("A03", visit=f"X-{n}", number=f"N-{n}")) for n in range(52))]
    read = ward.use_cases.inbound_messages.list
    held = read(ward.supervisor, InboundMessageQuery(state=HELD))
    assert ([one["id"] for one in held["items"]], held["held"]) == ([one.id for one in sent[1:51]], 52)
    more = read(ward.supervisor, InboundMessageQuery(state=HELD, after=held["next"]))
    assert ([one["id"] for one in more["items"]], more["next"]) == ([one.id for one in sent[51:]], None)
    assert [one["id"] for one in read(ward.supervisor, InboundMessageQuery())["items"]] == [
        one.id for one in sent[:2:-1]
    ]
    one = ward.use_cases.inbound_messages.read(ward.supervisor, sent[0].id)
    assert {"place": "PID-5", "value": "Paz^Ana"} in one["fields"]
    [noted] = reported(ward, action="inbound_message.read", user_id=ward.supervisor.user_id)
    assert noted["entity_id"] == sent[0].id
