"""Contract of every store: searching messages, and deciding about several."""

from dataclasses import replace
from typing import Any

import pytest

from application.common.paging import InvalidQuery
from application.inbound.admission_message import AdmissionMessage
from application.inbound.held_messages import (
    MAX_MESSAGES,
    DismissMessageDraft,
    RetryMessagesDraft,
    RoomAnswerDraft,
)
from application.inbound.views import InboundMessageQuery
from application.sheets.views import SheetQuery
from domain.common.errors import Code, Forbidden
from domain.interop.inbound_message import InboundMessage, InboundState
from tests.assertions import refused
from tests.builders import Ward
from tests.hl7.messages import Post, a_post, adt, message, sheet_of

HELD, DISMISSED = InboundState.HELD, InboundState.DISMISSED


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


@pytest.fixture
def sent(post: Post) -> dict[str, InboundMessage]:
    """One applied message and five held ones, by a name."""
    return {
        "applied": post.send(adt("A01", visit="V-1", number="N-1", control_id="C-1")),
        "bed": post.send(adt("A01", visit="V-2", number="N-2", control_id="C-2", location="UCI^201^B")),
        "other bed": post.send(adt("A01", visit="V-20", number="N-3", control_id="C-3", location="uci^202")),
        "discharge": post.send(adt("A03", visit="X-1", number="N-4", control_id="C-4")),
        "update": post.send(adt("A08", visit="X-2", number="N-5", control_id="C-5%")),
        "lab": post.send(adt("A08", visit="X-3", number="n_6", control_id="C-6", source="LAB")),
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, "lab,update,discharge,other bed,bed,applied"),
        ({"state": HELD}, "bed,other bed,discharge,update,lab"),
        ({"kind": "A08"}, "lab,update"),
        ({"kind": "A01", "state": HELD}, "bed,other bed"),
        ({"kind": "A0"}, ""),
        ({"reason": "location.unknown"}, "other bed,bed"),
        ({"reason": "location.unknown", "q": "V-20"}, "other bed"),
        ({"reason": "location"}, ""),
        ({"q": "V-2"}, "other bed,bed"),
        ({"q": " v-20 "}, "other bed"),
        ({"q": "N-4"}, "discharge"),
        ({"q": "N_4"}, ""),
        ({"q": "n_"}, "lab"),
        ({"q": "c-5%"}, "update"),
        ({"q": "C-%"}, ""),
        ({"q": "lab"}, "lab"),
        ({"q": "HOSPITAL"}, ""),
        ({"q": "UCI^20"}, "other bed,bed"),
        ({"q": "20"}, ""),
        ({"q": "  "}, "lab,update,discharge,other bed,bed,applied"),
        ({"kind": "", "reason": "", "state": HELD, "q": "x"}, "discharge,update,lab"),
    ],
)
def test_messages_are_found(ward: Ward, sent: dict[str, InboundMessage], query: dict[str, Any], names: str) -> None:
    found = ward.use_cases.inbound_messages.list(ward.supervisor, InboundMessageQuery(**query))
    called = {one.id: name for name, one in sent.items()}
    assert ",".join(called[one["id"]] for one in found["items"]) == names


def test_held_messages_are_counted_by_reason(ward: Ward, sent: dict[str, InboundMessage]) -> None:
    found = ward.use_cases.inbound_messages.list(ward.supervisor, InboundMessageQuery(q="V-1"))
    assert len(sent) == 6
    assert found["held"] == 5
    assert found["reasons"] == [
        {"code": "visit.unknown", "messages": 3},
        {"code": "location.unknown", "messages": 2},
    ]


@pytest.mark.parametrize("state", [None, HELD])
def test_a_search_continues_on_the_next_page(
    ward: Ward, sent: dict[str, InboundMessage], state: InboundState | None
) -> None:
    """A page may be empty, because only some messages are searched for it."""
    seen, after = [], None
    for _ in range(len(sent) + 1):
        query = InboundMessageQuery(state=state, q="V-2", after=after)
        with ward.store.read() as views:
            page = views.inbound_messages.page(query, limit=1, max_searched=2)
        seen += [one.id for one in page.items]
        after = page.next
        if after is None:
            break
    assert after is None
    assert sorted(seen) == [sent["bed"].id, sent["other bed"].id]


def test_several_messages_are_retried_oldest_event_first(ward: Ward, post: Post) -> None:
    """An admission that arrived later opens the sheet of its discharge."""
    applied = post.send(adt("A01", control_id="1"))
    # Its retry answers the question about its control id, which no other message answers.
    late = post.after(hours=2)
    discharge = post.send(adt("A03", at=late, visit="V-2", number="N-2", location="UCI^201", control_id="1"))
    admission = post.send(adt("A01", visit="V-2", number="N-2", location="UCI^201"))
    waiting = post.send(adt("A08", at=post.after(hours=3), visit="V-2", number="N-2", location=None))
    unknown = post.send(adt("A03", visit="V-9", number="N-9"))
    ward.use_cases.inbound_messages.assign_room(ward.admin, admission.id, RoomAnswerDraft(room_id=ward.room_id))
    ids = (discharge.id, unknown.id, applied.id, admission.id, admission.id)
    decided = ward.use_cases.inbound_messages.retry.several(ward.admin, RetryMessagesDraft(ids=ids))
    assert decided == {"done": 2, "held": 1, "decided": 1}
    sheet = sheet_of(ward, "V-2")
    assert sheet is not None
    assert sheet.discharge_proposed_at == late
    assert message(ward, waiting.id).state is InboundState.APPLIED
    assert message(ward, unknown.id).tries == unknown.tries + 1


