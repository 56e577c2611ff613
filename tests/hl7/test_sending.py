"""Sending messages: an erratic receiver still books each charge once."""

import random
import shutil
import signal
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.cli.send_command import send_all, send_next
from adapters.hl7.acknowledgement import read_acknowledgement
from adapters.hl7.folder import FolderWriter
from adapters.hl7.mllp_client import MllpClient
from adapters.setting_values.destination import Destination
from adapters.simulator.billing_system import Behavior, BillingSystem, listening
from adapters.simulator.charges import balance_of, charges_in
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.billing.outbound_messages import DeliveryResult, DeliveryStatus
from application.closing.reopen_sheet import ReopenDraft
from domain.interop.outbound_message import OutboundMessage, OutboundState
from tests.builders import ZONE, Ward, a_ward
from tests.canaries import PRICE, holds_amount
from tests.certificates import certificate
from tests.hl7.charges import sheet_id_in
from tests.pace import PATIENCE
from tests.servers import CONSUMO, ROOT, environment


@pytest.fixture
def ward() -> Ward:
    return a_ward(charging=True)


def close_some(ward: Ward, count: int = 3) -> list[int]:
    """Close, reopen, change and close again `count` sheets; returns their ids."""
    sheets = []
    for _ in range(count):
        sheet_id = ward.sheet()["id"]
        line = ward.detail(sheet_id, "2")["id"]
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        ward.clock.advance(minutes=1)
        ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó"))
        ward.use_cases.details.delete(ward.admin, line)
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        sheets.append(sheet_id)
    return sheets


def messages(ward: Ward) -> list[OutboundMessage]:
    with ward.store.begin() as work:
        return work.outbound_messages.find_many("sheet_id", range(1, 999))


def client(port: int, *, answer_seconds: float = 5, **particulars: object) -> MllpClient:
    to = Destination(host="127.0.0.1", port=port, **particulars)  # type: ignore[arg-type]
    return MllpClient(to, answer_seconds=answer_seconds)


def drain(ward: Ward, send: Callable[[OutboundMessage], DeliveryResult], *, tries: int = 500) -> None:
    """Send until no message waits, moving the clock to the next attempts."""
    for _ in range(tries):
        if send_next(ward.use_cases, send) is None:
            if all(one.state is not OutboundState.WAITING for one in messages(ward)):
                return
            ward.clock.advance(minutes=10)


def test_all_messages_are_sent_in_order_over_one_connection(ward: Ward) -> None:
    sheets = close_some(ward)
    with listening(BillingSystem()) as receiver:
        assert send_all(ward.use_cases, client(receiver.port), threading.Event(), once=True) == 0
    assert [body.decode() for body in receiver.bodies] == [one.body for one in messages(ward)]
    assert {one.state for one in messages(ward)} == {OutboundState.SENT}
    for sheet_id in sheets:
        booked = [one for key, one in receiver.booked.items() if sheet_id_in(key) == sheet_id]
        assert balance_of(booked) == ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]


@pytest.mark.parametrize(
    "does", [does for does in Behavior if does not in (Behavior.ACCEPTS, Behavior.COMMITS, Behavior.REFUSES)]
)
def test_a_failed_message_is_sent_again_unchanged_and_in_order(ward: Ward, does: Behavior) -> None:
    close_some(ward, 1)
    first = messages(ward)[0]
    with listening(BillingSystem(lambda number: does if number == 0 else Behavior.ACCEPTS)) as receiver:
        failed = send_next(ward.use_cases, client(receiver.port, answer_seconds=0.2).send)
        assert failed
        assert (failed.state, failed.id, bool(failed.problem)) == (OutboundState.WAITING, first.id, True)
        # On a busy machine, a good answer may take longer than that.
        send = client(receiver.port).send
        # Later messages of the sheet wait for it.
        assert send_next(ward.use_cases, send) is None
        drain(ward, send)
    assert [body.decode() for body in receiver.bodies] == [first.body, *(one.body for one in messages(ward))]
    assert receiver.contradicted == []
    assert {one.state for one in messages(ward)} == {OutboundState.SENT}


