"""The ``consumo`` command."""

import csv
import io
import os
import pty
import re
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import rich_click as click
from click.testing import CliRunner, Result
from openpyxl import load_workbook
from pypdf import PdfReader

from adapters.cli.main import main
from adapters.documents.lists import LISTS
from adapters.security.passwords import Argon2Passwords
from adapters.sql.store import SqlStore
from application.imports.reading.columns import IMPORTABLE
from domain.common.text import unique_key
from tests.builders import ZONE, a_ward
from tests.pace import PATIENCE
from tests.servers import CONSUMO, environment

PASSWORD = "tres gasas y una venda"
CATALOGUE = "code,name,price\n1,Gasa,1.50\n2,Venda,x\n3,Tul,2\n"
COLUMNS = ["--code", "code", "--name", "name", "--price", "price"]

Consumo = Callable[..., Result]
Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def consumo(sqlite_url: str) -> Consumo:
    """Run the command on a migrated database.

    Settings are given without the prefix CONSUMO_; ``given`` is the standard input.
    """

    def call(*arguments: str, given: str | bytes | None = None, **settings: str) -> Result:
        ours = environment(sqlite_url, **{f"CONSUMO_{name}": value for name, value in settings.items()})
        others = [name for name in os.environ if name not in ours]
        return CliRunner().invoke(main, arguments, input=given, env={**dict.fromkeys(others), **ours})

    return call


@pytest.fixture
def program(sqlite_url: str, tmp_path: Path) -> Program:
    """Run the command as a process, which takes a second to start."""
    return lambda *arguments, given="", **settings: subprocess.run(
        [CONSUMO, *arguments],
        env=environment(sqlite_url, **{f"CONSUMO_{name}": value for name, value in settings.items()}),
        cwd=tmp_path,
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def sentence(stderr: str) -> str:
    """The error message of a failed command without its frame."""
    assert "Traceback" not in stderr
    framed = stderr[stderr.index("╭─ Error") :]
    return " ".join(framed.replace("╭─ Error", "").translate(dict.fromkeys(map(ord, "╭╮╰╯│─"))).split())


def complaint(result: Result, status: int = 1) -> str:
    """The error message of a command that did nothing."""
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status
    assert result.stdout == ""
    return sentence(result.stderr)


def commands(group: click.Group, *before: str) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*before, name)
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)


def test_all_commands_exist() -> None:
    assert set(commands(main)) == {
        ("serve",),
        ("send",),
        ("send-audit",),
        ("receive",),
        ("simulate",),
        ("simulate", "his"),
        ("simulate", "billing"),
        ("migrate",),
        ("check",),
        ("check-backup",),
        ("copy",),
        ("prove",),
        ("export-patient",),
        ("verify-paper",),
        ("doctor",),
        ("demo",),
        ("create-hospital",),
        ("create-user",),
        ("network-views",),
        ("passkey-link",),
        ("import",),
        *(("import", noun.value) for noun in IMPORTABLE),
        ("import", "list"),
        ("import", "undo"),
        ("export",),
        ("print-forms",),
        *(("export", name) for name in LISTS),
        ("backup",),
        ("restore",),
        ("audit",),
        ("audit", "seal"),
        ("audit", "verify"),
        ("simulate",),
        ("simulate", "his"),
        ("simulate", "billing"),
    }


