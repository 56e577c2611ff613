"""The offline archive and its install script, with a small wheel instead of Consumo's."""

import base64
import ensurepip
import hashlib
import os
import platform
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pace import PATIENCE
from tests.servers import ROOT
from tools.release.archive import pack_files, write_bill_of_materials, write_checksums, write_tar

CLIENT = "adapters/http/client"
Install = Callable[..., subprocess.CompletedProcess[str]]
PIP = [*Path(ensurepip.__file__).parent.glob("_bundled/pip-*.whl"), *Path("/usr/share/python-wheels").glob("pip-*.whl")]


def write_wheel(folder: Path, version: str, *, program: str) -> None:
    """Write a wheel with the client and the command that the script looks for."""
    info = f"consumo-{version}.dist-info"
    files = {
        "adapters/http/app.py": "from pathlib import Path\nCLIENT_FOLDER = Path(__file__).with_name('client')\n",
        f"{CLIENT}/index.html": "<!doctype html>",
        "adapters/cli/main.py": program,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: consumo\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\nconsumo = adapters.cli.main:main\n",
    }
    digests = {
        name: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        for name, text in files.items()
    }
    files[f"{info}/RECORD"] = "".join(f"{name},sha256={digests[name]},\n" for name in digests) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(folder / f"consumo-{version}-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


def unpack_archive(folder: Path, version: str, *, program: str = "def main(): print('started')\n") -> Path:
    """Make an unpacked archive of that version."""
    content = folder / f"consumo-{version}"
    (content / "wheels").mkdir(parents=True)
    (content / "wheels" / PIP[0].name).write_bytes(PIP[0].read_bytes())
    write_wheel(content, version, program=program)
    pack_files(content, version, platform.machine())
    (content / "requirements.txt").write_text("")
    write_bill_of_materials(content, version, 1_700_000_000)
    write_checksums(content)
    return content


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def install(root: Path) -> Install:
    def run(content: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = ["sh", content / "install.sh", f"--root={root}", *arguments]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONPATH": ""}, capture_output=True, text=True, timeout=PATIENCE
        )
        if "there is no Python" in done.stderr:
            pytest.skip(done.stderr)
        return done

    return run


def current(root: Path, link: str = "current") -> str:
    return (root / "opt" / "consumo" / link).readlink().name


def test_a_second_installation_changes_nothing(tmp_path: Path, root: Path, install: Install) -> None:
    archive = unpack_archive(tmp_path, "1.0.0")
    assert install(archive).returncode == 0
    assert current(root) == "1.0.0"
    started = subprocess.run([root / "opt/consumo/current/bin/consumo"], env={"PYTHONPATH": ""}, capture_output=True)
    assert started.stdout == b"started\n"
    unit = (root / "etc/systemd/system/consumo.service").read_text()
    assert "ExecStart=/opt/consumo/current/bin/consumo serve\n" in unit
    assert "WorkingDirectory=/var/lib/consumo\n" in unit
    assert ".venv" not in unit
    settings = root / "etc/consumo/environment"
    assert settings.stat().st_mode & 0o777 == 0o640
    before = settings.read_text()
    assert "CURRENCY" not in before
    assert "TIME_ZONE" not in before
    assert install(archive).returncode == 0
    assert settings.read_text() == before
    for document in ("docs/operations.md", "docs/configuration.md", "docs/operations/haproxy.cfg", "sbom.cdx.json"):
        assert (root / "opt/consumo/current" / document).is_file()
    assert not (root / "opt/consumo/previous").exists()


def test_the_archive_has_what_its_pages_name(tmp_path: Path) -> None:
    archive = unpack_archive(tmp_path, "1.0.0")
    pages = [*(archive / "docs").rglob("*.md"), *(ROOT / "docs" / "manual").rglob("systems/*.md")]
    assert len(pages) > 30
    named: set[Path] = set()
    for page in pages:
        text = page.read_text()
        named |= {archive / one for one in re.findall(r"docs/[\w./-]*\w", text) if (ROOT / one).exists()}
        if page.is_relative_to(archive):
            # What lies above is the checkout's.
            links = re.findall(r"\]\((?!https?:|mailto:|/)([^)#\s]+)", text)
            named |= {(page.parent / one).resolve() for one in links if not one.startswith("../../")}
    named = {one for one in named if "manual" not in one.parts and one.is_relative_to(archive / "docs")}
    assert len(named) > 30
    assert [one for one in sorted(named) if not one.exists()] == []


def test_an_upgrade_keeps_settings_and_can_be_undone(tmp_path: Path, root: Path, install: Install) -> None:
    versions = root / "opt/consumo/versions"
    assert install(unpack_archive(tmp_path, "1.0.0")).returncode == 0
    (root / "etc/consumo/environment").write_text("CONSUMO_PORT=9000\n")
    (versions / "0.9.0").mkdir()
    archive = unpack_archive(tmp_path, "1.0.1")
    assert install(archive).returncode == 0
    assert (current(root), current(root, "previous")) == ("1.0.1", "1.0.0")
    assert sorted(one.name for one in versions.iterdir()) == ["1.0.0", "1.0.1"]
    assert install(archive, "--back").returncode == 0
    assert (current(root), current(root, "previous")) == ("1.0.0", "1.0.1")
    assert (root / "etc/consumo/environment").read_text() == "CONSUMO_PORT=9000\n"


def test_a_version_whose_python_is_gone_is_repaired(tmp_path: Path, root: Path, install: Install) -> None:
    archives = [unpack_archive(tmp_path, version) for version in ("1.0.0", "1.0.1")]
    for archive in archives:
        assert install(archive).returncode == 0
    for version in ("1.0.0", "1.0.1"):
        python = root / "opt/consumo/versions" / version / "bin/python"
        python.unlink()
        python.symlink_to("/usr/bin/python0")
    refused = install(archives[1], "--back")
    assert (refused.returncode, current(root)) == (1, "1.0.1")
    assert "does not run on this system" in refused.stderr
    assert install(archives[1]).returncode == 0
    started = subprocess.run([root / "opt/consumo/current/bin/consumo"], env={"PYTHONPATH": ""}, capture_output=True)
    assert started.stdout == b"started\n"


def test_a_failed_upgrade_leaves_the_running_version(tmp_path: Path, root: Path, install: Install) -> None:
    assert install(unpack_archive(tmp_path, "1.0.0")).returncode == 0
    broken = unpack_archive(tmp_path, "1.0.1", program="raise SystemExit(3)\n")
    assert install(broken).returncode != 0
    assert current(root) == "1.0.0"
    assert [one.name for one in (root / "opt/consumo/versions").iterdir()] == ["1.0.0"]


@pytest.mark.parametrize(
    ("file", "said"), [("requirements.txt", "archive is damaged"), ("MACHINE", "archive is for Linux on vax")]
)
def test_an_archive_that_cannot_work_is_refused(
    tmp_path: Path, root: Path, install: Install, file: str, said: str
) -> None:
    archive = unpack_archive(tmp_path, "1.0.0")
    (archive / file).write_text("vax\n")
    if file == "MACHINE":
        (archive / "SHA256SUMS").unlink()
        write_checksums(archive)
    refused = install(archive)
    assert refused.returncode == 1
    assert said in refused.stderr
    assert not root.exists()


def test_the_same_content_is_the_same_archive(tmp_path: Path) -> None:
    archive = unpack_archive(tmp_path, "1.0.0")
    first = write_tar(archive, tmp_path / "first.tar.gz", 1_700_000_000).read_bytes()
    for file in archive.rglob("*"):
        os.utime(file, (1, 1))
    assert write_tar(archive, tmp_path / "second.tar.gz", 1_700_000_000).read_bytes() == first
    assert '"purl": "pkg:npm/react@' in (archive / "sbom.cdx.json").read_text()
    assert '"purl": "pkg:pypi/litestar@' in (archive / "sbom.cdx.json").read_text()