def test_a_rejected_message_is_dead_and_keeps_the_reason(ward: Ward) -> None:
    close_some(ward, 2)
    with listening(BillingSystem(lambda number: Behavior.REFUSES if number == 0 else Behavior.ACCEPTS)) as receiver:
        drain(ward, client(receiver.port).send)
    dead, behind, *others = messages(ward)
    assert (dead.state, dead.problem) == (OutboundState.DEAD, "AR: PID-3 unknown: Ñandú; 204^Unknown key")
    assert (behind.state, behind.tries) == (OutboundState.WAITING, 0)
    assert {one.state for one in others} == {OutboundState.SENT}


def test_a_refused_connection_is_reported(ward: Ward, caplog: pytest.LogCaptureFixture) -> None:
    close_some(ward, 1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        # A bound socket that does not listen refuses connections.
        failed = send_next(ward.use_cases, client(probe.getsockname()[1]).send)
    assert failed
    assert failed.problem == "Connection refused"
    assert caplog.messages[-1].endswith("is waiting after 1 tries: Connection refused")


@pytest.mark.parametrize("seed", range(3))
def test_an_erratic_receiver_books_every_charge_once(ward: Ward, seed: int) -> None:
    chance = random.Random(seed)
    sheets = close_some(ward, 8)
    # Rejected messages are retried by an administrator.
    does = [each for each in Behavior if each is not Behavior.BOOKS_SILENTLY]
    with listening(BillingSystem(lambda _: chance.choice([*does, Behavior.ACCEPTS, Behavior.ACCEPTS]))) as receiver:
        send = client(receiver.port).send
        for _ in range(20):
            drain(ward, send)
            dead = [one for one in messages(ward) if one.state is OutboundState.DEAD]
            for one in dead:
                ward.use_cases.outbound_messages.retry(ward.admin, one.id)
            if not dead:
                break
    written = [reported for one in messages(ward) for reported in charges_in(one.body)]
    assert receiver.contradicted == []
    assert sorted(receiver.booked.values()) == sorted(written)
    for sheet_id in sheets:
        booked = [one for key, one in receiver.booked.items() if sheet_id_in(key) == sheet_id]
        assert balance_of(booked) == ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (b"MSH|^~\\&\rMSA|AA|7.1.1\r", DeliveryResult(DeliveryStatus.ACCEPTED)),
        (b"MSH|^~\\&\nMSA|AA|7.1.1\n", DeliveryResult(DeliveryStatus.ACCEPTED)),
        (b"MSH|^~\\&\rMSA|AE|7.1.1|later\r", DeliveryResult(DeliveryStatus.FAILED, "AE: later", "AE")),
        ("MSH|^~\\&\rMSA|CR|7.1.1|ñ\r".encode("iso-8859-1"), DeliveryResult(DeliveryStatus.REJECTED, "CR: ñ", "CR")),
        (b"MSH|^~\\&\rMSA|AA|7.1.2\r", None),
        (b"MSH|^~\\&\rMSA|OK|7.1.1\r", None),
        (b"MSH|^~\\&\rMSA|AA\r", None),
        (b"", None),
        (b"MSA", None),
    ],
)
def test_only_an_acknowledgement_with_the_control_id_counts(answer: bytes, outcome: DeliveryResult | None) -> None:
    assert read_acknowledgement(answer, "7.1.1") == outcome


@pytest.mark.parametrize(
    ("errors", "cause"),
    [
        ("ERR||PID^1^3|204^Unknown key^HL70357|E|||Ana Paz", "AR, ERR-3 204 at PID^1^3"),
        ("ERR||PID^1|101|E\rERR|||207^Ana", "AR, ERR-3 101 at PID^1, ERR-3 207"),
        ("ERR||PID^1^3~PID^1^5|HC-1|E", "AR"),
        ("ERR||Paz^Ana|Ana|E", "AR"),
        ("ERR|PID^1^3", "AR"),
        ("ERR", "AR"),
    ],
)
def test_only_codes_and_places_of_a_refusal_may_be_logged(errors: str, cause: str) -> None:
    result = read_acknowledgement(f"MSH|^~\\&\rMSA|AR|7.1.1|Ana Paz, HC-1\r{errors}\r".encode(), "7.1.1")
    assert result
    assert (result.status, result.cause) == (DeliveryStatus.REJECTED, cause)


def test_each_refusal_is_logged_with_its_reason(ward: Ward, caplog: pytest.LogCaptureFixture) -> None:
    close_some(ward, 1)
    fails_first = BillingSystem(lambda number: Behavior.FAILS if number == 0 else Behavior.REFUSES)
    with listening(fails_first) as receiver:
        drain(ward, client(receiver.port).send, tries=3)
    assert [one.getMessage().partition(" is ")[2] for one in caplog.records if one.name == "consumo.send"] == [
        "waiting after 1 tries: AE, ERR-3 204 at PID^1^3",
        "dead after 2 tries: AR, ERR-3 204 at PID^1^3",
    ]
    assert "Ñandú" not in caplog.text


