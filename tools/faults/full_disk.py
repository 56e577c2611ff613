"""Full disk: clear errors, no lost data, and recovery once there is room."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psycopg

from adapters.sql.migrate import migrate
from tests.servers import admin_of, as_its_owner
from tools.faults.databases import Postgresql, a_folder
from tools.faults.kills import reported
from tools.faults.load import wait_for, writers
from tools.faults.scenario import SQLITE, CannotRun, Outcome, ScenarioRun
from tools.faults.servers import Server, furnish, servers

_BALLAST = "ballast"


def fill_the_disk(run: ScenarioRun) -> Outcome:
    """Fill the database's disk repeatedly while writers work.

    Each round waits until writers get an error, and then makes room.
    """
    return _fill_and_make_room(run, promised_elsewhere=True)


def fill_the_only_disk(run: ScenarioRun) -> Outcome:
    """Fill the disk that holds both PostgreSQL's tables and its WAL.

    PostgreSQL may stop; it is then started again.
    """
    return _fill_and_make_room(run, promised_elsewhere=False)


def _fill_and_make_room(run: ScenarioRun, *, promised_elsewhere: bool) -> Outcome:
    outcome = Outcome()
    ended = 0
    with a_small_disk(64 if run.kind == SQLITE else 192) as disk, ExitStack() as stack:
        database = None if run.kind == SQLITE else stack.enter_context(_postgresql_on(disk, promised_elsewhere))
        url = database.cluster.create("consumo") if database else f"sqlite:///{disk / 'consumo.db'}"
        migrate(url)
        ward, token = furnish(url)
        (server,) = stack.enter_context(servers(url, mutant=run.mutant))
        with writers(ward, token, [server.address], run.chance("writers"), many=4) as ledger:
            wait_for(lambda: ledger.acknowledged > 20, 60)
            for _ in run.each_round():
                _fill(disk)
                outcome.injected += 1
                if database and not promised_elsewhere:
                    _exhaust_wal(database)
                told_so = sum(ledger.put_off.values())
                if not wait_for(lambda: sum(ledger.put_off.values()) > told_so + 5 or bool(ledger.findings), 120):  # noqa: B023
                    ledger.find("no answer reports the full disk")
                if promised_elsewhere and not ledger.put_off.get(507):
                    ledger.find("no answer names the disk")
                if promised_elsewhere and not _can_read(server, token):
                    ledger.find("nothing can be read while the disk is full")
                if promised_elsewhere and not wait_for(lambda: _readiness(server) == 503, 60):
                    ledger.find("readiness is reported while nothing can be written")
                (disk / _BALLAST).unlink()
                done = ledger.acknowledged

                def goes_on() -> bool:
                    nonlocal ended
                    if database and not database.runs:
                        # As its service manager would.
                        database.start()
                        ended += 1
                    return ledger.acknowledged > done + 20  # noqa: B023

                if not wait_for(goes_on, 90):
                    ledger.find("nothing is written though there is room again")
                    break
                if promised_elsewhere and not wait_for(lambda: _readiness(server) == 200, 60):
                    ledger.find("balancers are not told that it is ready again")
        if not promised_elsewhere:
            outcome.figures["PostgreSQL gave up and was started again"] = ended
        return reported(outcome, url, ledger)


def _can_read(server: Server, token: str) -> bool:
    # Reads of products are not in the audit log. Reads of patients are, and fail while the log cannot be written.
    answer = httpx.get(
        f"{server.address}/api/products", headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=40
    )
    return answer.status_code == 200


def _readiness(server: Server) -> int:
    with suppress(httpx.HTTPError):
        return httpx.get(f"{server.address}/health/ready", trust_env=False, timeout=20).status_code
    return 0


def _exhaust_wal(database: Postgresql) -> None:
    """Switch WAL files until there is no room for another one."""
    with suppress(psycopg.Error), psycopg.connect(admin_of(database.cluster.url("consumo")), autocommit=True) as admin:
        for _ in range(20):
            admin.execute("CREATE TABLE IF NOT EXISTS something (id int); DROP TABLE something; SELECT pg_switch_wal()")


@contextmanager
def a_small_disk(megabytes: int) -> Iterator[Path]:
    """Mount a tmpfs of that size."""
    if os.geteuid() != 0:
        raise CannotRun("a small disk can be mounted by root alone")
    with a_folder() as folder:
        options = ["-o", f"size={megabytes}m,mode=755"]
        mounted = subprocess.run(["mount", "-t", "tmpfs", *options, "consumo-faults", folder], capture_output=True)
        if mounted.returncode:
            raise CannotRun(f"no small disk can be mounted here: {mounted.stderr.decode().strip()}")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def _postgresql_on(disk: Path, promised_elsewhere: bool) -> Iterator[Postgresql]:
    """Run PostgreSQL on the disk, its WAL on another disk or the same one."""
    with a_folder() as other:
        log = other / "wal"
        log.mkdir()
        as_its_owner(log)
        database = Postgresql(disk, *([f"--waldir={log}"] if promised_elsewhere else []))
        try:
            yield database
        finally:
            database.stop()


def _fill(disk: Path) -> None:
    """Fill the disk completely."""
    with (disk / _BALLAST).open("wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while True:
                    ballast.write(bytes(size))
