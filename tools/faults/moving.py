"""A hospital of a network moves to another PostgreSQL while its wards record."""

import shutil
import subprocess
from contextlib import ExitStack

from sqlalchemy import make_url

from adapters.sql.hospital_schemas import connect, hospital_schema
from adapters.sql.migrate import migrate
from tests.servers import ROOT
from tools.faults.databases import Postgresql, a_postgresql
from tools.faults.invariants import findings_in
from tools.faults.load import Ledger, wait_for, writers
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers

SEQUENCES_FORGOTTEN = "sequences-forgotten"

# The promise of docs/operations.md.
MAX_REFUSED_SECONDS = 5.0
_SCRIPT = ROOT / "docs" / "operations" / "move-hospital.sh"
_HOSPITAL = "norte"
_RECOVERY_SECONDS = 60.0
_STEP_SECONDS = 120


def move_a_hospital(run: ScenarioRun) -> Outcome:
    """Move a schema with the documented script, repeatedly."""
    for program in ("psql", "pg_dump"):
        if shutil.which(program) is None:
            raise CannotRun(f"{program} is not installed")
    outcome = Outcome()
    refused = []
    for number in run.each_round():
        with ExitStack() as stack:
            old, new = (stack.enter_context(a_postgresql()) for _ in range(2))
            refused.append(_move(run, outcome, old, new, number))
        outcome.injected += 1
    outcome.figures["longest time without an acknowledged write"] = ", ".join(f"{one:.1f} s" for one in refused)
    return outcome


def _move(run: ScenarioRun, outcome: Outcome, old: Postgresql, new: Postgresql, number: int) -> float:
    """Move it once, and return for how long nothing was acknowledged."""
    with connect(old.cluster.url("postgres")) as admin:
        admin.commit()
        admin.autocommit = True
        admin.execute("ALTER SYSTEM SET wal_level = logical")
    old.stop()
    old.start()
    admin_urls = [cluster.create("network") for cluster in (old.cluster, new.cluster)]
    with hospital_schema(admin_urls[0], _HOSPITAL) as first:
        migrate(first)
    ward, token = furnish(first)
    # Whichever of the two accepts writes, as with Patroni.
    here, there = (str(one.folder) for one in (old, new))
    url = make_url(first)
    both = url.set(query={"host": [here, there], "target_session_attrs": "read-write"})
    with (
        servers(both.render_as_string(hide_password=False), settings={"CONSUMO_POOL_SIZE": "4"}) as [server],
        writers(ward, token, [server.address], run.chance(f"writers {number}"), many=4) as ledger,
    ):
        _wait_for_writes(ledger, 30)
        addresses = [f"host={one.folder} dbname=network user=postgres" for one in (old, new)]
        _run_script("prepare", *addresses)
        _wait_for_writes(ledger, 30)
        # A switch to a server that does not answer changes nothing.
        _run_script("switch", addresses[0], "host=/nowhere", fails=True)
        _wait_for_writes(ledger, 30)
        ledger.max_silence = 0.0
        _run_script("switch", *addresses, forgets_sequences=run.mutant == SEQUENCES_FORGOTTEN)
        before = ledger.acknowledged
        _wait_for_writes(ledger, 30)
        silence = ledger.max_silence
    moved = url.set(query={"host": there})
    outcome.acknowledged += ledger.acknowledged
    outcome.findings += findings_in(moved.render_as_string(hide_password=False), ledger)
    if ledger.acknowledged == before:
        outcome.findings.append("nothing was recorded after the move")
    if silence > MAX_REFUSED_SECONDS:
        outcome.findings.append(f"nothing was acknowledged for {silence:.1f} s")
    return silence


def _wait_for_writes(ledger: Ledger, more: int) -> None:
    wanted = ledger.acknowledged + more
    if not wait_for(lambda: ledger.acknowledged >= wanted, _RECOVERY_SECONDS):
        ledger.find("nothing is written any more")


def _run_script(step: str, old: str, new: str, *, fails: bool = False, forgets_sequences: bool = False) -> None:
    text = _SCRIPT.read_text()
    if forgets_sequences:
        text = text.replace("last_value IS NOT NULL", "last_value < 0")
    done = subprocess.run(
        ["bash", "-c", text, "move-hospital.sh", step, _HOSPITAL, old, new],
        capture_output=True, text=True, timeout=_STEP_SECONDS,
    )  # fmt: skip
    if bool(done.returncode) is not fails:
        raise RuntimeError(f"{step} ended with {done.returncode}: {done.stdout}{done.stderr}")