def test_a_folder_gets_each_message_once_as_a_file(ward: Ward, tmp_path: Path) -> None:
    close_some(ward, 1)
    folder = tmp_path / "out"
    drain(ward, FolderWriter(folder).send)
    assert sorted(path.name for path in folder.iterdir()) == [f"{one.control_id}.hl7" for one in messages(ward)]
    assert [(folder / f"{one.control_id}.hl7").read_bytes().decode() for one in messages(ward)] == [
        one.body for one in messages(ward)
    ]
    FolderWriter(folder).send(messages(ward)[0])
    assert len(list(folder.iterdir())) == 2


def test_an_unwritable_folder_is_retried(ward: Ward, tmp_path: Path) -> None:
    close_some(ward, 1)
    (tmp_path / "out").write_text("a file")
    failed = send_next(ward.use_cases, FolderWriter(tmp_path / "out").send)
    assert failed
    assert (failed.state, failed.problem) == (OutboundState.WAITING, "File exists")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="nothing here makes certificates")
def test_tls_authenticates_both_sides(ward: Ward, tmp_path: Path) -> None:
    theirs, ours = certificate(tmp_path, "billing"), certificate(tmp_path, "consumo")
    security = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    security.load_cert_chain(theirs)
    security.verify_mode = ssl.CERT_REQUIRED
    security.load_verify_locations(ours)
    close_some(ward, 1)
    with listening(BillingSystem(), security=security) as receiver:
        # A self-signed certificate is refused unless it is configured as CA.
        failed = send_next(ward.use_cases, client(receiver.port, tls=True, cert=ours, key=ours).send)
        assert failed
        assert "certificate is not believed" in (failed.problem or "")
        assert receiver.bodies == []
        drain(ward, client(receiver.port, tls=True, ca=theirs, cert=ours, key=ours).send)
    assert {one.state for one in messages(ward)} == {OutboundState.SENT}


def consumo(database_url: str, *arguments: str, destination: str) -> subprocess.Popen[str]:
    """Start `consumo send`."""
    return subprocess.Popen(
        [CONSUMO, "send", *arguments],
        cwd=ROOT,
        env=environment(database_url, CONSUMO_DFT_DESTINATION=destination),
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_command_finishes_its_message_on_sigterm(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'consumo.db'}"
    migrate(url)
    store = SqlStore(url, ZONE)
    ward = a_ward(store, charging=True, price=PRICE)
    close_some(ward, 2)
    # The command uses the system's clock, so the messages must be due now.
    with store.begin() as work:
        for one in work.outbound_messages.find_many("sheet_id", range(1, 99)):
            one.next_try_at = datetime.now(UTC)
            work.outbound_messages.save(one)
    began, go_on = threading.Event(), threading.Event()

    def slowly(number: int) -> Behavior:
        if number == 2:
            began.set()
            assert go_on.wait(PATIENCE)
        return Behavior.REFUSES if number == 3 else Behavior.ACCEPTS

    with listening(BillingSystem(slowly)) as receiver:
        sender = consumo(url, destination=f"mllp://127.0.0.1:{receiver.port}")
        assert began.wait(PATIENCE)
        # SIGTERM while a message is being sent: the command still reads the answer.
        sender.send_signal(signal.SIGTERM)
        go_on.set()
        _, log = sender.communicate(timeout=PATIENCE)
        assert sender.returncode == 0
        assert [one.state for one in messages(ward)] == [OutboundState.SENT] * 3 + [OutboundState.WAITING]
        again = consumo(url, "--once", destination=f"mllp://127.0.0.1:{receiver.port}")
        _, reported = again.communicate(timeout=PATIENCE)
        assert again.returncode == 1
        assert "1 were not taken" in reported
        assert messages(ward)[-1].state is OutboundState.DEAD
    # The log has neither names nor the receiver's text.
    assert "is sent after 1 tries" in log
    assert "is dead after 1 tries: AR, ERR-3 204 at PID^1^3" in reported
    for secret in ("Ñandú", "Ana"):
        assert secret not in log + reported
    assert not holds_amount(log + reported, PRICE)
    store.close()
