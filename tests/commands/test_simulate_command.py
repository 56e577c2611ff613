"""``consumo simulate``: against the real receiver and the real sender."""

import os
import re
import signal
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adapters.cli.main import main
from adapters.cli.send_command import send_all
from adapters.hl7.folder import process_folder
from adapters.hl7.mllp import framed
from adapters.hl7.mllp_client import MllpClient
from adapters.hl7.mllp_server import MllpServer
from adapters.setting_values.destination import Destination
from adapters.simulator import billing_system
from adapters.simulator.billing_system import Behavior, BillingSystem
from tests.builders import a_ward
from tests.hl7.messages import a_post
from tests.hl7.running import listening
from tests.hl7.test_simulated_billing import a_charge, a_message
from tests.pace import PATIENCE
from tests.servers import CONSUMO, ROOT, environment

BEDS = ("--bed", "Urgencias^101", "--bed", "Urgencias^102")


def simulate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *arguments])


def test_stays_are_sent_to_the_receiver() -> None:
    with listening(MllpServer(a_post(a_ward()).receiver.answer)) as (host, port):
        done = simulate("his", "--mllp", f"{host}:{port}", "--patients", "2", *BEDS)
    assert done.exit_code == 0, done.output
    printed = [line.split() for line in done.stdout.splitlines()]
    assert Counter((kind, code) for kind, _, _, code in printed) == {
        ("A28", "AA"): 1, ("A01", "AA"): 1, ("A04", "AA"): 1, ("A06", "AA"): 1, ("A08", "AA"): 2, ("A02", "AA"): 2,
        ("A03", "AA"): 3, ("A13", "AA"): 1,
    }  # fmt: skip
    assert "12 messages: 12 AA; 0 not as expected." in done.stderr


def test_a_refused_message_makes_the_command_fail() -> None:
    with billing_system.listening(
        BillingSystem(lambda number: Behavior.REFUSES if number else Behavior.ACCEPTS)
    ) as his:
        done = simulate("his", "--mllp", f"127.0.0.1:{his.port}", "--patients", "1")
    assert done.exit_code == 1
    assert "5 messages: 1 AA, 4 AR; 4 not as expected." in done.stderr
    assert "AR PID-3 unknown: Ñandú" in done.stdout


def test_a_form_that_is_to_be_refused_is_no_failure() -> None:
    """All unusual forms but one are answered otherwise than expected."""
    system = BillingSystem(lambda _: Behavior.REFUSES)
    with billing_system.listening(system):
        done = simulate("his", "--mllp", f"127.0.0.1:{system.port}", "--patients", "1", "--ugly")
    [too_long] = [line for line in done.stdout.splitlines() if "[too-long: AR]" in line]
    assert "NOT AS EXPECTED" not in too_long
    assert done.stdout.count("NOT AS EXPECTED: CA") == 2


def test_files_are_received_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command needs no database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONSUMO_DATABASE_URL", "sqlite:////nowhere/at/all.db")
    done = simulate("his", "--folder", "in", "--patients", "3", "--version", "2.3", "--charset", "8859/1", *BEDS)
    assert done.exit_code == 0, done.output
    assert [file.name for file in tmp_path.iterdir()] == ["in"]
    files = sorted((tmp_path / "in").iterdir())
    assert len(files) == len(done.stdout.splitlines()) == 14
    assert b"|P|2.3||||||8859/1\r" in files[0].read_bytes()
    for file in files:
        os.utime(file, (1, 1))
    reports = [report for _, report in process_folder(a_post(a_ward()).receiver, tmp_path / "in")]
    assert [(report.taken, report.held, report.refused) for report in reports] == [(1, 0, 0)] * 14


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Give one of --mllp and --folder."),
        (("--mllp", "localhost:1", "--folder", "x"), "Give one of --mllp and --folder."),
        (("--mllp", "nowhere"), "--mllp nowhere: give an address and a port"),
        (("--folder", "x", "--tls-ca", __file__), "--tls-ca goes with --mllp."),
        (("--folder", "x", "--bed", "UCI|201"), "--bed UCI|201: give the text of PV1-3"),
    ],
)
def test_contradictory_options_are_refused(arguments: tuple[str, ...], said: str) -> None:
    done = simulate("his", *arguments)
    assert done.exit_code == 2
    assert said in re.sub(r"[\s│]+", " ", done.stderr)


def test_a_receiver_that_is_not_there_is_reported() -> None:
    with billing_system.listening(BillingSystem()) as gone:
        port = gone.port
    done = simulate("his", "--mllp", f"127.0.0.1:{port}")
    assert done.exit_code == 1
    assert "Connection refused" in done.stderr


@contextmanager
def billing(folder: Path, *options: str) -> Iterator[tuple[int, Callable[[], list[str]]]]:
    """Run the command; yields its port, and how to stop it and read it."""
    command = [str(CONSUMO), "simulate", "billing", "--listen", "127.0.0.1:0", *options]
    process = subprocess.Popen(
        command, env=environment(f"sqlite:///{folder}/none.db"), cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip

    def stop() -> list[str]:
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        return said.splitlines()

    try:
        assert process.stderr
        yield int(process.stderr.readline().rpartition(":")[2]), stop
    finally:
        process.kill()
        process.communicate()


def test_billing_books_what_the_sender_sends_and_prints_balances(tmp_path: Path) -> None:
    ward = a_ward(charging=True)
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    total = ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]
    with billing(tmp_path) as (port, stop):
        client = MllpClient(Destination(host="127.0.0.1", port=port))
        assert send_all(ward.use_cases, client, threading.Event(), once=True) == 0
        said = stop()
    balance = f"visit {sheet_id}: charges {total}, credits 0, balance {total}"
    assert said[-2:] == ["1 messages, 2 charges and credits booked", balance]
    assert sum(line.endswith(": booked") for line in said) == 2
    assert list(tmp_path.iterdir()) == []


def test_billing_prints_cuts_and_repeated_charges(tmp_path: Path) -> None:
    message = a_message(a_charge("1234567-123456-1")).replace(b"Paz", b"Paz" * 100)
    with billing(tmp_path, "--cut", "--silent", "1") as (port, stop):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
            line.sendall(framed(message) * 2)
            line.shutdown(socket.SHUT_WR)
            assert line.recv(1) == b""
        said = stop()
    assert said == [
        "7.1.1 no answer",
        "  PID-5 cut from 304 to 250 characters",
        "  FT1-2 cut from 16 to 12 characters: 1234567-123456-1 became 1234567-1234",
        "  1234567-1234 CG G-1 2 12.50: booked",
        "  visit V-1: charges 12.50, credits 0, balance 12.50",
        "7.1.1 no answer",
        "  PID-5 cut from 304 to 250 characters",
        "  FT1-2 cut from 16 to 12 characters: 1234567-123456-1 became 1234567-1234",
        "  1234567-1234 CG G-1 2 12.50: known",
        "2 messages, 1 charges and credits booked",
        "visit V-1: charges 12.50, credits 0, balance 12.50",
    ]
