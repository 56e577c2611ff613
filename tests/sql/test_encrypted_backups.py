"""Encrypted backups, and backups that are checked in a scratch database."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from adapters.sql.backups import BackupProblem, back_up, restore, restored
from adapters.sql.backups.encryption import encrypt_into
from adapters.sql.engine.connections import to_url
from adapters.sql.store import SqlStore
from tests.builders import NOON, ZONE, a_ward

pytestmark = pytest.mark.skipif(shutil.which("gpg") is None, reason="GnuPG is not installed")
SECRET = "Neumonía por un patógeno raro"


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A keyring with the key backups@hospital.test."""
    # A short path: its sockets are in it.
    with tempfile.TemporaryDirectory(prefix="gpg") as folder:
        monkeypatch.setenv("GNUPGHOME", folder)
        command = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "backups@hospital.test"]
        subprocess.run([*command, "future-default", "default", "never"], check=True, capture_output=True)
        yield Path(folder)
        subprocess.run(["gpgconf", "--kill", "all"], check=True)


@pytest.fixture
def public_key(keyring: Path, tmp_path: Path) -> Path:
    exported = subprocess.run(["gpg", "--export", "backups@hospital.test"], check=True, capture_output=True)
    file = tmp_path / "backups.gpg"
    file.write_bytes(exported.stdout)
    return file


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def used(request: pytest.FixtureRequest) -> str:
    """The URL of a database with a sheet."""
    url = str(request.getfixturevalue(f"{request.param}_url"))
    store = SqlStore(url, ZONE)
    ward = a_ward(store)
    ward.detail(ward.sheet(diagnosis=SECRET)["id"])
    store.close()
    return url


def diagnoses(database_url: str) -> list[str]:
    engine = create_engine(to_url(database_url))
    with engine.connect() as connection:
        found = [*connection.execute(text("SELECT diagnosis FROM consumption_sheets")).scalars()]
    engine.dispose()
    return found


