"""Recovery to the moment before a mistake, with pgBackRest."""

import shutil
import signal
import subprocess
from pathlib import Path

from sqlalchemy import URL, create_engine, text

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.reports.consistency import inconsistencies
from adapters.sql.store import SqlStore
from tests.builders import ZONE, Ward, a_ward
from tests.servers import Cluster, as_its_owner, make_cluster, run_cluster, stop
from tools.faults.databases import a_folder
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun

RESTORED_TO_THE_END = "restored-to-the-end"

_MOMENT = text("SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')")
_MISTAKE = text("DELETE FROM consumption_details WHERE sheet_id = :sheet")
_LINES = text("SELECT id FROM consumption_details")
_A_SECOND = text("SELECT pg_sleep(1.1)")
# Only then is the log of the last writes in the archive.
_SWITCH = text("SELECT pg_switch_wal()")


def restore_before_a_mistake(run: ScenarioRun) -> Outcome:
    """Delete lines by mistake, and restore to the moment before."""
    program = shutil.which("pgbackrest")
    if program is None:
        raise CannotRun("pgbackrest is not installed")
    outcome, chance = Outcome(), run.chance()
    for _ in run.each_round():
        with a_folder() as folder:
            archive = Archive(program, folder)
            lost, left = _restore(archive, chance.randrange(5, 40), to_the_end=run.mutant == RESTORED_TO_THE_END)
            outcome.injected += 1
            outcome.acknowledged += archive.recorded
            if lost:
                outcome.findings.append(f"{len(lost)} lines from before the mistake are missing")
            if left:
                outcome.findings.append(f"{len(left)} lines from after that moment are there")
            outcome.findings += archive.doubts
    return outcome


class Archive:
    """A PostgreSQL cluster whose log goes to a repository of pgBackRest."""

    def __init__(self, program: str, folder: Path) -> None:
        self.folder = folder
        self.recorded = 0
        self.doubts: list[str] = []
        self._settings = folder / "pgbackrest.conf"
        self._command = [program, f"--config={self._settings}", "--stanza=consumo"]
        make_cluster(folder)
        for name in ("repository", "spool", "locks", "logs"):
            (folder / name).mkdir()
            as_its_owner(folder / name)
        self._settings.write_text(
            f"[global]\nrepo1-path={folder}/repository\nspool-path={folder}/spool\nlock-path={folder}/locks\n"
            f"log-path={folder}/logs\nstart-fast=y\n"
            f"[consumo]\npg1-path={folder}/data\npg1-socket-path={folder}\npg1-user=postgres\n"
        )
        self.url = ""

    def start(self, *, archiving: bool) -> None:
        """Start the server, which archives its log or not."""
        push = " ".join([*self._command, "archive-push", "%p"])
        settings = {"archive_mode": "on", "archive_command": push} if archiving else {"archive_mode": "off"}
        self._server = run_cluster(self.folder, **settings)

    def stop(self) -> None:
        """Stop the server as its service does."""
        stop(self._server, signal.SIGINT)

    def run(self, *arguments: str) -> None:
        """Run a command of pgBackRest as the owner of the data."""
        command = [*as_its_owner(self.folder), *self._command, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise CannotRun(f"pgbackrest {arguments[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")

    def create(self) -> str:
        """Create the database and return its URL."""
        admin = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(self.folder)})
        self.url = Cluster(admin).create("consumo")
        return self.url


def _restore(archive: Archive, lines: int, *, to_the_end: bool) -> tuple[set[int], set[int]]:
    """Return the lines that are missing, and those that should not be there."""
    archive.start(archiving=True)
    try:
        url = archive.create()
        migrate(url)
        archive.run("stanza-create")
        store = SqlStore(url, ZONE)
        ward = a_ward(store)
        sheet = ward.sheet()["id"]
        before = _record(ward, sheet, lines)
        archive.run("backup", "--type=full")
        before |= _record(ward, sheet, lines)
        engine = create_engine(to_url(url), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            # pgBackRest knows the end of a backup to the second.
            connection.execute(_A_SECOND)
            moment = connection.execute(_MOMENT).scalar_one()
            connection.execute(_MISTAKE, {"sheet": sheet})
        after = _record(ward, ward.sheet(patient_id=ward.patient("Eva", "Gil").id)["id"], lines)
        archive.recorded = len(before) + len(after)
        with engine.connect() as connection:
            connection.execute(_SWITCH)
        engine.dispose()
        store.close()
    finally:
        archive.stop()
    target = () if to_the_end else ("--type=time", f"--target={moment}", "--target-action=promote")
    archive.run("restore", "--delta", *target)
    archive.start(archiving=False)
    try:
        engine = create_engine(to_url(url))
        with engine.connect() as connection:
            found = {*connection.execute(_LINES).scalars()}
            archive.doubts = [f"{one.kind} of sheet {one.sheet_id}" for one in inconsistencies(connection)]
        engine.dispose()
    finally:
        archive.stop()
    return before - found, found & after


def _record(ward: Ward, sheet: int, lines: int) -> set[int]:
    return {ward.detail(sheet, str(number + 1))["id"] for number in range(lines)}