@pytest.mark.parametrize("command", [(), *commands(main)], ids=" ".join)
def test_every_command_has_a_help_text(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("-h", "--help"):
        with pytest.raises(SystemExit) as ended:
            main([*command, flag])
        assert ended.value.code == 0
        reported = capsys.readouterr().out
        assert "Usage:" in reported
        assert len(reported.splitlines()) > 5


def test_the_program_prints_its_version(program: Program) -> None:
    result = program("--version")
    assert result.returncode == 0
    assert result.stdout.startswith("consumo, version ")


def test_an_emptied_audit_log_fails_verification(consumo: Consumo, sqlite_url: str) -> None:
    assert consumo("audit", "verify").exit_code == 0
    store = SqlStore(sqlite_url, ZONE)
    a_ward(store)
    store.close()
    unsealed = consumo("audit", "verify")
    assert (unsealed.exit_code, "No entry is sealed" in unsealed.output) == (1, True)
    file = sqlite_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("UPDATE audit_trail SET at = datetime('now');")
    sealed = consumo("audit", "seal").output.split()[0]
    verified = consumo("audit", "verify", "--seal", sealed)
    assert (verified.exit_code, " entries under 1 seal: all as they were sealed. 0 came" in verified.output) == (
        0,
        True,
    )
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("DELETE FROM audit_trail; DELETE FROM audit_seals;")
    emptied = consumo("audit", "verify")
    assert (emptied.exit_code, "The audit log is empty" in emptied.output) == (1, True)
    assert "seal 1: missing" in consumo("audit", "verify", "--seal", sealed).output


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("DATABASE_URL", "mysql://h/d"),
        ("DATABASE_URL", "postgresql://127.0.0.1:1/absent"),
        ("DATABASE_URL", "sqlite:////no/such/folder/x.db"),
        ("DATABASE_URL", f"sqlite:///{Path(__file__).resolve()}"),
        ("HOST", "nonsense"),
        ("PORT", "x"),
        ("SECRET_KEY", "short"),
        ("WORKERS", "2"),
        ("CURRENCY", "dollars"),
        ("TIME_ZONE", "Mars/Base"),
        ("TOKEN_HOURS", "0"),
    ],
)
def test_an_invalid_setting_prevents_the_start_with_a_sentence(consumo: Consumo, setting: str, value: str) -> None:
    # A database may be back at the next start.
    status = 1 if setting == "DATABASE_URL" and not value.startswith("mysql") else 78
    said = complaint(consumo("serve", **{setting: value}), status)
    assert said.startswith(f"CONSUMO_{setting}: ")
    assert said.endswith(".")


@pytest.mark.parametrize(("command", "setting"), [("send", "DFT_DESTINATION"), ("send-audit", "AUDIT_DESTINATION")])
def test_a_sender_without_destination_is_not_restarted(consumo: Consumo, command: str, setting: str) -> None:
    assert complaint(consumo(command), 78).startswith(f"CONSUMO_{setting}: not set; ")


def test_serve_refuses_an_invalid_map_of_messages_at_once(program: Program, tmp_path: Path) -> None:
    """A process that answers requests would end again and again."""
    paths = tmp_path / "map.toml"
    paths.write_text('[paths]\nnonsense = "PID-18.1"\n')
    refused = program("serve", HL7_MAP=str(paths))
    assert (refused.returncode, refused.stdout) == (78, "")
    assert "nonsense" in refused.stderr


def test_a_program_that_cannot_start_says_why(program: Program) -> None:
    refused = program("serve", TIME_ZONE="Mars/Base")
    assert (refused.returncode, refused.stdout) == (78, "")
    assert sentence(refused.stderr).startswith("CONSUMO_TIME_ZONE: ")
    # As the unit does: one sentence, and the status after which it does not restart.
    refused = program("--all", "migrate", TIME_ZONE="Mars/Base")
    assert (refused.returncode, refused.stdout) == (78, "")
    assert sentence(refused.stderr).startswith("CONSUMO_TIME_ZONE: ")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = program("serve", PORT=port)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert sentence(refused.stderr).startswith(f"Cannot serve at 127.0.0.1, port {port}: another server is there")


@pytest.mark.parametrize(
    "command",
    [
        ["serve"],
        ["check"],
        ["demo"],
        ["create-user", "a@b.test", "--password-stdin"],
        ["passkey-link", "a@b.test"],
        ["import", "products", "x.csv", *COLUMNS],
        ["export", "products"],
    ],
    ids=" ".join,
)
def test_an_unmigrated_database_is_reported_with_a_sentence(
    consumo: Consumo, blank_sqlite_url: str, command: list[str]
) -> None:
    said = complaint(consumo(*command, DATABASE_URL=blank_sqlite_url))
    assert said == "The database is not up to date: run “consumo migrate” first."


def test_missing_closings_are_filled_in(consumo: Consumo, sqlite_url: str) -> None:
    ward = a_ward(SqlStore(sqlite_url, ZONE))
    sheet_id = ward.sheet()["id"]
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert sheet
        sheet.closed_at = ward.clock.now
        work.sheets.save(sheet)
    filled = consumo("migrate", "--fill", DATABASE_URL=sqlite_url)
    assert (filled.exit_code, "1 closings written." in filled.output) == (0, True), filled.output
    # It was written with its digest.
    assert "digests written" not in filled.output
    assert len(ward.use_cases.sheets.list_closings(ward.admin, sheet_id)["items"]) == 1
    assert "written" not in consumo("migrate", "--fill", DATABASE_URL=sqlite_url).output