def test_several_messages_are_dismissed_with_one_reason(ward: Ward, sent: dict[str, InboundMessage]) -> None:
    ids = tuple(sent[name].id for name in ("lab", "bed", "applied"))
    dismiss = ward.use_cases.inbound_messages.dismiss.several
    decided = dismiss(ward.admin, DismissMessageDraft(ids=ids, reason="De prueba"))
    assert decided == {"done": 2, "held": 0, "decided": 1}
    kept = [message(ward, one) for one in ids]
    assert [(one.state, one.note) for one in kept[:2]] == [(DISMISSED, "De prueba")] * 2
    assert kept[2].state is InboundState.APPLIED
    assert kept[0].decided_at == ward.clock()


@pytest.mark.parametrize(
    ("others", "code"),
    [
        (None, Code.REQUIRED),
        ((), Code.REQUIRED),
        (tuple(range(1_000, 1_000 + MAX_MESSAGES)), Code.ITEMS_TOO_MANY),
        ((999,), Code.REFERENCE_UNKNOWN),
    ],
)
def test_a_wrong_selection_decides_nothing(ward: Ward, post: Post, others: tuple[int, ...] | None, code: Code) -> None:
    kept = post.send(adt("A03"))
    ids = others and (kept.id, *others)
    use_cases = ward.use_cases.inbound_messages
    with refused((code, "ids")):
        use_cases.retry.several(ward.admin, RetryMessagesDraft(ids=ids))
    with refused((code, "ids")):
        use_cases.dismiss.several(ward.admin, DismissMessageDraft(ids=ids, reason="De prueba"))
    assert message(ward, kept.id) == kept


def test_several_messages_are_not_dismissed_without_a_reason(ward: Ward, post: Post) -> None:
    kept = post.send(adt("A03"))
    with refused((Code.REQUIRED, "reason")):
        ward.use_cases.inbound_messages.dismiss.several(ward.admin, DismissMessageDraft(ids=(kept.id,)))
    with pytest.raises(Forbidden):
        ward.use_cases.inbound_messages.retry.several(ward.supervisor, RetryMessagesDraft(ids=(kept.id,)))
    assert message(ward, kept.id) == kept


def test_open_sheets_without_a_visit_are_listed(ward: Ward, post: Post) -> None:
    """One of them may get the visit number of a held message."""
    by_hand = ward.sheet()["id"]
    post.send(adt("A01"))
    found = ward.use_cases.sheets.reader.page(ward.admin, SheetQuery(without_visit=True))["items"]
    assert [one["id"] for one in found] == [by_hand]
    assert len(ward.use_cases.sheets.reader.page(ward.admin, SheetQuery())["items"]) == 2
    with pytest.raises(InvalidQuery):
        SheetQuery(without_visit=True, closed=True)


# Messages that stay held, all of one visit and patient.
ALIKE: dict[str, dict[str, Any]] = {
    "without visit": {"kind": "A02", "visit": ""},
    "unknown visit": {"kind": "A02"},
    "unknown bed": {"kind": "A01", "location": "UCI^201^B"},
    "no bed": {"kind": "A01", "location": ""},
    "no bed and no visit yet": {"kind": "A08", "location": "UCI^201^B"},
    "another class": {"kind": "A08", "location": "UCI^201^B", "patient_class": "O"},
}


@pytest.mark.parametrize("case", ALIKE)
def test_a_held_message_costs_the_same_beside_others(post: Post, case: str) -> None:
    parse, parsed = post.receiver.parse, [0]

    def count(text: str) -> AdmissionMessage:
        parsed[0] += 1
        return parse(text)

    post.receiver = replace(post.receiver, reprocess=replace(post.receiver.reprocess, parse_message=count))
    costs = []
    for _ in range(12):
        parsed[0] = 0
        assert post.send(adt(**ALIKE[case])).state is not InboundState.APPLIED
        costs.append(parsed[0])
    assert set(costs[2:]) == {costs[1]}


def test_a_bed_that_came_first_opens_the_sheet_once_it_may(ward: Ward, post: Post) -> None:
    moved = post.send(adt("A02", at=post.after(hours=1), location="Urgencias^102"))
    assert moved.state is HELD
    admitted = post.send(adt("A01", location=""))
    assert message(ward, moved.id).state is InboundState.APPLIED
    assert not message(ward, admitted.id).waiting
    assert sheet_of(ward)
