"""``consumo prove``: what an auditor asks for, without a secret or a patient."""

import json
import os
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adapters.cli.main import main
from adapters.i18n.catalogue import LANGUAGES, catalogue
from adapters.settings.declared import SETTINGS
from adapters.settings.read_settings import shown_settings
from domain.common.policy import GRANTS, Permission, Role
from tests.canaries import WORD
from tests.servers import environment

CANARY = "canario-qzxw-canario-qzxw-canario-qzxw"
# Nothing listens there.
NOWHERE = "127.0.0.1:9"
SECRETS = {
    "SECRET_KEY": CANARY,
    "SECRET_KEY_OLD": f"{CANARY}-old",
    "METRICS_TOKEN": f"{CANARY}-metrics",
    "SMTP_URL": f"smtp://{CANARY}:{CANARY}@{NOWHERE}?from=consumo@ward.test",
    "OIDC_ISSUER": f"https://{NOWHERE}/realms/ward",
    "OIDC_CLIENT_ID": "consumo",
    "OIDC_CLIENT_SECRET": CANARY,
    "OIDC_PROXY": f"http://{CANARY}:{CANARY}@{NOWHERE}",
    "DFT_DESTINATION": f"mllp://{NOWHERE}",
    "PUBLIC_URL": f"http://{NOWHERE}",
}
# Every text about a patient or a person, and what billing said about one.
PERSONAL = {
    "patients": ("name", "first_surname", "second_surname", "record_number", "told", "search_folded", "sort_folded"),
    "staff": ("name", "first_surname", "second_surname", "telephone_number", "job_title", "search_folded"),
    "users": ("email",),
    "consumption_sheets": ("diagnosis", "doctor", "search_folded", "told"),
    "consumption_details": ("void_reason", "serial", "lot"),
    "detail_returns": ("note",),
    "audit_trail": ("changes",),
    "outbound_messages": ("problem", "body", "reason"),
    "unknown_codes": ("code",),
}
_MESSAGE = (
    "INSERT INTO outbound_messages (sheet_id, control_id, body, charges, state, tries, created_at, next_try_at)"
    " VALUES (1, 'C1', 'MSH', 1, 'waiting', 3, '2026-01-01 00:00:00', '2026-01-01 00:00:00')"
)

Prove = Callable[..., Result]


@pytest.fixture
def database(demo_file: Path, tmp_path: Path) -> Path:
    file = tmp_path / "consumo.db"
    shutil.copy(demo_file, file)
    return file


@pytest.fixture
def prove(database: Path, tmp_path: Path) -> Prove:
    def call(*arguments: str, command: str = "prove", **settings: str) -> Result:
        ours = environment(f"sqlite:///{database}", **{f"CONSUMO_{name}": value for name, value in settings.items()})
        others = [name for name in os.environ if name not in ours]
        return CliRunner().invoke(main, [*command.split(), *arguments], env={**dict.fromkeys(others), **ours})

    return call


