"""``consumo receive``: over the network, from a folder, from a file."""

import os
import resource
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from adapters.cli.wiring import container_of
from adapters.hl7.mllp import END, framed
from adapters.hl7.mllp_server import MAX_CONNECTIONS
from adapters.server.announcements import warn_of_other_receiver_settings
from adapters.settings.read_settings import read_settings
from tests.hl7.messages import adt
from tests.pace import PATIENCE
from tests.servers import CONSUMO, ROOT, environment


@pytest.fixture
def url(sqlite_url: str) -> str:
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        connection.execute(
            "INSERT INTO areas (name, name_key, name_folded) VALUES ('Urgencias', 'urgencias', 'urgencias')"
        )
        connection.execute(
            "INSERT INTO rooms (name, name_folded, status, type, area_id) VALUES ('101', '101', 1, 1, 1)"
        )
    return sqlite_url


def counted(url: str, what: str = "SELECT count(*) FROM consumption_sheets") -> int:
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        (count,) = connection.execute(what).fetchone()
    return int(count)


def receive(url: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [str(CONSUMO), "receive", *arguments]
    return subprocess.run(command, env=environment(url, **settings), cwd=ROOT, capture_output=True, text=True)


def test_a_file_is_received_once_even_if_repeated(url: str, tmp_path: Path) -> None:
    file = tmp_path / "adt.hl7"
    messages = [adt("A01", visit=f"V-{n}", number=f"N-{n}") for n in range(3)]
    file.write_text("".join([*messages, adt("A02", visit="V-9"), adt("A01", version="9")]))
    for _ in range(2):
        done = receive(url, str(file))
        assert (done.returncode, "4 taken, 1 of them held; 1 refused" in done.stderr) == (1, True)
    assert (counted(url), counted(url, "SELECT count(*) FROM inbound_messages")) == (3, 5)


def test_a_watched_folder_is_received_and_files_are_moved(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in (("1.hl7", adt("A01")), ("2.txt", adt("A02", visit="V-0")), ("other.pdf", "x")):
        (folder / name).write_text(text)
        os.utime(folder / name, (1, 1))
    command = [str(CONSUMO), "receive", "--folder", str(folder)]
    process = subprocess.Popen(command, env=environment(url), cwd=ROOT, stderr=subprocess.PIPE)
    try:
        until = time.monotonic() + PATIENCE
        while not (folder / "done" / "2.txt").exists():
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert sorted(file.name for file in (folder / "done").iterdir()) == ["1.hl7", "2.txt", "2.txt.report.txt"]
    assert "visit.unknown" in (folder / "done" / "2.txt.report.txt").read_text()
    assert [file.name for file in folder.iterdir() if file.is_file()] == ["other.pdf"]


def test_the_server_announces_that_the_receiver_has_another_map(url: str, tmp_path: Path) -> None:
    file, paths = tmp_path / "adt.hl7", tmp_path / "map.toml"
    file.write_text(adt("A01"))
    paths.write_text('[paths]\nvisit_number = "PID-18.1"\n')

    def announced(**settings: str) -> list[str]:
        said: list[str] = []
        with container_of(read_settings(environment(url, **settings), folder=tmp_path)) as container:
            warn_of_other_receiver_settings(container, said.append)
        return said

    assert announced() == announced(CONSUMO_HL7_MAP=str(paths)) == []
    receive(url, str(file), CONSUMO_HL7_MAP=str(paths))
    assert announced(CONSUMO_HL7_MAP=str(paths)) == []
    [warning] = announced()
    assert "CONSUMO_HL7_MAP" in warning
    assert announced(CONSUMO_HL7_MAP=str(paths), CONSUMO_HL7_AUTHORITY="SEG") == [warning]
    assert "Restart “consumo serve”" in receive(url, str(file)).stderr
    assert announced() == []


def few_files() -> None:
    """Lower the soft limit of open files, which the command must raise."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))


def test_messages_are_received_beside_idle_connections(url: str) -> None:
    command = [str(CONSUMO), "receive", "--mllp", "127.0.0.1:0", "--allow", "127.0.0.0/8"]
    process = subprocess.Popen(
        command, env=environment(url), cwd=ROOT, stderr=subprocess.PIPE, text=True, preexec_fn=few_files
    )
    assert process.stderr
    try:
        address = "127.0.0.1", int(process.stderr.readline().rpartition(":")[2])
        with ExitStack() as silent:
            for _ in range(MAX_CONNECTIONS + 20):
                silent.enter_context(socket.create_connection(address, timeout=PATIENCE))
            line = silent.enter_context(socket.create_connection(address, timeout=PATIENCE))
            line.sendall(framed(adt("A01", control_id="C-1").encode()))
            said = b""
            while not said.endswith(END):
                said += line.recv(4096)
            assert b"MSA|AA|C-1" in said
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()
    assert counted(url) == 1