@pytest.mark.usefixtures("keyring")
def test_an_encrypted_backup_is_restored_with_its_key(used: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    about = back_up(used, file, NOON, encrypt_to="backups@hospital.test")
    assert about.rows["consumption_sheets"] == 1
    assert SECRET.encode() not in file.read_bytes()
    assert file.read_bytes()[:2] != b"PK"
    assert file.stat().st_mode & 0o077 == 0
    with restored(used, file) as (url, _):
        assert diagnoses(url) == [SECRET]
    assert sorted(one.name for one in tmp_path.iterdir() if "backup" in one.name) == ["consumo.backup"]


def test_the_public_key_alone_encrypts_and_cannot_restore(
    sqlite_url: str, public_key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "consumo.backup"
    with tempfile.TemporaryDirectory(prefix="gpg") as other:
        monkeypatch.setenv("GNUPGHOME", other)
        back_up(sqlite_url, file, NOON, encrypt_to=str(public_key))
        with pytest.raises(BackupProblem, match="its private key is not in the keyring"):
            restore(f"sqlite:///{tmp_path}/new.db", file, replace=False)


@pytest.mark.parametrize("armored", [False, True])
def test_each_key_of_a_file_decrypts(keyring: Path, sqlite_url: str, tmp_path: Path, armored: bool) -> None:
    keys = tmp_path / "backups.gpg"
    emails = ["first@hospital.test", "second@hospital.test"]
    exported = []
    for email in emails:
        command = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key", email, "future-default", "default"]
        subprocess.run([*command, "never"], check=True, capture_output=True)
        export = ["gpg", *(["--armor"] if armored else []), "--export", email]
        exported.append(subprocess.run(export, check=True, capture_output=True).stdout)
    keys.write_bytes(b"".join(exported))
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON, encrypt_to=str(keys))
    listing = subprocess.run(["gpg", "--list-packets", "--list-only", file], check=True, capture_output=True, text=True)
    assert listing.stdout.count(":pubkey enc packet:") == 2


@pytest.mark.parametrize("content", [b"", b"no key", None])
def test_a_file_without_a_public_key_is_refused(sqlite_url: str, tmp_path: Path, content: bytes | None) -> None:
    keys, file = tmp_path / "backups.gpg", tmp_path / "consumo.backup"
    if content is not None:
        keys.write_bytes(content)
    with pytest.raises(BackupProblem, match=r"GnuPG cannot encrypt to “.*backups\.gpg”"):
        back_up(sqlite_url, file, NOON, encrypt_to=str(keys))
    assert not file.exists()


def test_a_key_that_cannot_encrypt_is_refused(keyring: Path, sqlite_url: str, public_key: Path, tmp_path: Path) -> None:
    command = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key", "signs@hospital.test", "ed25519", "sign"]
    subprocess.run(command, check=True, capture_output=True)
    signing = subprocess.run(["gpg", "--export", "signs@hospital.test"], check=True, capture_output=True).stdout
    public_key.write_bytes(public_key.read_bytes() + signing)
    with pytest.raises(BackupProblem, match="GnuPG cannot encrypt to"):
        back_up(sqlite_url, tmp_path / "consumo.backup", NOON, encrypt_to=str(public_key))


def test_gnupg_needs_no_home_for_a_file(
    sqlite_url: str, public_key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNUPGHOME", "/proc/nothing")
    back_up(sqlite_url, tmp_path / "consumo.backup", NOON, encrypt_to=str(public_key))


@pytest.mark.usefixtures("keyring")
@pytest.mark.parametrize("part", ["flipped", "cut"])
def test_an_altered_or_cut_message_is_refused(sqlite_url: str, tmp_path: Path, part: str) -> None:
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON, encrypt_to="backups@hospital.test")
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    file.write_bytes(flipped if part == "flipped" else whole[:-20])
    with pytest.raises(BackupProblem, match="cannot be decrypted"):
        restore(f"sqlite:///{tmp_path}/new.db", file, replace=False)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.usefixtures("keyring")
def test_an_unknown_key_leaves_the_previous_backup(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    file.write_text("the previous one")
    with pytest.raises(BackupProblem, match=r"GnuPG cannot encrypt to “unknown@hospital\.test”"):
        back_up(sqlite_url, file, NOON, replace=True, encrypt_to="unknown@hospital.test")
    assert file.read_text() == "the previous one"
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith(".partial")] == []


def test_a_complaint_of_gnupg_is_told_if_it_ends_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpg = tmp_path / "gpg"
    gpg.write_text("#!/bin/sh\nexec <&-\necho 'gpg: the key has expired' >&2\nexit 2\n")
    gpg.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def encrypt() -> None:
        with (tmp_path / "target").open("wb") as target, encrypt_into(target, "key") as content:
            for _ in range(1_000):
                content.write(b"x" * 1_000)

    with pytest.raises(BackupProblem, match=r"GnuPG cannot encrypt to “key”: the key has expired\."):
        encrypt()


def test_without_gnupg_one_sentence_says_what_to_install(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupProblem, match="install the package gnupg"):
        back_up(sqlite_url, tmp_path / "consumo.backup", NOON, encrypt_to="backups@hospital.test")


def test_the_scratch_database_is_gone_afterwards(used: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(used, file, NOON)
    with restored(used, file) as (url, _):
        assert url != used
        assert diagnoses(url) == [SECRET]
    with pytest.raises(Exception, match=r"does not exist|unable to open|no such table"):
        diagnoses(url)
    assert diagnoses(used) == [SECRET]


@pytest.mark.postgresql
def test_scratch_databases_of_killed_checks_are_dropped(postgresql_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(postgresql_url, file, NOON)
    engine = create_engine(to_url(postgresql_url), isolation_level="AUTOCOMMIT")
    old, other = "consumo_check_20200101000000_0123abcd", "consumo_check_kept"
    try:
        with engine.connect() as connection:
            for name in (old, other):
                connection.execute(text(f"CREATE DATABASE {name}"))
            with restored(postgresql_url, file):
                names = connection.execute(text("SELECT datname FROM pg_database")).scalars().all()
            assert old not in names
            assert other in names
            assert len([name for name in names if name.startswith("consumo_check_2")]) == 1
    finally:
        with engine.connect() as connection:
            for name in (old, other):
                connection.execute(text(f"DROP DATABASE IF EXISTS {name}"))
        engine.dispose()
