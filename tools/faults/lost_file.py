"""Loss of the SQLite file while a server writes, with Litestream.

The server and Litestream are killed at once, and the file is deleted. Then it is restored from the replica, as
docs/operations.md says, and used again.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from decimal import Decimal
from http import HTTPStatus
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread

from sqlalchemy import create_engine

from adapters.sql.backups.litestream import last_copied_at
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.reports.consistency import inconsistencies
from tests.builders import Ward
from tests.servers import ROOT, dying_with_us, stop
from tools.faults.databases import a_folder
from tools.faults.load import Caller, GaveUp, Ledger, add_line, open_sheet, wait_for
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers

COPIED_EVERY_MINUTE = "copied-every-minute"

# The promise of docs/operations.md: no older line is lost.
MAX_LOSS_SECONDS = 2.0
_CONFIGURATION = ROOT / "docs" / "operations" / "litestream.yml"
_WRITERS = 8
_GO_ON_SECONDS = 1.5
_PATIENCE_SECONDS = 20.0


def litestream_program() -> str | None:
    """Return the path of Litestream, which is a requirement of development."""
    return shutil.which("litestream", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")


def lose_the_file(run: ScenarioRun) -> Outcome:
    """Kill and delete under load, restore, and go on, repeatedly."""
    program = litestream_program()
    if program is None:
        raise CannotRun("litestream is not installed")
    outcome, chance, ledger = Outcome(), run.chance(), Ledger()
    rounds: list[str] = []
    for _ in run.each_round():
        with a_folder() as folder:
            place = Replicated(program, folder, "60s" if run.mutant == COPIED_EVERY_MINUTE else "")
            rounds.append(_lose_once(place, ledger, outcome.findings, chance.uniform(3, 8)))
        outcome.injected += 1
    outcome.acknowledged = ledger.acknowledged
    outcome.findings += ledger.findings
    for number, figures in enumerate(rounds, 1):
        outcome.figures[f"round {number}"] = figures
    return outcome


def _lose_once(place: "Replicated", ledger: Ledger, findings: list[str], seconds: float) -> str:
    """Lose and restore a file; return what was lost, and add what is wrong."""
    migrate(place.url)
    ward, token = furnish(place.url)
    with ExitStack() as serving:
        with place.copying() as litestream:
            [server] = serving.enter_context(servers(place.url, settings=place.settings))
            with _recorders(Caller([server.address], token, ledger, Random()), ward, "before") as acknowledged:
                time.sleep(seconds)
                killed_at = time.monotonic()
                litestream.kill()
                server.kill()
        place.lose()
        begun = time.monotonic()
        place.restore(place.file)
        took = time.monotonic() - begun
        missing = sorted(acknowledged.keys() - place.lines(place.file))
        oldest = max((killed_at - acknowledged[line] for line in missing), default=0.0)
        if oldest > MAX_LOSS_SECONDS:
            findings.append(f"{len(missing)} lines are missing, the oldest acknowledged {oldest:.1f} s before")
        findings += place.doubts()
        with place.copying():
            server.start()
            server.wait()
            with _recorders(Caller([server.address], token, ledger, Random()), ward, "after") as later:
                time.sleep(_GO_ON_SECONDS)
    again = place.file.with_name("again.db")
    place.restore(again)
    if gone := later.keys() - place.lines(again):
        findings.append(f"{len(gone)} lines that were recorded after the restore are not in the replica")
    which = f" (numbers {missing[0]} to {missing[-1]}), the first acknowledged {oldest:.2f} s before" if missing else ""
    return f"{len(missing)} of {len(acknowledged)} lines lost{which}; restored in {took:.1f} s"


@contextmanager
def _recorders(caller: Caller, ward: Ward, name: str) -> Iterator[dict[int, float]]:
    """Record lines until the block ends; yield when each was acknowledged."""
    acknowledged: dict[int, float] = {}
    stopping, ledger = Event(), caller.ledger
    each = [replace(caller, stopping=stopping, patience=_PATIENCE_SECONDS) for _ in range(_WRITERS)]

    def record(caller: Caller, who: str) -> None:
        with caller:
            sheet = open_sheet(caller, ward, f"{who}-sheet")
            for number in count():
                if stopping.is_set():
                    return
                try:
                    answer = add_line(caller, ward, sheet, f"{who}-{number}", Decimal(1))
                except GaveUp:
                    if not stopping.is_set():
                        ledger.find("the server did not answer")
                    return
                if answer.status_code == HTTPStatus.CREATED:
                    acknowledged[answer.json()["id"]] = time.monotonic()

    at_work = [Thread(target=record, args=(one, f"{name}-{number}"), daemon=True) for number, one in enumerate(each)]
    for one in at_work:
        one.start()
    try:
        yield acknowledged
    finally:
        stopping.set()
        for one in at_work:
            one.join(_PATIENCE_SECONDS * 2)


class Replicated:
    """A database file, its replica, and Litestream configured as documented."""

    def __init__(self, program: str, folder: Path, interval: str = "") -> None:
        self._program = program
        self.file, self._replica = folder / "data" / "consumo.db", folder / "replica"
        self.socket, self._log = folder / "socket", folder / "litestream.log"
        self.file.parent.mkdir()
        self.url = f"sqlite:///{self.file}"
        self.settings = {"CONSUMO_LITESTREAM_SOCKET": str(self.socket)}
        text = _CONFIGURATION.read_text()
        for documented, ours in (
            ("/run/consumo-litestream/socket", self.socket),
            ("/var/lib/consumo/consumo.db", self.file),
            ("/srv/consumo-replica", self._replica),
            *((("sync-interval: 250ms", f"sync-interval: {interval}"),) if interval else ()),
        ):
            if documented not in text:
                raise RuntimeError(f"{_CONFIGURATION} does not contain {documented}")
            text = text.replace(documented, str(ours))
        self._configuration = folder / "litestream.yml"
        self._configuration.write_text(text)

    @contextmanager
    def copying(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run Litestream until the block ends, once it has copied the file."""
        with self._log.open("ab") as output:
            running = subprocess.Popen(
                [*dying_with_us("KILL"), self._program, "replicate", "-config", str(self._configuration)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        try:
            if not wait_for(lambda: last_copied_at(self.socket, self.file) is not None, _PATIENCE_SECONDS):
                raise RuntimeError(f"Litestream copies nothing:\n{self._log.read_text()[-2000:]}")
            yield running
        finally:
            stop(running, signal.SIGTERM)

    def lose(self) -> None:
        """Delete the file, its log, and what Litestream keeps beside it."""
        shutil.rmtree(self.file.parent)
        self.file.parent.mkdir()

    def restore(self, target: Path) -> None:
        """Restore the replica into a file that does not exist."""
        command = [self._program, "restore", "-config", str(self._configuration), "-o", str(target), str(self.file)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"litestream restore ended with {done.returncode}: {done.stdout}{done.stderr}")

    def lines(self, file: Path) -> set[int]:
        """Return the ids of the lines in a file."""
        with closing(sqlite3.connect(file)) as connection:
            return {line for (line,) in connection.execute("SELECT id FROM consumption_details")}

    def doubts(self) -> list[str]:
        """Return what is damaged or does not add up in the file."""
        engine = create_engine(to_url(self.url))
        try:
            with engine.connect() as connection:
                found = [f"{one.kind} of sheet {one.sheet_id}" for one in inconsistencies(connection)]
                if connection.exec_driver_sql("PRAGMA integrity_check").scalars().all() != ["ok"]:
                    found.append("the file is damaged")
                if connection.exec_driver_sql("PRAGMA foreign_key_check").all():
                    found.append("references are broken")
            return found
        finally:
            engine.dispose()
