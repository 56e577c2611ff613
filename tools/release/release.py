"""Check a release, and write its notes and checksums: ``make release``.

``check`` accepts only a clean checkout of the tag of the version in pyproject.toml. ``finish`` adds the bill of
materials, the notes and the checksums to the files in ``dist/``.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUMS, NOTES, BILL = "SHA256SUMS", "RELEASE_NOTES.md", "sbom.cdx.json"


def main() -> None:
    match sys.argv[1:]:
        case ["check"]:
            print(f"Releasing {check_checkout(ROOT)}")
        case ["finish"]:
            for file in finish(ROOT, ROOT / "dist"):
                print(file.relative_to(ROOT))
        case _:
            raise SystemExit("Say check or finish.")


def check_checkout(root: Path) -> str:
    """Return the version to release. Raise ``SystemExit`` with what to do."""
    version = str(tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"])
    changed = _git(root, "status", "--porcelain")
    if changed:
        raise SystemExit(f"Commit or remove these changes first:\n{changed}")
    tags = _git(root, "tag", "--points-at", "HEAD").split()
    if f"v{version}" not in tags:
        raise SystemExit(f"Check out the tag v{version} first: this commit has {', '.join(tags) or 'no tag'}.")
    read_notes((root / "CHANGELOG.md").read_text(), version)
    return version


def finish(root: Path, dist: Path) -> list[Path]:
    """Write the remaining files of the release, and return all of them."""
    version = check_checkout(root)
    for old in (SUMS, NOTES, BILL):
        (dist / old).unlink(missing_ok=True)
    for archive in dist.glob(f"consumo-{version}-linux-*.tar.gz"):
        with tarfile.open(archive) as tar:
            bill = tar.extractfile(f"{archive.name.removesuffix('.tar.gz')}/{BILL}")
            assert bill is not None, "each archive has a bill of materials"
            with (dist / BILL).open("wb") as file:
                shutil.copyfileobj(bill, file)
    (dist / NOTES).write_text(read_notes((root / "CHANGELOG.md").read_text(), version))
    files = sorted(file for file in dist.iterdir() if file.is_file())
    (dist / SUMS).write_text("".join(f"{_digest(file)}  {file.name}\n" for file in files))
    return [*files, dist / SUMS]


def read_notes(changelog: str, version: str) -> str:
    """Return the changelog's section of a version."""
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if not found or not found[1].strip():
        raise SystemExit(f"Write what changed under “## [{version}]” in CHANGELOG.md first.")
    return f"# Consumo {version}\n\n{found[1].strip()}\n"


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
