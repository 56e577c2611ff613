"""Build the offline archive: ``python -m tools.release.archive dist/consumo-X.Y.Z-py3-none-any.whl``.

The archive contains the wheel, the wheels of all dependencies for each supported Python, pip, and ``install.sh``. Built
twice from the same commit, it is the same file.
"""

import gzip
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.build_client import is_outdated
from tools.release.results import RESULTS, commit

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# Wheels for Linux distributions with glibc 2.28 or later: Debian 10, RHEL 8, Ubuntu 20.04.
PLATFORMS = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014", "manylinux_2_12", "manylinux_2_5")
UNITS = (
    "consumo.service",
    "consumo-receive.service",
    "consumo-send.service",
    "consumo-send-audit.service",
    "consumo-litestream.service",
    "consumo-backup.service",
    "consumo-backup.timer",
    "consumo-audit-seal.service",
    "consumo-audit-seal.timer",
)
# Folders of a checkout, and where an installed archive has them.
INSTALLED = {"/opt/consumo/.venv/": "/opt/consumo/current/", "=/opt/consumo\n": "=/var/lib/consumo\n"}


def main() -> None:
    wheel = Path(sys.argv[1])
    print(build_archive(wheel, wheel.parent, machine=platform.machine(), built_at=commit_time()))


def commit_time() -> int:
    """Return the time of the checkout's commit, in seconds."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    shown = subprocess.run(["git", "show", "-s", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    return int(shown.stdout)


def build_archive(wheel: Path, folder: Path, *, machine: str, built_at: int) -> Path:
    """Build the archive of a wheel in that folder, and return its path."""
    if is_outdated(ROOT):
        raise SystemExit("The client in ui/dist is missing or older than its sources: run make archive.")
    version = wheel.name.split("-")[1]
    name = f"consumo-{version}-linux-{machine}"
    with tempfile.TemporaryDirectory() as work:
        content = Path(work) / name
        content.mkdir()
        download_wheels(content / "wheels", machine)
        shutil.copy(wheel, content)
        pack_files(content, version, machine)
        write_bill_of_materials(content, version, built_at)
        write_checksums(content)
        return write_tar(content, folder / f"{name}.tar.gz", built_at)


def download_wheels(folder: Path, machine: str) -> None:
    """Download pip and the locked wheels, by their hashes."""
    with tempfile.TemporaryDirectory() as work:
        venv.create(work, with_pip=True)
        pip = [f"{work}/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
        locked = ["--require-hashes", "--requirement", str(ROOT / "requirements-archive.txt")]
        subprocess.run([*pip, "download", *locked, "--dest", folder], check=True)
        for python in PYTHONS:
            target = [f"--python-version={python}", "--implementation=cp"]
            target += [f"--platform={platform}_{machine}" for platform in PLATFORMS]
            locked = ["--no-deps", "--require-hashes", "--only-binary=:all:"]
            locked += ["--requirement", str(ROOT / "requirements.txt")]
            subprocess.run([*pip, "download", *target, *locked, "--dest", folder], check=True)


def pack_files(content: Path, version: str, machine: str) -> None:
    """Write the install script, units, documents and lock file."""
    operations = ROOT / "docs" / "operations"
    (content / "VERSION").write_text(f"{version}\n")
    (content / "MACHINE").write_text(f"{machine}\n")
    shutil.copy(ROOT / "requirements.txt", content)
    shutil.copy(Path(__file__).with_name("install.sh"), content)
    (content / "units").mkdir()
    for unit in UNITS:
        (content / "units" / unit).write_text(installed(operations / unit))
    results = ROOT / "dist" / RESULTS
    if results.is_file() and json.loads(results.read_text())["commit"] == commit(ROOT):
        shutil.copy(results, content)
    (content / "consumo.sh").write_text(installed(operations / "consumo.sh"))
    for document in (ROOT / "docs").rglob("*"):
        place = document.relative_to(ROOT / "docs")
        # The server has the manual at /ayuda.
        if not document.is_file() or place.parts[0] == "manual":
            continue
        copy = content / "docs" / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        if document.suffix == ".png":
            shutil.copyfile(document, copy)
        else:
            copy.write_text(installed(document))


def installed(file: Path) -> str:
    """Return a file of a checkout with the folders of an installed archive."""
    text = file.read_text()
    for there, here in INSTALLED.items():
        text = text.replace(there, here)
    return text.replace("--working-directory=/opt/consumo ", "--working-directory=/var/lib/consumo ")


def write_bill_of_materials(content: Path, version: str, built_at: int) -> None:
    """Write the packages of server and client as CycloneDX 1.5."""
    parts = sorted([*server_parts(), *client_parts()], key=lambda part: str(part["purl"]))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(built_at, UTC).isoformat(),
            "component": {"type": "application", "name": "consumo", "version": version},
        },
        "components": parts,
    }
    (content / "sbom.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")


def server_parts() -> Iterator[dict[str, Any]]:
    """Yield the Python packages of the lock file."""
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        if locked := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)", line):
            yield _part(locked[1], locked[2], "pypi")


def client_parts() -> Iterator[dict[str, Any]]:
    """Yield the Node packages that the client is built from, without tools."""
    locked = json.loads((ROOT / "ui" / "package-lock.json").read_text())
    for path, package in locked["packages"].items():
        if path and not package.get("dev"):
            yield _part(path.rpartition("node_modules/")[2], package["version"], "npm")


def _part(name: str, version: str, kind: str) -> dict[str, Any]:
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def write_checksums(content: Path) -> None:
    files = sorted(file for file in content.rglob("*") if file.is_file())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(content)}\n" for file in files]
    (content / "SHA256SUMS").write_text("".join(sums))


def write_tar(content: Path, path: Path, built_at: int) -> Path:
    """Write a tar file that depends only on the content and the time."""
    with (
        path.open("wb") as file,
        gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=built_at) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for one in [content, *sorted(content.rglob("*"))]:
            entry = tar.gettarinfo(one, arcname=str(one.relative_to(content.parent)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = built_at
            entry.mode = 0o755 if one.is_dir() or one.suffix == ".sh" else 0o644
            if one.is_dir():
                tar.addfile(entry)
            else:
                with one.open("rb") as source:
                    tar.addfile(entry, source)
    return path


if __name__ == "__main__":
    main()
