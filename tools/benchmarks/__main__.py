"""Run benchmarks and write their output into docs/performance.md.

``make bench`` runs all of them except the long ones, ``make bench ONLY=growth`` one.
"""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.pace import unit
from tests.servers import ROOT, postgresql_binaries

PAGE = ROOT / "docs" / "performance.md"
PROGRAMS = (
    "hot_calls",
    "home",
    "start",
    "growth",
    "two_processes",
    "reports",
    "network",
    "pdf",
    "labels",
    "closing",
    "missed_charges",
    "restock",
    "months",
    "imports",
    "messages",
    "recording",
    "first_load",
    "unlocking",
)
# They take long; the first one fills the disk.
LONG_PROGRAMS = ("millions", "photos")


def main() -> None:
    """Run the named benchmarks, or all, one after the other."""
    for name in sys.argv[1:] or PROGRAMS:
        if name not in PROGRAMS + LONG_PROGRAMS:
            raise SystemExit(f"There is no benchmark {name}: there are {', '.join(PROGRAMS + LONG_PROGRAMS)}.")
        command = [sys.executable, "-m", f"tools.benchmarks.{name}"]
        print(f"python -m tools.benchmarks.{name} ...", flush=True)
        before = now()
        printed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(printed, flush=True)
        write(name, f"{circumstances(name, before)}\n\n{as_markdown(printed)}")


def now() -> tuple[float, float]:
    """Return the machine's load, and the seconds that its unit takes."""
    return os.getloadavg()[0], unit()


def circumstances(name: str, before: tuple[float, float]) -> str:
    """Describe command, commit, date, machine and unit of a run."""
    processor = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "?"
    )
    memory = int(next(line for line in _lines("/proc/meminfo") if line.startswith("MemTotal")).split()[1]) / 1e6
    asked = subprocess.run([postgresql_binaries() / "postgres", "--version"], check=True, stdout=subprocess.PIPE)
    after = now()
    version = asked.stdout.decode().partition("(D")[0].replace("postgres (PostgreSQL)", "PostgreSQL").strip()
    return (
        f"`.venv/bin/python -m tools.benchmarks.{name}`, commit {commit()}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, "
        f"{os.cpu_count()} × {processor}, {memory:.0f} GB, Python {platform.python_version()}, {version}, "
        f"load {before[0]:.1f} before and {after[0]:.1f} after, "
        f"unit of {before[1]:.2f} s before and {after[1]:.2f} s after."
    )


def commit() -> str:
    """Return the commit of this checkout, with a + for further changes."""
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return asked.stdout.strip()


def as_markdown(printed: str) -> str:
    """Convert the output; text outside of tables stays."""
    return printed.strip() if "|---" in printed else f"```\n{printed.rstrip()}\n```"


def write(name: str, text: str) -> None:
    """Replace the text between the page's two marks of that name."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    if not found:
        raise SystemExit(f"{PAGE} has no place for {name}")
    PAGE.write_text(f"{before}{begin}{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
