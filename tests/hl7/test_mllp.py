"""Receiving over MLLP: framing, acknowledgements, limits and failures."""

import random
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from adapters.hl7.acknowledgement import AckCode
from adapters.hl7.mllp import END, MAX_MESSAGE_BYTES, START, framed
from adapters.hl7.mllp_server import MAX_BYTES_BETWEEN, MllpServer
from adapters.hl7.splitting import MAX_LINES
from application.common.store_errors import StoreUnavailable, UnavailableReason
from domain.common.errors import Reason
from tests.builders import NOON, Ward, a_ward
from tests.hl7.messages import Post, a_post, adt, patient_of, sheet_of
from tests.hl7.running import listening
from tests.pace import PATIENCE
from tests.servers import environment
from tests.use_cases.stored import put_back, snapshot
from tests.walk import WALKS_ALL


@pytest.fixture
def ward() -> Ward:
    return a_ward()


@pytest.fixture
def post(ward: Ward) -> Post:
    return a_post(ward)


@dataclass
class Line:
    """A connection from the hospital system."""

    socket: socket.socket
    said: bytes = b""

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.socket.sendall(piece)

    def answer(self) -> list[str]:
        """The fields of the MSA segment."""
        while END not in self.said:
            piece = self.socket.recv(4096)
            if not piece:
                raise ConnectionError
            self.said += piece
        said, _, self.said = self.said.partition(END)
        assert said.startswith(START)
        return said.decode().split("\r")[1].split("|")

    def ask(self, message: str) -> list[str]:
        self.send(framed(message.encode()))
        return self.answer()


@contextmanager
def calling(address: tuple[str, int]) -> Iterator[Line]:
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        yield Line(connection)


def test_a_message_is_acknowledged_after_it_is_stored(ward: Ward, post: Post) -> None:
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        assert line.ask(adt("A01", control_id="C-1", name="Muñoz^Íñigo")) == ["MSA", "AA", "C-1"]
        assert patient_of(ward).name == "Íñigo"


@pytest.mark.parametrize("end", ["\r\r", "\r\r\n", "\r\n", "\n"])
def test_a_frame_may_have_any_line_ending(ward: Ward, post: Post, end: str) -> None:
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        assert line.ask(adt("A01", control_id="C-1").replace("\r", end)) == ["MSA", "AA", "C-1"]
        assert sheet_of(ward)


def test_each_message_of_a_frame_is_acknowledged(ward: Ward, post: Post) -> None:
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        line.send(
            framed(f"\ufeff\r\n{adt('A01', control_id='1')}\r\n{adt('A01', visit='V-8', control_id='2')}".encode())
        )
        assert [line.answer() for _ in range(2)] == [["MSA", "AA", "1"], ["MSA", "AA", "2"]]
    assert sheet_of(ward)
    assert sheet_of(ward, "V-8")


def test_a_frame_may_be_larger_than_its_messages_may_be(ward: Ward, post: Post) -> None:
    """Of three messages, the second is too large; the others count."""
    large = adt("A08", control_id="2") + f"NTE|1||{'x' * 3 * MAX_MESSAGE_BYTES}\r"
    frame = adt("A01", control_id="1") + large + adt("A01", visit="V-8", control_id="3")
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        line.send(framed(frame.encode()))
        assert [line.answer()[1:3] for _ in range(3)] == [["AA", "1"], ["AR", "2"], ["AA", "3"]]
    assert sheet_of(ward, "V-8")


def test_messages_may_arrive_in_one_packet_or_byte_by_byte(ward: Ward, post: Post) -> None:
    first, second = framed(adt("A01").encode()), framed(adt("A03", at=NOON + timedelta(hours=1)).encode())
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        line.send(first + second)
        assert [line.answer()[1] for _ in range(2)] == ["AA", "AA"]
        line.send(*(bytes([byte]) for byte in first))
        assert line.answer()[1] == "AA"
    sheet = sheet_of(ward)
    assert sheet
    assert sheet.discharge_proposed_at


def test_a_held_message_is_acknowledged(post: Post) -> None:
    """Otherwise its sender would repeat it forever and block later messages."""
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        assert line.ask(adt("A01", location="UCI^201^B"))[1] == "AA"


def test_after_a_rejected_text_the_next_message_is_accepted(post: Post) -> None:
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        assert line.ask("GET / HTTP/1.1")[1] == "AR"
        assert line.ask(adt("A01"))[1] == "AA"


