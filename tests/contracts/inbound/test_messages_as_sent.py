"""Contract of every store: messages as hospitals really send them."""

from datetime import timedelta

import pytest

from application.inbound.views import InboundMessageQuery
from domain.common.errors import Code
from domain.interop.inbound_message import InboundState
from tests.builders import Ward
from tests.hl7.messages import Post, a_post, adt, message, rooms_of, sheet_of
from tests.use_cases.inbound.test_messages_as_sent import APPLIED, HELD, outcome, room_id


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


def test_refused_messages_are_listed_without_their_text(ward: Ward, post: Post) -> None:
    sent = adt("A01", version="1.0", control_id="7", name="Paz^Secreta").encode()
    for content in (sent, sent, b"MSH|^~", adt("A01", control_id="8", version="1.0").encode()):
        post.receiver.answer(content)
    refused = InboundMessageQuery(state=InboundState.REFUSED)
    listed = ward.use_cases.inbound_messages.list(ward.admin, refused)["items"]
    assert [(one["source"], one["control_id"], one["kind"], one["code"], one["tries"]) for one in listed] == [
        ("HIS|HOSPITAL", "8", "A01", Code.REFUSED_VERSION, 1),
        ("|", "", "", Code.REFUSED_NO_HL7, 1),
        ("HIS|HOSPITAL", "7", "A01", Code.REFUSED_VERSION, 2),
    ]
    assert message(ward, listed[2]["id"]).body is None
    # It can be sent again once it is corrected, with the same control id.
    assert outcome(post.send(adt("A01", control_id="7"))) == (APPLIED, None)
    with ward.store.begin() as work:
        work.inbound_messages.purge(ward.clock() + timedelta(seconds=1))
    assert ward.use_cases.inbound_messages.list(ward.admin, refused)["items"] == []


def test_patients_exchange_their_beds(ward: Ward, post: Post) -> None:
    post.send(adt("A01"))
    first, second = (
        adt("A17", at=post.after(hours=2), location="Urgencias^102"),
        adt("A17", at=post.after(hours=2), visit="V-8", number="8", location="Urgencias^101", name="Sol^Eva"),
    )
    kept = post.send(first + second[second.index("PID|") :])
    assert outcome(kept) == (HELD, Code.VISIT_UNKNOWN)
    assert rooms_of(ward) == ["101"]
    post.send(adt("A01", visit="V-8", number="8", location="Urgencias^102", name="Sol^Eva", born="19900101"))
    assert outcome(message(ward, kept.id)) == (APPLIED, None)
    assert rooms_of(ward) == ["101", "102"]
    other = sheet_of(ward, "V-8")
    assert other
    assert other.room_id == room_id(ward, "101")
