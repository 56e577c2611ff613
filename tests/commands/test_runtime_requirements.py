"""The program runs with the packages of requirements.txt, which hold nothing that only builds or tests."""

import importlib.metadata
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.servers import ROOT, Server, consumo
from tests.use_cases.accounts.signed_in import NEW_PASSWORD

# Started by each Python below: what is no locked package is not found.
SITE = """
import sys

class OnlyLocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {left_out!r}:
            raise ModuleNotFoundError(f"{{name}} is not in requirements.txt", name=name)

sys.meta_path.insert(0, OnlyLocked())
"""


def locked(file: str) -> set[str]:
    """The packages of a lock file."""
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==", (ROOT / file).read_text(), re.MULTILINE)
    return {canonicalize_name(name) for name in found}


def excluded() -> set[str]:
    """The packages that are left out although others require them."""
    return {line for line in (ROOT / "requirements-excluded.txt").read_text().split("\n") if re.match("[a-z]", line)}


def needed(name: str, *, found: set[str]) -> set[str]:
    """A package and what it requires, without what is excluded."""
    if name in found or name in excluded():
        return found
    found.add(name)
    for requirement in map(Requirement, importlib.metadata.requires(name) or []):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed(canonicalize_name(requirement.name), found=found)
    return found


def test_the_runtime_needs_nothing_that_builds_or_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    runtime = locked("requirements.txt")
    groups = {Requirement(one).name for group in project["dependency-groups"].values() for one in group}
    assert not runtime & (groups | excluded() | locked("requirements-build.txt"))
    wanted: set[str] = set()
    for one in project["project"]["dependencies"]:
        needed(canonicalize_name(Requirement(one).name), found=wanted)
    # Further ones are of other systems and of extras that are named.
    assert wanted <= runtime
    assert runtime - wanted <= {"colorama", "psycopg-binary"}


def test_the_program_runs_with_the_runtime_alone(
    sqlite_url: str, serve: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = locked("requirements.txt")
    distributions = importlib.metadata.packages_distributions()
    left_out = {
        module
        for module, owners in distributions.items()
        if not {canonicalize_name(one) for one in owners} & (runtime | {"consumo"})
    }
    assert {"httpx", "faker", "polyfactory", "hatchling", "pytest"} <= left_out
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(SITE.format(left_out=left_out))
    monkeypatch.setenv("PYTHONPATH", str(site))
    hidden = subprocess.run([ROOT / ".venv/bin/python", "-c", "import httpx"], capture_output=True)
    assert b"httpx is not in requirements.txt" in hidden.stderr
    consumo("create-user", "ana@ward.test", "--password-stdin", database_url=sqlite_url, stdin=NEW_PASSWORD.encode())
    areas = tmp_path / "areas.csv"
    areas.write_text("código,nombre\nUCI,Cuidados intensivos\n")
    consumo("import", "areas", str(areas), database_url=sqlite_url)
    for form in ("csv", "xlsx"):
        assert consumo("export", "areas", "--format", form, database_url=sqlite_url)
    consumo("backup", str(tmp_path / "consumo.backup"), database_url=sqlite_url)
    with pytest.raises(RuntimeError, match=r"ended with [12]"):
        consumo("doctor", database_url=sqlite_url)
    server = serve(sqlite_url)
    assert httpx.get(f"{server.address}/api/settings").status_code == 200
