"""Build the Debian package: ``python -m tools.release.package dist/consumo-X.Y.Z-linux-x86_64.tar.gz``.

The package contains the unpacked archive, and installs it with the archive's own script.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools.release.archive import commit_time

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
UNPACKED = "usr/lib/consumo/archive"
CONTROL = """\
Package: consumo
Version: {version}
Architecture: {architecture}
Maintainer: Consumo <consumo@localhost>
Depends: python3 (>= 3.11), passwd
Section: misc
Priority: optional
Description: consumption sheets of admitted patients
 Hospital staff record the supplies that each admitted patient consumes. The
 package contains everything that it needs except Python.
"""
# DPKG_ROOT is set if dpkg installs below another folder.
SCRIPTS = {
    "postinst": f"""\
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
exec sh "$DPKG_ROOT/{UNPACKED}/install.sh" ${{DPKG_ROOT:+--root="$DPKG_ROOT"}}
""",
    "prerm": """\
#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
running() { [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; }
if running; then systemctl stop 'consumo*'; fi
# Also the instances for several hospitals, and the links that enabled units. What systemctl edit wrote is a setting.
find "$DPKG_ROOT/etc/systemd/system" \\( -name 'consumo*.service' -o -name 'consumo*.timer' \\) ! -type d -delete
if running; then systemctl daemon-reload; fi
rm -f "$DPKG_ROOT/usr/local/sbin/consumo"
rm -rf "$DPKG_ROOT/opt/consumo"
""",
    "postrm": """\
#!/bin/sh
set -e
[ "$1" = purge ] || exit 0
rm -rf "$DPKG_ROOT/etc/consumo" "$DPKG_ROOT"/etc/systemd/system/consumo*.d
echo "The settings of Consumo are gone, with the secret key. The data stays in /var/lib/consumo, and the backups in"
echo "/var/lib/consumo-backups. Delete them by hand if they are not needed."
""",
}


def main() -> None:
    archive = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(archive) as tar:
            tar.extractall(work, filter="data")
        (content,) = Path(work).iterdir()
        print(build_package(content, archive.parent, built_at=commit_time()))


def build_package(content: Path, folder: Path, *, built_at: int) -> Path:
    """Build the package of an unpacked archive, and return its path."""
    version = (content / "VERSION").read_text().strip()
    architecture = ARCHITECTURES[(content / "MACHINE").read_text().strip()]
    package = folder / f"consumo_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as work:
        root = Path(work) / "root"
        shutil.copytree(content, root / UNPACKED)
        shutil.copytree(content / "docs", root / "usr/share/doc/consumo")
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN" / "control").write_text(CONTROL.format(version=version, architecture=architecture))
        for name, text in SCRIPTS.items():
            (root / "DEBIAN" / name).write_text(text)
        # The umask must not count: dpkg refuses private folders.
        for one in (root, *root.rglob("*")):
            is_program = one.is_dir() or one.suffix == ".sh" or one.name in SCRIPTS
            one.chmod(0o755 if is_program else 0o644)
        # The wheels are compressed already.
        pack: list[str | Path] = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", root, package]
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(built_at)}
        subprocess.run(pack, env=environment, check=True, stdout=subprocess.DEVNULL)
    return package


if __name__ == "__main__":
    main()
