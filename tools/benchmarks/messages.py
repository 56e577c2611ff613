"""Recording while 10,000 HL7 messages arrive.

Run ``python -m tools.benchmarks.messages``.
"""

import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.hl7.mllp import END, framed
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from domain.catalogue.area import Area
from domain.catalogue.room import Room, RoomStatus, RoomType
from tests.hl7.messages import adt
from tests.servers import CONSUMO, ROOT, environment, postgresql
from tools.benchmarks.hot_calls import add_a_detail
from tools.benchmarks.servers import SECRET_KEY, Client, ours
from tools.benchmarks.timing import spread
from tools.benchmarks.ward import Furnished, furnish

MESSAGES = 10_000
BEFOREHAND = 500
# A ward that records twenty lines a second is busy.
PAUSE = 0.05


def main() -> None:
    """Print recording times without and with messages, and messages a second."""
    sys.stdout.write("| database | messages a second | recording, nothing comes in | recording meanwhile |\n")
    sys.stdout.write("|---|--:|--:|--:|\n")
    with tempfile.TemporaryDirectory() as folder, postgresql() as cluster:
        for kind, url in (("SQLite", f"sqlite:///{folder}/c.db"), ("PostgreSQL", cluster.create("consumo"))):
            migrate(url)
            with closing(SqlStore(url, UTC)) as store:
                ward = furnish(store, SECRET_KEY)
                make_rooms(store)
            with ours(url, Path(folder)) as server, receiving(url) as port:
                nurse = Client(server.address, ward.token)
                before = [record(nurse, ward) for _ in range(BEFOREHAND)]
                meanwhile: list[float] = []
                done = threading.Event()
                recording = threading.Thread(target=record_until, args=(nurse, ward, done, meanwhile))
                recording.start()
                begun = time.perf_counter()
                try:
                    send(port)
                finally:
                    taken = time.perf_counter() - begun
                    done.set()
                    recording.join()
            sys.stdout.write(f"| {kind} | {MESSAGES / taken:.0f} | {spread(before)} | {spread(meanwhile)} |\n")


def make_rooms(store: SqlStore) -> None:
    """Create the rooms of the messages' patients."""
    with store.begin() as work:
        area = Area(name="Urgencias")
        work.areas.add(area)
        for name in ("101", "102"):
            work.rooms.add(Room(name=name, status=RoomStatus.AVAILABLE, type=RoomType.SINGLE, area_id=area.id))


@contextmanager
def receiving(url: str) -> Iterator[int]:
    """Run `consumo receive` and yield its port."""
    command = [str(CONSUMO), "receive", "--mllp", "127.0.0.1:0"]
    with subprocess.Popen(command, env=environment(url), cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            yield int(process.stderr.readline().rpartition(":")[2])
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


def messages() -> Iterator[str]:
    """Yield messages that admit, move and discharge patients."""
    now = datetime.now(UTC) - timedelta(hours=9)
    for visit in range(MESSAGES // 3 + 1):
        stay = {"visit": f"V-{visit}", "number": f"MRN-{visit}"}
        yield adt("A01", at=now, **stay)
        yield adt("A02", at=now + timedelta(hours=1), location="Urgencias^102", **stay)
        yield adt("A03", at=now + timedelta(hours=2), **stay)


def send(port: int) -> None:
    """Send all messages on one connection, each after the previous answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        for _, message in zip(range(MESSAGES), messages(), strict=False):
            line.sendall(framed(message.encode()))
            said = b""
            while not said.endswith(END):
                said += line.recv(4096)
            if b"MSA|AA" not in said:
                raise RuntimeError(f"not taken: {said!r}")


def record(nurse: Client, ward: Furnished) -> float:
    """Record a line and return the seconds it took."""
    begun = time.perf_counter()
    nurse(add_a_detail(ward))
    took = time.perf_counter() - begun
    time.sleep(PAUSE)
    return took


def record_until(nurse: Client, ward: Furnished, done: threading.Event, took: list[float]) -> None:
    """Record lines until ``done`` is set."""
    while not done.is_set():
        took.append(record(nurse, ward))


if __name__ == "__main__":
    main()
