"""SQLite file locks of a serving process.

No request drops a lock, and no command that runs beside the server loses a recorded line.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import fields, replace
from pathlib import Path

import httpx
import pytest
import rich_click as click
from sqlalchemy import make_url

from adapters.cli.main import main
from domain.common.policy import Role
from tests.builders import an_outbound_message
from tests.hl7.messages import adt
from tests.http.hospital import SECRET_KEY, SHEETS, Caller, Hospital, hospital_on
from tests.http.routes import EVERY_CALL
from tests.pace import PATIENCE
from tests.servers import ROOT, Server, consumo, environment

Serve = Callable[..., Server]

METRICS_TOKEN = "a token of those who watch over the server"
PROC_LOCKS = Path("/proc/locks")

# Bytes 120 to 127 of the -shm file are locked during a transaction (sqlite.org/walformat.html, 2.3).
TRANSACTION_LOCKS = range(120, 128)

pytestmark = pytest.mark.skipif(not PROC_LOCKS.exists(), reason="this system does not list locks")


def lasting_locks(server: Server) -> set[tuple[str, str]]:
    """Byte ranges that the server keeps locked between transactions."""
    file = database_file(server)
    names = {str(Path(f"{file}{suffix}").stat().st_ino): suffix or "database" for suffix in ("", "-wal", "-shm")}
    found = set()
    for line in PROC_LOCKS.read_text().splitlines():
        _, kind, _, _, pid, place, start, end = line.replace("-> ", "").split()
        name = names.get(place.rpartition(":")[2])
        if kind == "POSIX" and name and int(pid) != os.getpid():
            assert is_of(server, int(pid))
            if not (name == "-shm" and int(start) in TRANSACTION_LOCKS):
                found.add((name, f"{start}-{end}"))
    return found


def is_of(server: Server, pid: int) -> bool:
    """Whether the process belongs to the server's process group."""
    return os.getpgid(pid) == server.process.pid


def database_file(server: Server) -> str:
    return make_url(server.database_url).database or ""


@contextmanager
def calling(server: Server, hospital: Hospital) -> Iterator[Hospital]:
    """The hospital with all callers connected to the real server."""
    with httpx.Client(base_url=server.address, timeout=PATIENCE, trust_env=False) as client:
        people = {
            field.name: replace(value, client=client)  # type: ignore[arg-type]
            for field in fields(hospital)
            if isinstance(value := getattr(hospital, field.name), Caller)
        }
        yield replace(hospital, client=client, **people)  # type: ignore[arg-type]


def test_no_request_or_backup_changes_the_database_locks(sqlite_url: str, tmp_path: Path, serve: Serve) -> None:
    with hospital_on(sqlite_url, tmp_path) as furnished:
        server = serve(sqlite_url, CONSUMO_SECRET_KEY=SECRET_KEY, CONSUMO_METRICS_TOKEN=METRICS_TOKEN)
        with calling(server, furnished) as hospital:
            before = lasting_locks(server)
            assert {name for name, _ in before} == {"database", "-shm"}
            for call in EVERY_CALL:
                # A call may delete the account or end the session of its caller.
                caller = hospital.someone(Role.ADMIN)
                path, body = call.prepare(hospital, caller)
                answer = caller.call(call.method, path, body)
                assert answer.status_code < 500, (str(call), answer.text)
                assert lasting_locks(server) == before, str(call)
                # Every paged list is also available as files.
                for form in ("csv", "xlsx", "pdf") if '"meta":{"page"' in answer.text else ():
                    assert caller.get(f"{path}{'&' if '?' in path else '?'}format={form}").status_code < 500
                    assert lasting_locks(server) == before, (str(call), form)
            metrics = hospital.stranger.get("/metrics", authorization=f"Bearer {METRICS_TOKEN}")
            assert "consumo_connections{" in metrics.text
            assert lasting_locks(server) == before, "metrics"
            consumo("backup", str(tmp_path / "backup.zip"), database_url=sqlite_url)
            assert lasting_locks(server) == before, "backup"