def test_while_the_database_is_away_the_answer_is_ae(post: Post, ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> Any:
        raise StoreUnavailable(UnavailableReason.UNREACHABLE)

    sent = adt("A01")
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        receive = post.receiver.receive
        object.__setattr__(post.receiver, "receive", lambda *_, **__: away())
        assert line.ask(sent)[1] == "AE"
        object.__setattr__(post.receiver, "receive", receive)
        assert line.ask(sent)[1] == "AA"
    assert sheet_of(ward)


def test_a_message_that_causes_an_error_is_held(post: Post) -> None:
    receive = post.receiver.receive

    def broken(*given: Any, doubt: Reason | None = None) -> Any:
        if doubt is None:
            raise RuntimeError("a defect")
        return receive(*given, doubt=doubt)

    object.__setattr__(post.receiver, "receive", broken)
    [taken] = post.receiver.process(adt("A01").encode())
    assert taken.kept
    assert taken.kept.reason
    assert (taken.ack_code, taken.kept.reason.code) == (AckCode.ACCEPT, "message.failed")


def test_an_unfinished_message_times_out(ward: Ward, post: Post) -> None:
    server = MllpServer(post.receiver.answer, seconds_for_the_rest=0.2)
    with listening(server) as address, calling(address) as line:
        line.send(framed(adt("A01").encode())[:-20])
        with pytest.raises(ConnectionError):
            line.answer()
    assert sheet_of(ward) is None


def test_after_an_oversized_message_the_next_is_accepted(post: Post) -> None:
    header = adt("A01", control_id="C-9").partition("\r")[0].encode()
    for rest in (b"\rOBX|" + b"x" * 2 * MAX_MESSAGE_BYTES, b"\rDG1|1" * (MAX_LINES + 1)):
        with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
            line.send(framed(header + rest))
            assert line.answer()[:3] == ["MSA", "AR", "C-9"]
            assert line.ask(adt("A01"))[1] == "AA"


def test_an_endless_message_closes_the_connection(post: Post) -> None:
    server = MllpServer(post.receiver.answer, max_frame_bytes=4 * MAX_MESSAGE_BYTES)
    with listening(server) as address, calling(address) as line:
        with suppress(ConnectionError):
            line.send(START, *[b"x" * MAX_MESSAGE_BYTES] * 8)
        with pytest.raises(ConnectionError):
            line.answer()
        with calling(address) as other:
            assert other.ask(adt("A01"))[1] == "AA"


def test_garbage_between_messages_closes_the_connection(post: Post) -> None:
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        line.send(b"\r\n")
        assert line.ask(adt("A01"))[1] == "AA"
        with suppress(ConnectionError):
            line.send(b"x" * (MAX_BYTES_BETWEEN + 1))
        with pytest.raises(ConnectionError):
            line.answer()


def test_an_idle_connection_is_closed(post: Post) -> None:
    server = MllpServer(post.receiver.answer, seconds_until_the_first=0.1)
    with listening(server) as address, calling(address) as silent, pytest.raises(ConnectionError):
        silent.answer()
    server = MllpServer(post.receiver.answer, seconds_of_silence=0.1)
    with listening(server) as address, calling(address) as line:
        assert line.ask(adt("A01"))[1] == "AA"
        with pytest.raises(ConnectionError):
            line.answer()


def test_at_the_limit_silent_connections_are_closed_first(post: Post) -> None:
    with (
        listening(MllpServer(post.receiver.answer, max_connections=3)) as address,
        calling(address) as line,
        ExitStack() as silent,
    ):
        assert line.ask(adt("A01"))[1] == "AA"
        lines = [silent.enter_context(calling(address)) for _ in range(8)]
        for closed in lines[:6]:
            with pytest.raises(ConnectionError):
                closed.answer()
        assert line.ask(adt("A08"))[1] == "AA"
        assert lines[7].ask(adt("A08", at=NOON + timedelta(hours=1)))[1] == "AA"


def test_an_error_while_parsing_is_answered_with_ar(post: Post) -> None:
    def broken(_: str) -> Any:
        raise OverflowError

    object.__setattr__(post.receiver, "parse", broken)
    with listening(MllpServer(post.receiver.answer)) as address, calling(address) as line:
        assert line.ask(adt("A01", control_id="C-1")) == [
            "MSA",
            "AR",
            "C-1",
            "It could not be read. Tell the support of Consumo.",
        ]


@pytest.mark.parametrize("moment", ["00010101000000+0000", "00010101", "99991231235959-1200", "99991231"])
@pytest.mark.parametrize("place", ["EVN-2", "EVN-6", "MSH-7", "PV1-44", "PV1-45", "PID-7"])
@pytest.mark.parametrize("kind", ["A01", "A02", "A03", "A08"])
def test_extreme_times_are_acknowledged(post: Post, moment: str, place: str, kind: str) -> None:
    name, number = place.split("-")
    lines = [line.split("|") for line in adt(kind).rstrip("\r").split("\r")]
    for line in lines:
        if line[0] == name:
            at = int(number) - (name == "MSH")
            line.extend([""] * (at + 1 - len(line)))
            line[at] = moment
    [said] = post.receiver.answer("\r".join("|".join(line) for line in lines).encode())
    assert said.split(b"\r")[1].split(b"|")[1] in (b"AA", b"AR")


def test_only_allowed_networks_can_connect(post: Post) -> None:
    server = MllpServer(post.receiver.answer, [ip_network("10.0.0.0/24")])
    with listening(server) as address, calling(address) as line, pytest.raises(ConnectionError):
        line.ask(adt("A01"))


def test_messages_are_received_over_tls(post: Post, tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*made, "-keyout", key, "-out", cert], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    trusting = ssl.create_default_context(cafile=str(cert))
    with listening(MllpServer(post.receiver.answer), context) as address, calling(address) as line:
        line.socket = trusting.wrap_socket(line.socket, server_hostname="localhost")
        assert line.ask(adt("A01"))[1] == "AA"


# --- killed processes ------------------------------------------------------------------------------------------------


def test_a_receiver_killed_before_answering_stores_once(sqlite_url: str) -> None:
    """kill -9 between commit and answer: the sender repeats the message."""
    sent = adt("A01", control_id="C-1")
    for answered in [False] * (20 if WALKS_ALL else 2) + [True]:
        with dying(sqlite_url, dies=not answered) as address, calling(address) as line:
            line.send(framed(sent.encode()))
            if answered:
                assert line.answer()[1] == "AA"
            else:
                with pytest.raises(ConnectionError):
                    line.answer()
    counted = "SELECT (SELECT count(*) FROM consumption_sheets), (SELECT count(*) FROM inbound_messages)"
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        assert connection.execute(counted).fetchone() == (1, 1)


@contextmanager
def dying(url: str, *, dies: bool) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "tests.hl7.running", url, "dies" if dies else "lives"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(url))
    assert process.stdout
    try:
        yield "127.0.0.1", int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