def test_migrating_twice_is_harmless(consumo: Consumo, blank_sqlite_url: str) -> None:
    for _ in range(2):
        assert consumo("migrate", DATABASE_URL=blank_sqlite_url).exit_code == 0
    assert (
        consumo("create-user", "a@b.test", "--password-stdin", given=PASSWORD, DATABASE_URL=blank_sqlite_url).exit_code
        == 0
    )


def test_a_passkey_link_is_printed(consumo: Consumo) -> None:
    consumo("create-user", "ana@ward.test", "--password-stdin", given=PASSWORD)
    made = consumo("passkey-link", "ANA@ward.test")
    assert made.exit_code == 0
    assert re.fullmatch(r"http://localhost:8000/auth/passkey\?token=[\w-]{43}\n", made.stdout)
    assert made.stderr.startswith("Valid once, until ")
    assert complaint(consumo("passkey-link", "eva@ward.test")) == "No user has the email eva@ward.test."
    refused = consumo("passkey-link", "ana@ward.test", PUBLIC_URL="http://192.0.2.7")
    assert "https" in complaint(refused)


def test_a_database_is_backed_up_and_restored(consumo: Consumo, tmp_path: Path) -> None:
    consumo("create-user", "ana@ward.test", "--password-stdin", given=PASSWORD)
    file = str(tmp_path / "consumo.backup")
    made = consumo("backup", file)
    assert (made.exit_code, made.stdout) == (0, "")
    assert re.search(r"consumo\.backup: [\d,]+ rows as of \S+, [\d,]+ bytes\.", " ".join(made.stderr.split()))
    consumo("create-user", "eva@ward.test", "--password-stdin", given=PASSWORD)
    assert complaint(consumo("restore", file)).endswith("holds data: give --replace to overwrite them.")
    restored = consumo("restore", file, "--replace")
    assert (restored.exit_code, restored.stdout) == (0, "")
    assert "Restored: " in restored.stderr
    # The user was created after the backup, so the restored database does not have her.
    again = consumo("create-user", "eva@ward.test", "--password-stdin", given=PASSWORD)
    assert (again.exit_code, again.stderr.strip()) == (0, "eva@ward.test may sign in.")
    assert complaint(consumo("restore", str(tmp_path / "gone"))).endswith("No such file or directory.")


