"""The simulated hospital system: its messages, and the answers that it reads."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import Mock

import pytest

from adapters.hl7.mllp import END, START
from adapters.hl7.mllp_server import MllpServer
from adapters.setting_values.destination import Destination, connect
from adapters.simulator import billing_system, his_line
from adapters.simulator.billing_system import BillingSystem
from adapters.simulator.his_line import HisLine
from adapters.simulator.stays import HisConventions, Hospital, Sending
from adapters.simulator.ugly_ways import UGLY_WAYS, ugly_sendings
from domain.interop.inbound_message import InboundState
from tests.builders import NOON, Ward, a_ward
from tests.hl7.messages import Post, a_post, patient_of, sheet_of
from tests.hl7.running import listening
from tests.servers import ROOT

BEDS = HisConventions(beds=("Urgencias^101", "Urgencias^102", "Urgencias^103"))
NORMAL_EVENTS = {"A01", "A02", "A03", "A04", "A06", "A07", "A08", "A11", "A12", "A13", "A28", "A31", "A40"}


def a_hospital(seed: int = 1) -> Hospital:
    return Hospital(seed, NOON, BEDS)


def ugly(name: str) -> list[Sending]:
    return [one for one in ugly_sendings(a_hospital()) if one.way == name]


def contents(hospital: Hospital) -> list[bytes]:
    return [one.content for one in (*hospital.stays(6), *ugly_sendings(hospital))]


@pytest.fixture
def ward() -> Ward:
    return a_ward()


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


def test_the_seed_and_the_start_determine_all_messages() -> None:
    assert contents(a_hospital()) == contents(a_hospital())
    assert contents(a_hospital()) != contents(a_hospital(seed=2))


def test_another_run_is_about_other_visits_of_the_same_patients() -> None:
    runs = [Hospital(1, NOON + timedelta(seconds=n), BEDS).stays(6) for n in range(2)]
    control_ids, visits, people = (
        [{getattr(message, name) for one in run for message in one.messages} for run in runs]
        for name in ("control_id", "visit", "name")
    )
    assert people[0] == people[1]
    assert control_ids[0].isdisjoint(control_ids[1])
    assert visits[0] & visits[1] <= {None, ""}


def test_messages_are_marked_as_simulated() -> None:
    for content in contents(a_hospital()):
        assert b"MSH|^~\\&|SIMULADOR|SIMULADOR|" in content
        assert re.search(rb"PID\|1\|\|\s*SIM-", content)


def test_six_stays_have_all_events_in_the_order_of_time() -> None:
    messages = [message for one in a_hospital().stays(6) for message in one.messages]
    assert {message.kind for message in messages} == NORMAL_EVENTS
    assert [message.at for message in messages] == sorted(message.at for message in messages)
    assert max(message.at for message in messages) < NOON


def test_the_receiver_applies_all_stays(ward: Ward, post: Post) -> None:
    with listening(MllpServer(post.receiver.answer)) as (host, port):
        line = HisLine(Destination(host=host, port=port))
        answers = [answer for one in a_hospital().stays(6) for answer in line.send(one)]
        line.close()
    assert {(answer.code, answer.is_expected) for answer in answers} == {("AA", True)}
    with ward.store.begin_read_only() as work:
        kept = work.inbound_messages.find_many("id", range(1, 99))
        sheets = {f"{n}": sheet_of(ward, f"SIM910503120000-{n}") for n in range(1, 7)}
    assert len(kept) == len(answers)
    assert [one.reason for one in kept if one.state is InboundState.HELD] == []
    assert all(sheets.values())
    discharged = {n for n, sheet in sheets.items() if sheet and sheet.discharge_proposed_at}
    cancelled = {n for n, sheet in sheets.items() if sheet and sheet.admission_cancelled_at}
    assert (discharged, cancelled) == ({"1", "2", "4", "5", "6"}, {"3"})
    # The provisional number became the patient's own one.
    assert sheets["5"]
    assert sheets["5"].patient_id == patient_of(ward, "SIM-0005").id


# --- unusual forms ----------------------------------------------------------------------------------------------------

# A pattern in the content of the first block of each form, and the number of its blocks and messages.
FORMS = {
    "out-of-order": (rb"ADT\^A03", 3, 3),
    "repeated": (rb"ADT\^A01", 5, 5),
    "several-in-one-block": (rb"(?s)MSH.*\rMSH", 1, 2),
    "blank-lines": (rb"\r\n\r\nEVN", 1, 1),
    "cr-cr-lf": (rb"\r\r\nEVN", 1, 1),
    "bom": (rb"\A\xef\xbb\xbfMSH", 1, 1),
    "too-long": (rb"x{1000000}", 1, 1),
    "bed-later": (rb"PV1\|1\|I\|\|", 2, 2),
    "no-visit-number": (rb"ADT\^A01", 2, 2),
    "blanks-around-numbers": (rb"\| SIM-0010  \^.*(?s:.)*\|  SIM910503120000-10 ", 2, 2),
    "charset-UTF-8": (rb"\|UTF-8\r", 1, 1),
    "charset-utf8": (rb"\|utf8\r", 1, 1),
    "charset-ISO-8859-1": (rb"\|ISO-8859-1\r", 1, 1),
    "charset-windows-letters": (rb"\|8859/1\r(?s:.)*\x93abierta\x94", 1, 1),
    "iso-moments": (rb"EVN\|A01\|2091-05-03T\d\d:\d\d:\d\d\+00:00\|", 1, 1),
    "future-event": (rb"ADT\^A01", 3, 3),
    "version-2.2": (rb"\|P\|2\.2\|", 2, 2),
    "version-2.9": (rb"\|P\|2\.9\|", 2, 2),
    "enhanced-mode": (rb"\|P\|2\.5\.1\|\|\|AL\|NE\|", 2, 2),
    "unknown-events": (rb"ADT\^A60", 2, 2),
    "batch": (rb"\AFHS\|(?s:.)*\rBHS\|(?s:.)*\rBTS\|2\rFTS\|1\r\Z", 1, 2),
    "batch-wrong-count": (rb"\rBTS\|9\r", 1, 2),
}


@pytest.mark.parametrize("name", [way.name for way in UGLY_WAYS])
def test_each_unusual_form_is_as_its_name_says(name: str) -> None:
    pattern, blocks, messages = FORMS[name]
    sendings = ugly(name)
    assert re.search(pattern, sendings[0].content)
    assert (len(sendings), sum(len(one.messages) for one in sendings)) == (blocks, messages)


def test_later_blocks_have_the_missing_or_wrong_values() -> None:
    assert re.search(rb"PV1\|1\|I\|Urgencias\^10", ugly("bed-later")[1].content)
    assert b"SIM910503120000" not in ugly("no-visit-number")[1].content.partition(b"PV1")[2]
    assert re.search(rb"EVN\|A08\|20620101080000\|\|\|\|\r", ugly("future-event")[1].content)


def test_the_page_lists_the_unusual_forms() -> None:
    page = (ROOT / "docs" / "interop.md").read_text()
    rows = re.findall(r"^\| `([\w.-]+)` \| .+ \| `(AA|AR|CA)` \|$", page, re.MULTILINE)
    assert rows == [(way.name, way.expects) for way in UGLY_WAYS]


# --- answers ----------------------------------------------------------------------------------------------------------


class Script(BillingSystem):
    """A receiver that answers each block with the next content, or hangs up."""

    def __init__(self, *answers: bytes) -> None:
        super().__init__()
        self.answers = list(answers)

    def handle(self, message: bytes) -> bytes | None:
        self.bodies.append(message)
        if not self.answers:
            raise ConnectionAbortedError
        return self.answers.pop(0)


@contextmanager
def a_line(script: Script) -> Iterator[HisLine]:
    with billing_system.listening(script):
        line = HisLine(Destination(host="127.0.0.1", port=script.port), answer_seconds=20)
        yield line
        line.close()


def ack(code: str, control_id: str, text: str = "") -> bytes:
    return f"MSH|^~\\&|X\rMSA|{code}|{control_id}|{text}\r".encode()


def test_a_block_may_be_answered_message_by_message() -> None:
    [block] = ugly("several-in-one-block")
    first, second = (message.control_id for message in block.messages)
    blocks = END + START
    for answer in (ack("AA", first) + ack("AA", second), blocks.join([ack("AA", first), ack("AA", second)])):
        with a_line(Script(answer)) as line:
            assert [one.code for one in line.send(block)] == ["AA", "AA"]


def test_a_receiver_may_refuse_without_the_id_of_a_message() -> None:
    [block] = ugly("several-in-one-block")
    with a_line(Script(ack("AR", "", "no header"))) as line:
        assert [(one.code, one.problem) for one in line.send(block)] == [("AR", "no header")] * 2


def test_no_answer_is_awaited_after_the_refusal_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting in vain would close the connection."""
    opened = Mock(wraps=connect)
    monkeypatch.setattr(his_line, "connect", opened)
    [block] = ugly("several-in-one-block")
    [bom] = ugly("bom")
    answers = ack("AR", block.messages[0].control_id, "one by one"), ack("AA", bom.messages[0].control_id)
    with a_line(Script(*answers)) as line:
        refused = [(one.code, one.problem, one.is_expected) for one in line.send(block)]
        assert [one.code for one in line.send(bom)] == ["AA"]
    assert refused == [("AR", "one by one", False)] * 2
    assert opened.call_count == 1


def test_answers_to_earlier_messages_are_passed_over() -> None:
    first, second = a_hospital().stays(1)[:2]
    late = (END + START).join([ack("AE", "another"), ack("AA", second.messages[0].control_id)])
    with a_line(Script(ack("AA", first.messages[0].control_id), late)) as line:
        assert [one.code for sent in (first, second) for one in line.send(sent)] == ["AA", "AA"]


def test_a_line_that_was_cut_is_connected_again() -> None:
    first, second = a_hospital().stays(1)[:2]
    script = Script()
    with a_line(script) as line:
        [cut] = line.send(first)
        assert (cut.code, cut.is_expected) == ("", False)
        script.answers.append(ack("AA", second.messages[0].control_id))
        assert [one.code for one in line.send(second)] == ["AA"]


def test_a_refusal_is_expected_only_of_some_forms() -> None:
    [too_long] = ugly("too-long")
    with a_line(Script(ack("AR", too_long.messages[0].control_id))) as line:
        assert [one.is_expected for one in line.send(too_long)] == [True]
    [bom] = ugly("bom")
    with a_line(Script(ack("CA", bom.messages[0].control_id))) as line:
        assert [one.is_expected for one in line.send(bom)] == [False]
