"""What `make` says of the system's packages before it has any of them installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.servers import ROOT


def announced(tmp_path: Path, *programs: str) -> str:
    """What is said on a machine that has no more than these programs, and what the script itself is made of."""
    for program in ("bash", "dirname"):
        (tmp_path / program).symlink_to(shutil.which(program) or program)
    for program in programs:
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    command = [str(ROOT / ".ci" / "need"), "announce", "python", "chromium", "postgresql"]
    return subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True).stdout


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    said = announced(tmp_path, "apt-get")
    assert said.startswith("Packages that this machine lacks will be installed with apt-get: ")
    assert "chromium-headless-shell fonts-dejavu-core" in said


def test_what_is_there_is_not_named(tmp_path: Path) -> None:
    said = announced(tmp_path, "apt-get", "chromium", "initdb")
    assert "chromium" not in said
    assert "postgresql" not in said


def test_nothing_is_announced_that_cannot_be_done(tmp_path: Path) -> None:
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
def test_a_step_that_fails_without_network_asks_to_check_it(printed: str, asks: bool) -> None:
    command = [str(ROOT / ".ci" / "step"), "Installing", "bash", "-c", 'echo "$1"; exit 3', "bash", printed]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3
    assert printed in done.stdout
    assert ("Check the network" in done.stdout) is asks


@pytest.mark.parametrize("target", ["install", "test", "walk", "faults", "bench"])
def test_it_is_said_before_anything_is_done(target: str) -> None:
    """Also by `make run`, which installs first."""
    said = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.startswith(".ci/need announce python")