def test_checking_a_backup_changes_nothing(consumo: Consumo, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    consumo("backup", str(file))
    before = {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()}
    checked = consumo("check-backup", str(file))
    assert checked.exit_code == 0
    assert "consumo.backup: " in checked.stderr
    assert checked.stderr.strip().endswith("All accounts add up.")
    assert {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()} == before
    file.write_bytes(before[file][:-1])
    assert complaint(consumo("check-backup", str(file))).endswith("is no backup of Consumo, or no longer whole.")


def test_brackets_in_a_file_name_are_printed(consumo: Consumo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert consumo("backup", "[b].backup").stderr.startswith("[b].backup: ")
    assert "[b].backup exists: " in complaint(consumo("backup", "[b].backup"))


def test_a_backup_is_overwritten_only_on_request(consumo: Consumo, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    consumo("backup", str(file))
    before = file.read_bytes()
    consumo("create-user", "ana@ward.test", "--password-stdin", given=PASSWORD)
    assert "exists: give another name, or --replace" in complaint(consumo("backup", str(file)))
    assert file.read_bytes() == before
    assert consumo("backup", str(file), "--replace").exit_code == 0
    assert file.read_bytes() != before


def test_a_backup_is_recorded_unless_the_tables_are_older(consumo: Consumo, sqlite_url: str, tmp_path: Path) -> None:
    database = sqlite_url.removeprefix("sqlite:///")

    def recorded() -> list[tuple[int]]:
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute("SELECT size FROM backups").fetchall()

    file = tmp_path / "consumo.backup"
    assert consumo("backup", "--replace", str(file)).exit_code == 0
    assert recorded() == [(file.stat().st_size,)]
    with closing(sqlite3.connect(database)) as connection, connection:
        [(newest,)] = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        connection.execute("UPDATE alembic_version SET version_num = '0039'")
    assert consumo("backup", "--replace", str(file)).exit_code == 0
    assert len(recorded()) == 1
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (newest,))
        connection.execute("ALTER TABLE backups RENAME TO others")
    unrecorded = consumo("backup", "--replace", str(file))
    assert unrecorded.exit_code == 0
    assert "could not be recorded" in unrecorded.stderr


def test_users_are_created(consumo: Consumo) -> None:
    created = consumo("create-user", "ana@ward.test", "--password-stdin", given=PASSWORD)
    assert (created.exit_code, created.stderr.strip()) == (0, "ana@ward.test may sign in.")
    again = consumo("create-user", "ANA@ward.test", "--password-stdin", given=PASSWORD)
    assert complaint(again) == "There is already a user with the email “ANA@ward.test”: change “Email”."
    faulty = consumo("create-user", "unknown", "--password-stdin", given="short")
    assert complaint(faulty) == "Enter a valid email address in “Email”. Choose a password with at least 12 characters."
    reported = consumo("create-user", "unknown@ward.test", "--password-stdin", given="consumo-demo-2026")
    assert complaint(reported) == "Choose another password: this one is too common."
    odd = consumo("create-user", "[/b]@ward.test", "--role", "1", "--password-stdin", given=PASSWORD)
    assert complaint(odd) == "Enter a valid email address in “Email”."
    # 3 is not a role, and 30 is the role of service accounts, which have keys instead of passwords.
    for role in ("3", "30"):
        assert consumo("create-user", "x@ward.test", "--role", role, "--password-stdin", given=PASSWORD).exit_code == 2


@pytest.mark.parametrize("given", [PASSWORD, f"{PASSWORD}\n", f"{PASSWORD}\r\n"])
def test_a_password_is_read_from_standard_input(consumo: Consumo, sqlite_url: str, given: str) -> None:
    assert consumo("create-user", "ana@ward.test", "--password-stdin", given=given).exit_code == 0
    store = SqlStore(sqlite_url, ZONE)
    with store.begin() as work:
        user = work.users.find("email", unique_key("ana@ward.test"))
    store.close()
    assert user is not None
    assert user.password_hash is not None
    assert Argon2Passwords().match(PASSWORD, user.password_hash)


def test_a_password_is_not_an_argument(consumo: Consumo) -> None:
    refused = consumo("create-user", "ana@ward.test", "--password", PASSWORD)
    assert refused.exit_code == 2
    assert PASSWORD not in refused.stderr


def test_without_a_terminal_no_password_is_asked_for(consumo: Consumo) -> None:
    refused = consumo("create-user", "ana@ward.test", given=f"{PASSWORD}\n{PASSWORD}\n")
    assert refused.exit_code == 2
    assert "use --password-stdin" in refused.stderr
    odd = consumo("create-user", "ana@ward.test", "--password-stdin", given=b"tres gasas y una \xff")
    assert complaint(odd) == "The password on standard input is no text in UTF-8."


def test_a_terminal_asks_twice_for_a_hidden_password(sqlite_url: str) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [CONSUMO, "create-user", "ana@ward.test"],
        env=environment(sqlite_url),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as asking:
        os.close(theirs)
        shown = b""
        for question in (b"Password: ", b"Repeat for confirmation: "):
            while question not in shown:
                shown += os.read(ours, 1_000)
            os.write(ours, f"{PASSWORD}\n".encode())
        # On Linux, reading from a terminal whose process has ended raises an error.
        with suppress(OSError):
            while more := os.read(ours, 1_000):
                shown += more
        assert asking.wait(PATIENCE) == 0
    os.close(ours)
    assert b"ana@ward.test may sign in." in shown
    assert PASSWORD.encode() not in shown


def test_a_catalogue_is_imported_and_exported(consumo: Consumo, tmp_path: Path) -> None:
    file = tmp_path / "catalogue.csv"
    file.write_text(CATALOGUE)
    bring_in = ["import", "products", str(file), *COLUMNS]
    assert complaint(consumo(*bring_in)) == "There is no administrator: register one with “consumo create-user”."
    consumo("create-user", "admin@ward.test", "--password-stdin", given=PASSWORD)
    consumo("create-user", "nurse@ward.test", "--role", "1", "--password-stdin", given=PASSWORD)

    refused = consumo(*bring_in)
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert "line 3: Enter a number in “Price”: “x” isn’t a number." in refused.stderr
    assert "Nothing was kept." in refused.stderr
    assert "Then 2 would be created and 0 changed." in refused.stderr
    assert refused.stderr.endswith("0 created, 0 changed, 0 unchanged, 1 refused\n")

    good = consumo(*bring_in, "--good-rows")
    assert (good.exit_code, good.stdout) == (1, "")
    assert good.stderr.endswith("2 created, 0 changed, 0 unchanged, 1 refused\n")

    file.write_text(CATALOGUE.replace("x", "3"))
    taken = consumo(*bring_in)
    assert taken.exit_code == 0
    assert taken.stderr.endswith("1 created, 0 changed, 2 unchanged, 0 refused\n")

    written = consumo("export", "products", "--format", "csv")
    assert written.exit_code == 0
    rows = list(csv.DictReader(io.StringIO(written.stdout.removeprefix("\N{BYTE ORDER MARK}"))))
    assert [(row["code"], row["name"], row["price"]) for row in rows] == [
        ("1", "Gasa", "1.50"),
        ("3", "Tul", "2.00"),
        ("2", "Venda", "3.00"),
    ]

    for options in (("--output", str(tmp_path / "a.xlsx")), ("--format", "xlsx", "--output", str(tmp_path / "b"))):
        assert consumo("export", "products", *options, "--language", "en").exit_code == 0
        sheet = load_workbook(io.BytesIO(Path(options[-1]).read_bytes())).active
        assert [cell.value for cell in sheet["C"]] == ["Name", "Gasa", "Tul", "Venda"]
    assert consumo("export", "products", "--output", str(tmp_path / "c.csv")).exit_code == 0
    assert (tmp_path / "c.csv").read_bytes() == written.stdout_bytes
    assert {file.name for file in tmp_path.iterdir()} >= {"a.xlsx", "b", "c.csv"}
    assert not [*tmp_path.glob("*.part")]
    nowhere = str(tmp_path / "nowhere" / "x.xlsx")
    assert complaint(consumo("export", "products", "--output", nowhere)).endswith("No such file or directory.")

    assert complaint(consumo(*bring_in, "--user", "nurse@ward.test")) == "You are not allowed to do this."
    assert complaint(consumo(*bring_in, "--user", "x@y.test")).startswith("There is no user x@y.test")


@pytest.fixture
def administrator(consumo: Consumo) -> None:
    consumo("create-user", "admin@ward.test", "--password-stdin", given=PASSWORD)


def written(folder: Path, *lines: str) -> str:
    file = folder / "file.csv"
    file.write_text("\n".join(lines))
    return str(file)


def test_ambiguities_of_a_file_are_asked_and_set_by_options(
    consumo: Consumo, administrator: None, tmp_path: Path
) -> None:
    file = written(tmp_path, "code;name;Lowest Price;Highest Price", "1;Gasa;1.234;2.345")
    said = complaint(consumo("import", "products", file))
    assert said == (
        "Which column is “Price”? Several are possible. Give --map price=“Lowest Price” or --map price=“Highest Price”."
    )
    said = complaint(consumo("import", "products", file, "--price", "Lowest Price"))
    assert said == (
        "Which decimal separator? “1.234” can be read in two ways. Give --decimal comma, as its content suggests; or "
        "--decimal point or --decimal comma."
    )
    taken = consumo("import", "products", file, "--map", "price=Lowest Price", "--decimal", "comma")
    assert taken.exit_code == 0
    assert "“Price” comes from the column “Lowest Price”, as chosen." in taken.stderr
    assert "The decimal separator is a comma, as chosen." in taken.stderr
    assert "1,1,Gasa,1234.00" in consumo("export", "products").stdout

    dates = written(tmp_path, "nhc;nombre;apellido;nacimiento", "1;Ana;Gil;03/04/1980")
    said = complaint(consumo("import", "patients", dates))
    assert said.endswith("Give --dates day-first or --dates month-first.")
    assert consumo("import", "patients", dates, "--dates", "day-first").exit_code == 0

    bare = written(tmp_path, "9;Gasa;1.50")
    said = complaint(consumo("import", "products", bare))
    assert "--header-row 0" in said
    assert "--map code=“A”" in said
    columns = ["--header-row", "0", "--code", "A", "--name", "B", "--price", "C"]
    assert consumo("import", "products", bare, *columns).exit_code == 0


def test_unknown_options_of_an_import_are_reported(consumo: Consumo, administrator: None, tmp_path: Path) -> None:
    file = written(tmp_path, "code;name;price", "1;Gasa;1.50")
    assert complaint(consumo("import", "products", file, "--price", "Preis")).startswith("There is no column “Preis”.")
    assert complaint(consumo("import", "products", file, "--sheet", "2")).startswith("There is no sheet “2”.")
    unknown = consumo("import", "products", file, "--map", "colour=name")
    assert (unknown.exit_code, "there is no field “colour”" in " ".join(unknown.stderr.split())) == (2, True)
    assert consumo("import", "products", file, "--decimal", "dot").exit_code == 2


def test_a_dry_run_prints_every_row_and_stores_nothing(consumo: Consumo, administrator: None, tmp_path: Path) -> None:
    file = written(tmp_path, "code;name;price", "1;Gasa;1.50", "2;Venda;x")
    tried = consumo("import", "products", file, "--dry-run")
    assert tried.exit_code == 1
    rows = list(csv.DictReader(io.StringIO(tried.stdout)))
    assert [(row["line"], row["outcome"], row["row"], row["why"]) for row in rows] == [
        ("2", "created", "1 · Gasa · 1.50", ""),
        ("3", "refused", "2 · Venda", "Enter a number in “Price”: “x” isn’t a number."),
    ]
    assert "A dry run: nothing was kept." in tried.stderr
    assert len(consumo("export", "products").stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("rows", "options", "status"),
    [
        (["1;Gasa;1.50"], [], 0),
        (["1;Gasa;0.375"], [], 1),
        (["1;Gasa;0.375"], ["--accept-warnings"], 0),
        (["1;Gasa;0.375", "2;Venda;2.00"], ["--leave-out", "2"], 0),
        (["1;Gasa;x", "2;Venda;2.00"], [], 1),
        (["1;Gasa;x", "2;Venda;2.00"], ["--good-rows"], 1),
        (["1;Gasa;x", "2;Venda;2.00"], ["--good-rows", "--leave-out", "2"], 0),
        (["1;Gasa;x", "2;Venda;0.375"], ["--good-rows"], 1),
    ],
)
def test_a_dry_run_has_the_exit_code_of_the_import(
    consumo: Consumo, administrator: None, tmp_path: Path, rows: list[str], options: list[str], status: int
) -> None:
    file = written(tmp_path, "code;name;price", *rows)
    tried = consumo("import", "products", file, *options, "--dry-run")
    done = consumo("import", "products", file, *options)
    assert (tried.exit_code, done.exit_code) == (status, status)
    assert ("The import would keep nothing as it is." in tried.stderr) is ("Nothing was kept." in done.stderr)


def test_refused_rows_are_written_corrected_and_imported(consumo: Consumo, administrator: None, tmp_path: Path) -> None:
    file = written(tmp_path, "code;name;price", "1;Gasa;1.50", "2;=Venda;2", "'-3;Tul, fino;x")
    refused = tmp_path / "refused.csv"
    done = consumo("import", "products", file, "--good-rows", "--refused", str(refused))
    assert (done.exit_code, f"The refused rows are in {refused}." in done.stderr) == (1, True)
    text = refused.read_text("utf-8-sig")
    assert text.splitlines() == [
        "code,name,price,Reasons for refusal",
        "2,'=Venda,2,Enter the value in “Name”: “=Venda” is a formula.",
        '\'-3,"Tul, fino",x,Enter a number in “Price”: “x” isn’t a number.',
    ]
    refused.write_text(text.replace("'=Venda", "Venda").replace(",x,", ",3,"), "utf-8-sig")
    assert consumo("import", "products", str(refused)).exit_code == 0
    names = [row["name"] for row in csv.DictReader(io.StringIO(consumo("export", "products").stdout))]
    assert sorted(names) == ["Gasa", "Tul, fino", "Venda"]


def test_a_refused_row_keeps_extra_cells_when_repeated(consumo: Consumo, administrator: None, tmp_path: Path) -> None:
    file, refused = (
        written(tmp_path, "code;name;price", "2;Tul;1", "3;Venda;2", "1;Gasa; 10 cm;1.50"),
        tmp_path / "refused.csv",
    )
    for _ in range(2):
        assert consumo("import", "products", file, "--good-rows", "--refused", str(refused)).exit_code == 1
        (header, row) = csv.reader(io.StringIO(refused.read_text("utf-8-sig")))
        assert (header, row[:3], row[4:]) == (
            ["code", "name", "price", "Reasons for refusal"],
            ["1", "Gasa", " 10 cm"],
            ["1.50"],
        )
        file = str(refused)


def test_imports_are_listed_and_undone(consumo: Consumo, administrator: None, tmp_path: Path) -> None:
    assert consumo("import", "areas", written(tmp_path, "área", "Pediatría", "UCI")).exit_code == 0
    (listed,) = csv.DictReader(io.StringIO(consumo("import", "list").stdout))
    assert (listed["noun"], listed["created"], listed["user"]) == ("areas", "2", "admin@ward.test")
    undone = consumo("import", "undo", listed["id"])
    assert (undone.exit_code, undone.stderr.strip()) == (0, "Undone: 2 created, 0 changed.")
    assert complaint(consumo("import", "undo", listed["id"])) == "This import was already undone."
    (listed,) = csv.DictReader(io.StringIO(consumo("import", "list").stdout))
    assert listed["undone_at"]


def test_contingency_forms_are_printed_in_advance(consumo: Consumo, administrator: None, tmp_path: Path) -> None:
    (tmp_path / "areas.csv").write_text("área\nUCI Norte\nQuirófano\n")
    assert consumo("import", "areas", str(tmp_path / "areas.csv")).exit_code == 0
    printed = consumo("print-forms", "--area", "uci norte", "--folder", str(tmp_path), "--blank", "3")
    assert printed.exit_code == 0, printed.output
    [file] = tmp_path.glob("*.pdf")
    assert file.name.endswith("UCI-Norte.pdf")
    assert len(PdfReader(file).pages) == 3
    [form] = tmp_path.glob("*.pdf")
    assert form.stat().st_mode & 0o777 == 0o600
    victim, planted = tmp_path / "victim", tmp_path / f"{form.name}.part"
    victim.write_text("safe")
    planted.symlink_to(victim)
    assert consumo("print-forms", "--area", "uci norte", "--folder", str(tmp_path)).exit_code == 0
    assert victim.read_text() == "safe"
    refused = consumo("print-forms", "--area", "Cocina", "--folder", str(tmp_path))
    assert complaint(refused) == "There is no area “Cocina”."


def test_a_file_that_is_no_table_is_reported_with_a_sentence(
    consumo: Consumo, administrator: None, tmp_path: Path
) -> None:
    file = tmp_path / "prices.csv"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    said = complaint(consumo("import", "products", str(file)))
    assert said == "This can’t be read as a table (PNG). Save it as XLSX, ODS or CSV."


@pytest.mark.parametrize("command", [["import", "products", "gone.csv", *COLUMNS], ["import", "consumption", "gone"]])
def test_a_missing_file_is_reported_with_a_sentence(consumo: Consumo, command: list[str]) -> None:
    consumo("create-user", "admin@ward.test", "--password-stdin", given=PASSWORD)
    assert complaint(consumo(*command)).endswith("No such file or directory.")


def test_an_import_with_refused_rows_exits_with_1(program: Program, administrator: None, tmp_path: Path) -> None:
    (tmp_path / "catalogue.csv").write_text(CATALOGUE)
    refused = program("import", "products", "catalogue.csv", *COLUMNS, "--good-rows")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "line 3: Enter a number in “Price”: “x” isn’t a number." in refused.stderr
    written = program("export", "products")
    assert (written.returncode, len(written.stdout.splitlines())) == (0, 3)


def test_a_closed_pipe_ends_an_export_quietly(consumo: Consumo, sqlite_url: str, tmp_path: Path) -> None:
    """As with ``consumo export products | head -1``; the pipe is overfilled."""
    rows = "".join(f"{number},Gasa {'x' * 150},1\n" for number in range(1_000))
    (tmp_path / "catalogue.csv").write_text(f"code,name,price\n{rows}")
    consumo("create-user", "admin@ward.test", "--password-stdin", given=PASSWORD)
    assert consumo("import", "products", str(tmp_path / "catalogue.csv"), *COLUMNS).exit_code == 0
    with subprocess.Popen(
        [CONSUMO, "export", "products"], env=environment(sqlite_url), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as export:
        assert export.stdout is not None
        assert export.stderr is not None
        assert b"code,name,price" in export.stdout.readline()
        export.stdout.close()
        assert b"Traceback" not in export.stderr.read()


def test_inconsistencies_are_reported_by_check(consumo: Consumo, sqlite_url: str) -> None:
    assert consumo("demo", DATABASE_URL=sqlite_url).exit_code == 0
    said = consumo("check", DATABASE_URL=sqlite_url)
    assert "All accounts add up." in said.output
    assert "Warning" not in said.output
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as database, database:
        database.execute("UPDATE consumption_sheets SET total = total + 1 WHERE id = 1")
    said = consumo("check", DATABASE_URL=sqlite_url)
    assert said.exit_code == 1
    assert "Sheet 1 says " in said.output
    # The total differs from the frozen closing, too.
    assert "2 things do not add up." in said.output


def test_check_warns_of_a_lot_read_from_a_wristband(consumo: Consumo, sqlite_url: str) -> None:
    assert consumo("demo", DATABASE_URL=sqlite_url).exit_code == 0
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as database, database:
        database.execute("UPDATE patients SET record_number = '1042331', record_key = '1042331' WHERE id = 1")
        database.execute("UPDATE consumption_details SET lot = '42331' WHERE id = 1")
    said = consumo("check", DATABASE_URL=sqlite_url)
    assert said.exit_code == 0
    assert "Warning: the lot of line 1 on sheet " in said.output
    assert "42331" not in said.output


def test_created_files_are_private_to_their_owner(program: Program, consumo: Consumo, tmp_path: Path) -> None:
    """They hold patients' data; an older version created them world-readable."""
    database = tmp_path / "of-our-own.db"
    url = f"sqlite:///{database}"
    assert program("migrate", DATABASE_URL=url).returncode == 0
    made = [database, tmp_path / "products.csv", tmp_path / "backup.zip"]
    assert consumo("demo", DATABASE_URL=url).exit_code == 0
    assert program("export", "products", "--output", str(made[1]), DATABASE_URL=url).returncode == 0
    assert program("backup", str(made[2]), DATABASE_URL=url).returncode == 0
    assert [oct(file.stat().st_mode & 0o777) for file in made] == ["0o600"] * 3
    database.chmod(0o644)
    assert consumo("migrate", DATABASE_URL=url).exit_code == 0
    assert oct(database.stat().st_mode & 0o777) == "0o640"


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        ([], "Give one of FILE"),
        (["--mllp", "2575"], "--mllp 2575"),
        (["--mllp", "127.0.0.1:0", "--tls-cert", __file__], "go together"),
        (["--mllp", "127.0.0.1:0", "--allow", "everybody"], "--allow everybody"),
        (["--mllp", "127.0.0.1:0", "--tls-cert", __file__, "--tls-key", __file__], "cannot be used"),
    ],
)
def test_invalid_options_of_receive_are_reported(consumo: Consumo, arguments: list[str], reported: str) -> None:
    result = consumo("receive", *arguments)
    assert result.exit_code != 0
    assert reported in sentence(result.stderr)


@pytest.mark.parametrize(
    "command",
    [
        "backup FILE",
        "restore FILE",
        "export areas --output FILE",
        "import areas FILE",
        "import areas areas.csv --refused FILE",
        "receive FILE",
    ],
)
def test_no_command_uses_the_database_files_as_input_or_output(
    consumo: Consumo, sqlite_url: str, tmp_path: Path, command: str
) -> None:
    database = Path(sqlite_url.removeprefix("sqlite:///"))
    link = tmp_path / "link"
    link.symlink_to(database)
    beside = [database.with_name(database.name + suffix) for suffix in ("-wal", "-shm", "-journal")]
    for file in beside:
        file.touch()
    before = database.read_bytes()
    for file in (database, link, *beside):
        result = consumo(*(str(file) if word == "FILE" else word for word in command.split()))
        # The terminal wraps the message.
        assert "belongstothedatabase" in re.sub(r"[│\s]", "", result.stderr), result.stderr
        assert result.exit_code == 1
    assert database.read_bytes() == before