# --- fuzzing ---------------------------------------------------------------------------------------------------------

MUTATIONS = 20_000 if WALKS_ALL else 1_000
_PIECES = (b"|", b"^", b"~", b"&", b"\\", b"\r", b"\n", b"\x00", b"\xff", b"\xc3", b'""', b"MSH", b"PID|", b"99999999")


def mutated(chance: random.Random, message: bytes) -> bytes:
    """The message with a few bytes removed, changed, repeated or inserted."""
    for _ in range(chance.randrange(1, 6)):
        at, length = chance.randrange(len(message) + 1), chance.randrange(12)
        match chance.randrange(4):
            case 0:
                message = message[:at] + message[at + length :]
            case 1:
                message = message[:at] + chance.choice(_PIECES) + message[at:]
            case 2:
                message = message[:at] + message[at : at + length] + message[at:]
            case 3:
                message = message[:at] + chance.randbytes(length) + message[at + length :]
    return message


def test_a_mutated_message_is_acknowledged_or_rejected(
    post: Post, ward: Ward, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(20_261_123)
    kinds = ["A01", "A02", "A03", "A08", "A11", "A12", "A13", "A28", "A31", "A40"]
    beginning = snapshot(ward)
    for number in range(MUTATIONS):
        if number % 50 == 0:
            put_back(ward, beginning)
        sent = adt(
            chance.choice(kinds), prior="OLD", diagnosis="Neumonía", doctor="D7^Vega^Luz", control_id=f"{number}"
        )
        for answer in post.receiver.answer(mutated(chance, sent.encode())):
            said = answer.decode("latin-1")
            fields = said.split("\r")[1].split(said[3])
            assert fields[0] == "MSA"
            assert fields[1] in ("AA", "AR", "CA", "CR")
    said_in_log = [record.getMessage() for record in caplog.records if record.name.startswith("consumo")]
    assert [
        line for line in said_in_log if not line.startswith("A message was refused with AR: message.refused_")
    ] == []


def test_messages_of_several_connections_are_received(ward: Ward, post: Post) -> None:
    def send(number: int, address: tuple[str, int]) -> None:
        with calling(address) as line:
            for kind in ("A01", "A03"):
                line.ask(adt(kind, visit=f"V-{number}", number=f"MRN-{number}"))

    with listening(MllpServer(post.receiver.answer)) as address:
        threads = [threading.Thread(target=send, args=(number, address)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert all(sheet_of(ward, f"V-{number}") for number in range(8))
