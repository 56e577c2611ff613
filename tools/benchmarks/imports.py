"""How long imports take, and how long others wait meanwhile: ``python -m tools.benchmarks.imports``.

43,089 products and then 100,000 lines of consumption of 5,000 stays are brought in by ``consumo import``, while
somebody records up to twenty lines a second at a server of the same database. Both files are made here; who has another
catalogue names it with ``--catalogue``.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, timedelta
from pathlib import Path

from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.users.draft import UserDraft
from domain.policy import Role
from tests.builders import PASSWORD, use_cases_on
from tests.servers import CONSUMO, ROOT, environment
from tools.benchmarks.hot_calls import database
from tools.benchmarks.messages import record
from tools.benchmarks.servers import SECRET_KEY, Client, ours
from tools.benchmarks.ward import NOW, Furnished, furnish

PRODUCTS = 43_089
STAYS, LINES = 5_000, 100_000
_LOOK_SECONDS = 0.05


def main() -> None:
    """Print time, memory and the longest wait of both imports on both databases."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--catalogue", type=Path)
    asked = options.parse_args()
    sys.stdout.write(
        "| what | database | import | memory at most | a recording meanwhile at most |\n|---|---|--:|--:|--:|\n"
    )
    for kind in ("SQLite", "PostgreSQL"):
        with tempfile.TemporaryDirectory() as folder, database(kind) as url:
            files = {
                f"{PRODUCTS:,} products": ["products", str(asked.catalogue or catalogue(Path(folder)))],
                f"{LINES:,} lines of consumption": ["consumption", str(consumption(Path(folder)))],
            }
            migrate(url)
            with closing(SqlStore(url, UTC)) as store:
                ward = furnish(store, SECRET_KEY)
                draft = UserDraft(email="admin@consumo.test", role=Role.ADMIN, password=PASSWORD)
                use_cases_on(store).register_user(None, draft)
            with ours(url, Path(folder)) as server:
                for what, command in files.items():
                    nurse = Nurse(Client(server.address, ward.token), ward)
                    with nurse:
                        seconds, memory = bring_in(url, command)
                    cells = [what, kind, f"{seconds:.1f} s", f"{memory:.0f} MB", f"{max(nurse.waits):.2f} s"]
                    sys.stdout.write(f"| {' | '.join(cells)} |\n")
                    sys.stdout.flush()


class Nurse:
    """Records as long as the block lasts."""

    def __init__(self, client: Client, ward: Furnished) -> None:
        self.waits: list[float] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._record, args=(client, ward))

    def __enter__(self) -> "Nurse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _record(self, client: Client, ward: Furnished) -> None:
        while not self._done.is_set():
            self.waits.append(record(client, ward))


def bring_in(url: str, command: list[str]) -> tuple[float, float]:
    """The seconds that `consumo import` takes, and the MB that it needs."""
    begun, most = time.perf_counter(), 0
    told = [str(CONSUMO), "import", *command, "--accept-warnings", "--user", "admin@consumo.test"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(told, env=environment(url), cwd=ROOT, stdout=nowhere, stderr=nowhere) as process:
        while process.poll() is None:
            most = max(most, peak_of(process.pid))
            time.sleep(_LOOK_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{command}: ended with {process.returncode}")
    return time.perf_counter() - begun, most / 1024


def peak_of(pid: int) -> int:
    """The kB that the process had at most up to now."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


def catalogue(folder: Path) -> Path:
    """A list of products, with codes and prices."""
    return written(
        folder / "products.csv",
        "code;name;price;category",
        (
            f"P-{n};Suministro {n % 5_472} talla {n % 91};{n % 900},{n % 100:02};Material {n % 40}"
            for n in range(PRODUCTS)
        ),
    )


def consumption(folder: Path) -> Path:
    """What patients used in their stays."""
    stays = [(n, NOW.date() - timedelta(days=400 - n % 365)) for n in range(STAYS)]

    def lines() -> Iterator[str]:
        for number in range(LINES):
            stay, came = stays[number % STAYS]
            used: date = came + timedelta(days=number // STAYS % 9)
            person, product = f"H-{stay};Ana;Ríos {stay}", f"C-{number % 997};Material {number % 997}"
            yield f"{person};{came};Cama {stay % 300};{used};{product};{1 + number % 4}"

    return written(
        folder / "consumption.csv",
        "nhc;nombre;apellido;fecha de ingreso;habitación;fecha;código;producto;cantidad",
        lines(),
    )


def written(file: Path, heading: str, lines: Iterator[str]) -> Path:
    """The file, with these lines."""
    with file.open("w", encoding="utf-8") as target:
        target.write(heading + "\n")
        target.writelines(f"{line}\n" for line in lines)
    return file


if __name__ == "__main__":
    main()
