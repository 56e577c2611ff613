"""``consumo copy``: one new administrator, and no one else signs in."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adapters import demo
from adapters.cli.main import main
from adapters.security.passwords import Argon2Passwords
from adapters.sql.store import SqlStore
from application.accounts.sign_in.sign_in import Credentials
from domain.common.errors import InvalidCredentials
from tests.builders import ZONE, use_cases_on
from tests.servers import environment

Consumo = Callable[..., Result]


@pytest.fixture
def consumo(demo_file: Path, tmp_path: Path) -> Consumo:
    file = tmp_path / "consumo.db"
    shutil.copy(demo_file, file)

    def call(*arguments: str, database: Path = file, given: str | None = None) -> Result:
        ours = environment(f"sqlite:///{database}")
        others = [name for name in os.environ if name not in ours]
        return CliRunner().invoke(main, arguments, input=given, env={**dict.fromkeys(others), **ours})

    return call


def test_only_the_new_administrator_signs_in(consumo: Consumo, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    made = consumo("copy", "--pseudonymised", str(copy))
    assert made.exit_code == 0, made.stderr
    password = made.stdout.strip()
    assert password
    assert password not in made.stderr
    assert copy.stat().st_mode & 0o077 == 0
    checked = consumo("check", database=copy)
    assert (checked.exit_code, checked.stderr.strip()) == (0, "All accounts add up.")
    store = SqlStore(f"sqlite:///{copy}", ZONE)
    try:
        sign_in = use_cases_on(store, zone=ZONE, passwords=Argon2Passwords()).session.sign_in
        assert sign_in(Credentials(email="admin@copia.invalid", password=password))
        for email in ("admin@consumo.test", "usuario1@copia.invalid"):
            with pytest.raises(InvalidCredentials):
                sign_in(Credentials(email=email, password=demo.PASSWORD))
    finally:
        store.close()


def test_a_file_that_exists_is_kept(consumo: Consumo, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("other")
    refused = consumo("copy", "--pseudonymised", str(copy))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "exists: name a file that does not exist yet." in refused.stderr
    assert copy.read_text() == "other"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("{folder}/consumo.db", "belongs to the database"),
        ("sqlite:///{folder}/consumo.db", "belongs to the database"),
        ("{folder}/none/copy.db", "cannot be written"),
        ("postgresql://one:secret@db.test/copy", "leave the password out"),
        ("postgresql://one@127.0.0.1:9/copy", "postgresql+psycopg://one@127.0.0.1:9/copy cannot be used"),
    ],
)
def test_an_unusable_target_is_one_sentence(consumo: Consumo, tmp_path: Path, target: str, reason: str) -> None:
    refused = consumo("copy", "--pseudonymised", target.format(folder=tmp_path))
    assert refused.exit_code in (1, 2)
    assert reason in " ".join(refused.stderr.translate(dict.fromkeys(map(ord, "│"))).split())
    assert "Traceback" not in refused.stderr


def test_a_copy_with_names_is_a_backup(consumo: Consumo, tmp_path: Path) -> None:
    refused = consumo("copy", str(tmp_path / "copy.db"))
    assert refused.exit_code == 2
    assert not (tmp_path / "copy.db").exists()