class Texts(HTMLParser):
    """The texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def read(folder: Path) -> dict[str, Any]:
    dossier: dict[str, Any] = json.loads((folder / "dossier.json").read_text())
    return dossier


def test_the_dossier_has_no_secret_and_no_patient(database: Path, prove: Prove, tmp_path: Path) -> None:
    with closing(connect(database)) as connection, connection:
        connection.execute(_MESSAGE)
        for table, columns in PERSONAL.items():
            for column in columns:
                connection.execute(f"UPDATE {table} SET {column} = ? || rowid", [WORD])  # noqa: S608
    made = prove(str(tmp_path / "dossier"), **SECRETS)
    assert made.exit_code == 0, made.output
    files = [*(tmp_path / "dossier").iterdir()]
    assert {file.name for file in files} == {"index.html", "dossier.json"}
    for file in files:
        assert file.stat().st_mode & 0o077 == 0
        text = file.read_text()
        assert WORD not in text
        assert "qzxw" not in text
    lines = {one["name"]: one["text"] for one in read(tmp_path / "dossier")["doctor"]}
    assert {"mail server", "billing destination", "sign-in", "billing"} <= lines.keys()
    assert WORD in prove(command="doctor", **SECRETS).stdout


def test_no_secret_of_any_setting_is_shown() -> None:
    url = f"https://{CANARY}:{CANARY}@host.test/path?token={CANARY}#{CANARY}"
    shown = shown_settings({one.variable: url for one in SETTINGS if one.name not in {"HOSPITALS", "HOSPITAL"}})
    assert CANARY not in repr(shown)
    assert shown["CONSUMO_PUBLIC_URL"] == "https://host.test/path"
    assert {name for name, value in shown.items() if value is None} == {
        one.variable for one in SETTINGS if one.is_secret
    }


def test_it_says_what_is_true_of_the_installation(database: Path, prove: Prove, tmp_path: Path) -> None:
    backup = str(tmp_path / "consumo.backup")
    assert prove(backup, command="backup").exit_code == 0
    assert prove(command="audit seal").exit_code == 0
    with closing(connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO hospital_settings (id, version, time_zone, currency, logo_version) VALUES (1, 1, ?, ?, 0)",
            ["America/Lima", "PEN"],
        )
    made = prove(str(tmp_path / "dossier"), "--backup", backup, TIME_ZONE="America/Guayaquil")
    assert made.exit_code == 0, made.output
    found = read(tmp_path / "dossier")
    settings = {it["variable"]: (it["value"], it["state"]) for it in found["settings"]}
    assert settings["CONSUMO_TIME_ZONE"] == ("America/Guayaquil", "given")
    assert settings["CONSUMO_CURRENCY"] == ("PEN", "page")
    assert settings["CONSUMO_PORT"] == ("8000", "default")
    assert settings["CONSUMO_SECRET_KEY"] == (None, "secret")
    assert found["versions"]["database"].startswith("SQLite ")
    assert (found["seals"]["tamperings"], found["seals"]["unsealed"]) == ([], 0)
    assert found["last_backup"]["bytes"] == Path(backup).stat().st_size
    assert (found["restore_check"]["file"], found["restore_check"]["wrong"]) == ("consumo.backup", 0)
    assert {role.name.lower(): {*GRANTS[role]} for role in Role} == {
        role: {*map(Permission, rights)} for role, rights in found["roles"].items()
    }
    assert "litestar" in {it["name"] for it in found["materials"]}
    assert found["tests"] is None


def test_results_of_a_release_are_in_the_dossier(prove: Prove, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"passed": 15_012, "failed": 0, "skipped": 9}
    results = {"commit": "2f1d", "made_at": "2026-11-29T18:00:00+00:00", "halves": {"server": numbers}}
    (tmp_path / "tests.json").write_text(json.dumps(results))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert prove(str(tmp_path / "dossier"), "--language", "en").exit_code == 0
    assert read(tmp_path / "dossier")["tests"] == results
    texts = Texts((tmp_path / "dossier" / "index.html").read_text()).texts
    assert {"Of Nov 29, 2026, 18:00 UTC, with commit 2f1d.", "Server", "15012", "9"} <= {*texts}


def test_changed_entries_are_counted(database: Path, prove: Prove, tmp_path: Path) -> None:
    assert prove(command="audit seal").exit_code == 0
    with closing(connect(database)) as connection, connection:
        connection.execute("UPDATE audit_trail SET action = 'sheet.opened' WHERE id IN (1, 2)")
    assert prove(str(tmp_path / "dossier"), "--language", "en").exit_code == 0
    assert "Not as they were sealed: 2." in (tmp_path / "dossier" / "index.html").read_text()
    assert [it["number"] for it in read(tmp_path / "dossier")["seals"]["tamperings"]] == [1, 2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_read_it_in_their_language(prove: Prove, tmp_path: Path, language: str) -> None:
    made = prove(str(tmp_path / "dossier"), "--language", language)
    assert made.exit_code == 0, made.output
    page = (tmp_path / "dossier" / "index.html").read_text()
    words = catalogue(language)["dossier"]
    texts = Texts(page).texts
    headings = ("title", "versions", "settings", "doctor", "seals", "backup", "rights", "materials", "tests")
    assert {words[one] for one in headings} <= {*texts}
    assert f'<html lang="{language}">' in page
    assert not re.search(r"<script|https?://[^<]*\.(?:js|css)", page)


def test_a_folder_with_files_is_left_alone(prove: Prove, tmp_path: Path) -> None:
    refused = prove(str(tmp_path))
    assert refused.exit_code == 1
    said = refused.stderr.translate(dict.fromkeys(map(ord, "│"))).split()
    assert "name a folder that does not exist yet, or an empty one." in " ".join(said)
    assert not (tmp_path / "index.html").exists()
