"""A release is made only from a clean checkout of its tag."""

import hashlib
import io
import json
import subprocess
import tarfile
from pathlib import Path

import pytest

from tools.release.release import check_checkout, finish, read_notes
from tools.release.results import commit, write_results

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n- Later.\n\n## [1.2.0] - 2026-12-01\n\n- New.\n\n## [1.1.0]\n\n- Old.\n"


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@hospital.test"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of the tag v1.2.0."""
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "consumo"\nversion = "1.2.0"\n')
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    (root / ".gitignore").write_text("dist/\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "release: prepare")
    git(root, "tag", "v1.2.0")
    return root


def test_a_clean_checkout_of_the_tag_is_released(checkout: Path) -> None:
    assert check_checkout(checkout) == "1.2.0"


def test_a_changed_checkout_is_not_released(checkout: Path) -> None:
    (checkout / "CHANGELOG.md").write_text(CHANGELOG + "- More.\n")
    with pytest.raises(SystemExit, match=r"Commit or remove these changes first:\nM? ?M CHANGELOG.md"):
        check_checkout(checkout)


def test_a_commit_without_the_tag_of_its_version_is_not_released(checkout: Path) -> None:
    git(checkout, "tag", "--delete", "v1.2.0")
    with pytest.raises(SystemExit, match=r"Check out the tag v1\.2\.0 first: this commit has no tag\."):
        check_checkout(checkout)


def test_the_notes_are_the_changelog_of_that_version() -> None:
    assert read_notes(CHANGELOG, "1.2.0") == "# Consumo 1.2.0\n\n- New.\n"
    assert read_notes(CHANGELOG, "1.1.0") == "# Consumo 1.1.0\n\n- Old.\n"
    with pytest.raises(SystemExit, match=r"Write what changed under “## \[1\.3\.0\]”"):
        read_notes(CHANGELOG, "1.3.0")


def test_the_release_has_checksums_notes_and_a_bill_of_materials(checkout: Path) -> None:
    dist = checkout / "dist"
    dist.mkdir()
    (dist / "consumo-1.2.0-py3-none-any.whl").write_bytes(b"a wheel")
    with tarfile.open(dist / "consumo-1.2.0-linux-x86_64.tar.gz", "w:gz") as tar:
        entry = tarfile.TarInfo("consumo-1.2.0-linux-x86_64/sbom.cdx.json")
        entry.size = 2
        tar.addfile(entry, io.BytesIO(b"{}"))
    (dist / "SHA256SUMS").write_text("of an earlier run")
    names = [file.name for file in finish(checkout, dist)]
    assert names == [
        "RELEASE_NOTES.md",
        "consumo-1.2.0-linux-x86_64.tar.gz",
        "consumo-1.2.0-py3-none-any.whl",
        "sbom.cdx.json",
        "SHA256SUMS",
    ]
    lines = [line.split("  ") for line in (dist / "SHA256SUMS").read_text().splitlines()]
    sums = {name: digest for digest, name in lines}
    assert sums["consumo-1.2.0-py3-none-any.whl"] == hashlib.sha256(b"a wheel").hexdigest()
    assert set(sums) == {*names} - {"SHA256SUMS"}
    assert (dist / "sbom.cdx.json").read_text() == "{}"


def junit(checkout: Path, half: str, numbers: str) -> None:
    file = checkout / "tests" / ".artifacts" / f"{half}.xml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<testsuites><testsuite {numbers}/><testsuite tests='2' failures='0' errors='0'/></testsuites>")


def test_results_of_both_halves_are_counted(checkout: Path) -> None:
    junit(checkout, "server", "tests='30' failures='0' errors='0' skipped='4'")
    with pytest.raises(SystemExit, match=r"client\.xml is missing: run make test first\."):
        write_results(checkout, checkout / "dist")
    junit(checkout, "client", "tests='7' failures='0' errors='0' skipped='0'")
    written = json.loads(write_results(checkout, checkout / "dist").read_text())
    assert written["commit"] == commit(checkout)
    assert written["halves"] == {
        "server": {"passed": 28, "failed": 0, "skipped": 4},
        "client": {"passed": 9, "failed": 0, "skipped": 0},
    }


@pytest.mark.parametrize("fault", ["failures", "errors"])
def test_failed_tests_are_not_released(checkout: Path, fault: str) -> None:
    junit(checkout, "server", "tests='30' skipped='4'")
    junit(checkout, "client", f"tests='7' {fault}='1'")
    with pytest.raises(SystemExit, match=r"Tests of client failed"):
        write_results(checkout, checkout / "dist")
    assert not (checkout / "dist").exists()
