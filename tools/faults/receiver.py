"""kill -9 of `consumo receive`; unacknowledged messages are sent again."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from adapters.hl7.mllp import END, framed
from adapters.sql.store import SqlStore
from application.accounts.users.draft import UserDraft
from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from domain.common.policy import Actor, Role
from domain.interop.inbound_message import InboundState
from tests.builders import PASSWORD, use_cases_on
from tests.hl7.messages import adt
from tests.servers import CONSUMO, ROOT, environment
from tools.faults.databases import a_database
from tools.faults.scenario import Outcome, ScenarioRun

_ZONE = ZoneInfo("UTC")
_PATIENCE = 30.0


def kill_the_receiver(run: ScenarioRun) -> Outcome:
    """Admit, move and discharge a patient per round, and kill the receiver.

    The kill is near one of the messages.
    """
    outcome, chance = Outcome(), run.chance()
    now = datetime.now(UTC) - timedelta(hours=9)
    with a_database(run) as url:
        _furnish(url)
        visits = 0
        with _receivers(url) as receiver:
            for number in run.each_round():
                visits += 1
                stay = {"visit": f"V-{number}", "number": f"MRN-{number}"}
                sent = [
                    adt("A01", at=now, **stay),
                    adt("A02", at=now + timedelta(hours=1), location="Urgencias^102", **stay),
                    adt("A03", at=now + timedelta(hours=2), **stay),
                ]
                killed = chance.randrange(len(sent))
                for place, message in enumerate(sent):
                    # About the time to store a message: the kill is before its commit, or between the commit and its
                    # answer.
                    after = chance.uniform(0, 0.05) if place == killed else None
                    outcome.injected += receiver.deliver(message, kill_after=after)
                    outcome.acknowledged += 1
        outcome.findings = _find_losses(url, visits)
    return outcome


class _Receiver:
    """The receiver process, restarted after each kill."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.process = self._start()

    def deliver(self, message: str, *, kill_after: float | None) -> int:
        """Send a message until it is acknowledged; return the number of kills."""
        kills, until = 0, time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=_PATIENCE) as line:
                line.sendall(framed(message.encode()))
                if kill_after is not None:
                    time.sleep(kill_after)
                    self.kill()
                    kills, kill_after = 1, None
                said = b""
                while not said.endswith(END) and (piece := line.recv(4096)):
                    said += piece
                if b"MSA|AA" in said:
                    if self.process.poll() is not None:
                        self.process = self._start()
                    return kills
            if self.process.poll() is not None:
                self.process = self._start()
        raise TimeoutError("a message was not acknowledged")

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def _start(self) -> "subprocess.Popen[str]":
        command = [str(CONSUMO), "receive", "--mllp", "127.0.0.1:0"]
        process = subprocess.Popen(command, env=environment(self._url), cwd=ROOT, stderr=subprocess.PIPE, text=True)
        assert process.stderr
        self.port = int(process.stderr.readline().rpartition(":")[2])
        return process


@contextmanager
def _receivers(url: str) -> Iterator[_Receiver]:
    receiver = _Receiver(url)
    try:
        yield receiver
    finally:
        receiver.kill()


def _furnish(url: str) -> None:
    with closing(SqlStore(url, _ZONE)) as store:
        use_cases = use_cases_on(store, zone=_ZONE)
        draft = UserDraft(email="admin@consumo.test", role=Role.ADMIN, password=PASSWORD)
        admin = Actor(use_cases.users.register(None, draft).id, Role.ADMIN, None)
        area = use_cases.areas.create(admin, AreaDraft(name="Urgencias"))
        for name in ("101", "102"):
            use_cases.rooms.create(admin, RoomDraft(name=name, status=1, type=1, area_id=area.id))


def _find_losses(url: str, visits: int) -> list[str]:
    """List what is missing or stored more than once."""
    found = []
    with closing(SqlStore(url, _ZONE)) as store, store.begin_read_only() as work:
        sheets = work.sheets.find_many("id", range(1, visits * 3))
        messages = work.inbound_messages.find_many("id", range(1, visits * 9))
        if sorted(str(sheet.visit_number) for sheet in sheets) != sorted(f"V-{n}" for n in range(visits)):
            found.append(f"{len(sheets)} sheets of {visits} visits")
        if len(messages) != visits * 3 or any(one.state is not InboundState.APPLIED for one in messages):
            found.append(f"{len(messages)} messages of {visits * 3}, or some that were not done")
        found += [
            f"visit {sheet.visit_number}: a transfer or a discharge is lost, or there twice"
            for sheet in sheets
            if len(work.transfers.of_sheet(sheet.id)) != 1 or sheet.discharge_proposed_at is None
        ]
    return found
