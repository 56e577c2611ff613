"""Four hospitals of one server and one database: kill -9, and a migration.

Each hospital has its own schema, writers and ledger. Users, sheets, lines and keys have the same numbers in all, so a
write that went into the schema of another would not be refused there.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg

from adapters.settings.read_settings import read_all_settings
from adapters.sql.hospital_schemas import hospital_schema
from adapters.sql.migrate import SchemaState, migrate, schema_state_of
from tests.servers import ROOT
from tools.faults.databases import a_postgresql
from tools.faults.invariants import findings_in
from tools.faults.load import Ledger, wait_for, writers
from tools.faults.next_version import FIRST_FAILURE_STOPS_ALL, TABLE
from tools.faults.scenario import Outcome, ScenarioRun
from tools.faults.servers import SECRET_KEY, furnish, servers

HOSPITALS = ("norte", "sur", "este", "oeste")
# Neither the first nor the last to be migrated.
FAILING = "sur"

_RECOVERY_SECONDS = 60.0
_WRITERS_EACH = 2


@dataclass(frozen=True, slots=True)
class _Hospital:
    name: str
    database_url: str
    ledger: Ledger

    def acknowledged(self) -> int:
        return self.ledger.acknowledged


def kill_and_migrate(run: ScenarioRun) -> Outcome:
    """Kill the server of four hospitals repeatedly, then migrate them all."""
    outcome, chance = Outcome(), run.chance()
    with ExitStack() as stack:
        admin_url = stack.enter_context(a_postgresql()).cluster.create("network")
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="consumo-faults-")))
        urls = {name: stack.enter_context(hospital_schema(admin_url, name)) for name in HOSPITALS}
        settings = {"CONSUMO_HOSPITALS": str(_write_list(folder, urls)), "CONSUMO_POOL_SIZE": "2"}
        keys = {
            one.name: one.secret_key
            for one in read_all_settings(settings | {"CONSUMO_SECRET_KEY": SECRET_KEY}, folder=folder)
        }
        furnished = {}
        for name, url in urls.items():
            migrate(url)
            furnished[name] = furnish(url, keys[name])
        mutant = None if run.mutant == FIRST_FAILURE_STOPS_ALL else run.mutant
        [server] = stack.enter_context(servers("", mutant=mutant, settings=settings))
        with ExitStack() as writing:
            hospitals = []
            for name, (ward, token) in furnished.items():
                recorded = writers(
                    ward, token, [server.address], run.chance(name), many=_WRITERS_EACH, sheets=2, host=_host(name)
                )
                hospitals.append(_Hospital(name, urls[name], writing.enter_context(recorded)))
            for number in run.each_round():
                if not _wait_for_writes(hospitals, chance.randrange(1, 6)):
                    break
                server.kill()
                outcome.injected += 1
                run.linger(number)
                server.start()
            server.wait()
            if _wait_for_writes(hospitals, 5):
                outcome.findings += _migrate_all(hospitals, settings, outcome, run.mutant == FIRST_FAILURE_STOPS_ALL)
                _wait_for_writes(hospitals, 5)
        outcome.acknowledged = sum(one.ledger.acknowledged for one in hospitals)
        outcome.figures["of each hospital"] = ", ".join(f"{one.ledger.acknowledged:,}" for one in hospitals)
        outcome.figures["requests without an answer"] = sum(one.ledger.cut for one in hospitals)
        for one in hospitals:
            outcome.findings += [f"{one.name}: {found}" for found in findings_in(one.database_url, one.ledger)]
        outcome.findings += _strays(admin_url)
    return outcome


def _host(name: str) -> str:
    return f"{name}.consumo.test"


def _write_list(folder: Path, urls: Mapping[str, str]) -> Path:
    file = folder / "hospitals.toml"
    file.write_text(
        "".join(
            f'[{name}]\npublic_url = "http://{_host(name)}"\ndatabase_url = "{url}"\n' for name, url in urls.items()
        )
    )
    return file


def _wait_for_writes(hospitals: list[_Hospital], more: int) -> bool:
    """Wait until each hospital has acknowledged more writes."""
    before = {one.name: one.acknowledged() for one in hospitals}
    for one in hospitals:
        if not wait_for(lambda: one.acknowledged() >= before[one.name] + more, _RECOVERY_SECONDS):  # noqa: B023
            one.ledger.find("nothing is written though the server is there")
            return False
    return True


def _migrate_all(hospitals: list[_Hospital], settings: Mapping[str, str], outcome: Outcome, stops: bool) -> list[str]:
    """Migrate to a next version, first with a failure at one hospital.

    It is repaired, and migrated again. Return what is wrong. All hospitals record meanwhile.
    """
    found = []
    [failing] = [one for one in hospitals if one.name == FAILING]
    _execute(failing.database_url, f"CREATE TABLE {TABLE} (id integer)")
    before = {one.name: one.acknowledged() for one in hospitals}
    put_off = {one.name: sum(one.ledger.put_off.values()) for one in hospitals}
    begun = time.monotonic()
    migrated = _run_next_version(settings, *([FIRST_FAILURE_STOPS_ALL] if stops else []), "--all", "migrate")
    outcome.injected += 1
    outcome.figures["migrating all four took"] = f"{time.monotonic() - begun:.1f} s"
    if migrated.returncode != 1:
        found.append(f"the migration ended with {migrated.returncode}: {migrated.stderr[-300:]}")
    if f"Problems: {FAILING}." not in migrated.stderr:
        found.append("the hospital that was not migrated is not named")
    for one in hospitals:
        is_migrated = schema_state_of(one.database_url) is SchemaState.AHEAD
        if is_migrated is (one is failing):
            found.append(f"{one.name} was {'' if is_migrated else 'not '}migrated")
        if one.acknowledged() == before[one.name]:
            found.append(f"{one.name} recorded nothing while all were migrated")
        if sum(one.ledger.put_off.values()) != put_off[one.name]:
            found.append(f"{one.name} was asked to wait while all were migrated")
    _execute(failing.database_url, f"DROP TABLE {TABLE}")
    again = _run_next_version(settings, "--all", "migrate")
    if again.returncode or any(schema_state_of(one.database_url) is not SchemaState.AHEAD for one in hospitals):
        found.append(f"after the repair the migration ended with {again.returncode}: {again.stderr[-300:]}")
    return found


def _run_next_version(settings: Mapping[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CONSUMO_")}
    return subprocess.run(
        [sys.executable, "-m", "tools.faults.next_version", *arguments],
        env=inherited | dict(settings) | {"CONSUMO_SECRET_KEY": SECRET_KEY},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def _execute(database_url: str, statement: str) -> None:
    with psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(statement.encode())


def _strays(admin_url: str) -> list[str]:
    """Return tables outside of the hospitals' schemas."""
    named = ", ".join(f"'{name}'" for name in HOSPITALS)
    others = (
        f"SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname NOT IN ({named}) "  # noqa: S608
        "AND schemaname NOT IN ('pg_catalog', 'information_schema')"
    )
    with psycopg.connect(admin_url.replace("+psycopg", "")) as connection:
        return [f"the table {name} belongs to no hospital" for (name,) in connection.execute(others.encode())]