# Runs each command in a forked process that has loaded Consumo already, and prints each exit code.
RUN_COMMANDS = """
import json, os, sys
from adapters.cli import audit_commands, check_command, create_user_command, database_commands, demo_command
from adapters.cli import doctor_command, export_commands, import_commands, receive_command, send_command, serve_command
from adapters.cli import verify_paper_command
from adapters.cli.main import main
from adapters.sql.migrate import schema_state_at
schema_state_at(None)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        with open(os.devnull, "r+b") as nothing:
            os.dup2(nothing.fileno(), 0), os.dup2(nothing.fileno(), 1)
        main(json.loads(line))
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


def commands_to_run(folder: Path, hospital: Hospital) -> list[tuple[int, list[str]]]:
    """Commands that open the database, with their exit codes beside a server."""
    areas, message = folder / "areas.csv", folder / "adt.hl7"
    areas.write_text("área\nUCI\nUCIN\n")
    message.write_bytes(adt("A01").encode())
    return [
        (0, ["check"]),
        # The file is no paper.
        (5, ["verify-paper", str(areas)]),
        (0, ["export", "products", "--output", str(folder / "products.csv")]),
        (0, ["backup", str(folder / "backup.zip")]),
        (0, ["check-backup", str(folder / "backup.zip")]),
        (0, ["print-forms", "--area", "Urgencias", "--folder", str(folder)]),
        (0, ["audit", "seal"]),
        # No log server listens.
        (2, ["doctor"]),
        (0, ["audit", "verify"]),
        (0, ["receive", str(message)]),
        (0, ["send", "--once", "--folder", str(folder / "sent")]),
        (1, ["send-audit", "--once"]),
        (0, ["prove", str(folder / "dossier")]),
        (0, ["export-patient", "HC-0001", str(folder / "patient")]),
        (0, ["copy", "--pseudonymised", str(folder / "copy.db")]),
        (0, ["import", "areas", str(areas)]),
        (0, ["import", "undo", "1"]),
        (0, ["migrate", "--fill"]),
        # Refused after reading the database: the user exists, there is data, a server runs.
        (1, ["create-user", hospital.email(hospital.admin), "--password-stdin"]),
        (0, ["passkey-link", hospital.email(hospital.admin)]),
        (1, ["demo"]),
        (1, ["restore", str(folder / "backup.zip"), "--replace"]),
        (1, ["serve"]),
    ]


# Lines recorded during each command, and again after it.
LINES = 10


def test_no_command_beside_a_server_loses_a_recorded_line(sqlite_url: str, tmp_path: Path, serve: Serve) -> None:
    with hospital_on(sqlite_url, tmp_path) as hospital:
        an_outbound_message(hospital.store, hospital.clock(), hospital.closed_sheet())
        path = f"{SHEETS}/{hospital.open_sheet()}/consumption-details"
        headers, line = hospital.supervisor.headers, {"product_id": hospital.gauze, "quantity": 1}
        commands = commands_to_run(tmp_path, hospital)
    # The simulators open no database, a new hospital has another one, and a network is on PostgreSQL.
    elsewhere = {"create-hospital", "network-views", "simulate"}
    assert {name for _, (name, *_) in commands} == set(main.list_commands(click.Context(main))) - elsewhere

    server = serve(sqlite_url, CONSUMO_SECRET_KEY=SECRET_KEY, CONSUMO_METRICS_TOKEN=METRICS_TOKEN)
    settings = environment(
        sqlite_url, CONSUMO_PORT=server.address.rpartition(":")[2], CONSUMO_AUDIT_DESTINATION="syslog-tls://127.0.0.1:9"
    )
    with (
        ThreadPoolExecutor(1) as recorder,
        httpx.Client(base_url=server.address, headers=headers, timeout=PATIENCE, trust_env=False) as client,
        subprocess.Popen(
            [sys.executable, "-c", RUN_COMMANDS],
            env=settings, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as runner,
    ):  # fmt: skip
        assert runner.stdin
        assert runner.stdout

        def record() -> list[int]:
            answers = [client.post(path, json=line).raise_for_status() for _ in range(LINES)]
            return [answer.json()["id"] for answer in answers]

        client.get("/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}).raise_for_status()
        client.get("/health/ready").raise_for_status()
        acknowledged = {}
        for expected, command in commands:
            beside = recorder.submit(record)
            runner.stdin.write(json.dumps(command) + "\n")
            runner.stdin.flush()
            assert runner.stdout.readline() == f"{expected}\n", (command, runner.communicate()[1])
            acknowledged[" ".join(command)] = {*beside.result(), *record()}
        runner.communicate()
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait(PATIENCE)

    with closing(sqlite3.connect(database_file(server))) as database:
        kept = {detail for (detail,) in database.execute("SELECT id FROM consumption_details")}
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert {command: ids - kept for command, ids in acknowledged.items() if ids - kept} == {}
