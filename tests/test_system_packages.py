"""The announcement of system packages that `make` will install."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.servers import ROOT


def announced(tmp_path: Path, *programs: str) -> str:
    """The announcement on a machine with only these programs."""
    for program in ("bash", "dirname"):
        (tmp_path / program).symlink_to(shutil.which(program) or program)
    for program in programs:
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    command = [str(ROOT / ".ci" / "need"), "announce", "python", "chromium", "postgresql"]
    return subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True).stdout


def test_missing_packages_are_named(tmp_path: Path) -> None:
    said = announced(tmp_path, "apt-get")
    assert said.startswith("Packages that this machine lacks will be installed with apt-get: ")
    assert "chromium-headless-shell fonts-dejavu-core" in said


def test_installed_packages_are_not_named(tmp_path: Path) -> None:
    said = announced(tmp_path, "apt-get", "chromium", "initdb")
    assert "chromium" not in said
    assert "postgresql" not in said


def test_without_a_package_manager_nothing_is_announced(tmp_path: Path) -> None:
    assert announced(tmp_path) == ""


@pytest.mark.parametrize(
    ("printed", "asks"),
    [
        ("Temporary failure resolving 'deb.debian.org'", True),
        ("[Errno -3] Temporary failure in name resolution", True),
        ("npm error code EAI_AGAIN", True),
        ("error sending request for url (https://pypi.org/simple/uv/)", True),
        ("Could not resolve './missing' from src/main.tsx", False),
    ],
)
def test_a_step_that_fails_without_network_suggests_a_check(printed: str, asks: bool) -> None:
    command = [str(ROOT / ".ci" / "step"), "Installing", "bash", "-c", 'echo "$1"; exit 3', "bash", printed]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3
    assert printed in done.stdout
    assert ("Check the network" in done.stdout) is asks


@pytest.mark.parametrize("target", ["install", "test", "walk", "faults", "bench"])
def test_packages_are_announced_first(target: str) -> None:
    """Also by `make run`, which runs the installation first."""
    said = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.startswith(".ci/need announce python")
