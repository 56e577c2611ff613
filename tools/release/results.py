"""Results of a run of ``make test``, for the archive of a release: ``python -m tools.release.results``.

The two halves leave their JUnit files in ``tests/.artifacts``.
"""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "tests.json"
_HALVES = {"server": "server.xml", "client": "client.xml"}


def main() -> None:
    print(write_results(ROOT, ROOT / "dist"))


def write_results(root: Path, dist: Path) -> Path:
    """Write the numbers of passed and skipped tests.

    Raise ``SystemExit`` if a test failed or a half is missing.
    """
    halves = {half: count(root / "tests" / ".artifacts" / name) for half, name in _HALVES.items()}
    if failed := [half for half, numbers in halves.items() if numbers["failed"]]:
        raise SystemExit(f"Tests of {' and '.join(failed)} failed: they have to pass before a release.")
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    dist.mkdir(exist_ok=True)
    file = dist / RESULTS
    file.write_text(json.dumps({"commit": commit(root), "made_at": made_at, "halves": halves}, indent=1) + "\n")
    return file


def count(junit: Path) -> dict[str, int]:
    """Count the tests of a JUnit file by their result."""
    if not junit.is_file():
        raise SystemExit(f"{junit.name} is missing: run make test first.")
    # Our own runner wrote the file.
    suites = [*ET.parse(junit).getroot().iter("testsuite")]  # noqa: S314
    total, failed, skipped = (
        sum(int(suite.get(name) or 0) for suite in suites for name in names)
        for names in (("tests",), ("failures", "errors"), ("skipped",))
    )
    return {"passed": total - failed - skipped, "failed": failed, "skipped": skipped}


def commit(root: Path) -> str:
    """Return the commit of a checkout."""
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(asked, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
