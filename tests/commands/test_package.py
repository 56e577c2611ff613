"""The Debian package: installed, upgraded, removed and purged below a folder."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands.test_archive import current, unpack_archive
from tools.release.package import build_package

pytestmark = pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="this system has no dpkg")


def dpkg(root: Path, *arguments: str | Path) -> str:
    """Run dpkg on the packages of that folder."""
    (root / "var/lib/dpkg/updates").mkdir(parents=True, exist_ok=True)
    (root / "var/lib/dpkg/info").mkdir(parents=True, exist_ok=True)
    (root / "var/lib/dpkg/status").touch()
    command: list[str | Path] = ["dpkg", f"--root={root}", f"--log={root}/log"]
    command += ["--force-not-root", "--force-script-chrootless", "--force-depends"]
    done = subprocess.run([*command, *arguments], env=os.environ | {"PYTHONPATH": ""}, capture_output=True, text=True)
    if "there is no Python" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_package_is_installed_upgraded_and_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    first, second = (build_package(unpack_archive(tmp_path, one), tmp_path, built_at=1) for one in ("1.0.0", "1.0.1"))
    dpkg(root, "--install", first)
    assert current(root) == "1.0.0"
    settings, data = root / "etc/consumo/environment", root / "var/lib/consumo/consumo.db"
    settings.write_text("CONSUMO_PORT=9000\n")
    data.touch()
    dpkg(root, "--install", second)
    assert (current(root), current(root, "previous")) == ("1.0.1", "1.0.0")
    assert settings.read_text() == "CONSUMO_PORT=9000\n"
    units = root / "etc/systemd/system"
    enabled, edited = units / "multi-user.target.wants", units / "consumo.service.d/override.conf"
    for folder in (enabled, edited.parent):
        folder.mkdir()
    edited.touch()
    (units / "consumo-send@.service").touch()
    (enabled / "consumo-send@norte.service").symlink_to(units / "consumo-send@.service")
    dpkg(root, "--remove", "consumo")
    assert not (root / "opt/consumo").exists()
    assert sorted(units.iterdir()) == [edited.parent, enabled]
    assert not list(enabled.iterdir())
    assert settings.exists()
    assert edited.exists()
    assert "stays in /var/lib/consumo" in dpkg(root, "--purge", "consumo")
    assert not settings.parent.exists()
    assert not edited.exists()
    assert data.exists()


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_the_same_archive_makes_the_same_package(tmp_path: Path, umask: int) -> None:
    content = unpack_archive(tmp_path, "1.0.0")
    first = build_package(content, tmp_path, built_at=1_700_000_000).read_bytes()
    before = os.umask(umask)
    try:
        assert build_package(content, tmp_path, built_at=1_700_000_000).read_bytes() == first
    finally:
        os.umask(before)
