"""Commands for several hospitals: create one, run for one or all, serve."""

import errno
import json
import os
import re
import signal
import socket
import stat
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from unittest.mock import Mock

import httpx
import psycopg
import pytest
from click.testing import CliRunner, Result
from psycopg import sql
from sqlalchemy import create_engine, literal_column, make_url, select, table, text

from adapters.cli.main import main
from adapters.hl7.mllp import END, framed
from adapters.sql.hospital_schemas import ROLE_PREFIX
from adapters.sql.network_views import OWNER, READER
from adapters.sql.store import SqlStore
from domain.common.day import day_of
from tests.builders import ZONE, SettableClock, a_ward
from tests.hl7.messages import adt
from tests.pace import PATIENCE
from tests.servers import CONSUMO, environment, serving

Consumo = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "hospitals.toml"


@pytest.fixture
def consumo(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Consumo:
    """Run the command with a list of hospitals."""
    monkeypatch.chdir(tmp_path)
    ours = {**environment("", CONSUMO_HOSPITALS=str(file)), "CONSUMO_HOSPITAL": None}
    others = {name: None for name in os.environ if name not in ours}
    return lambda *arguments, given=None: CliRunner().invoke(main, arguments, input=given, env={**others, **ours})


def create(consumo: Consumo, name: str, *more: str) -> None:
    made = consumo("create-hospital", name, "--public-url", f"https://{name}.consumo.test", *more)
    assert made.exit_code == 0, made.output


def error_of(result: Result) -> str:
    assert result.exit_code != 0
    framed = result.stderr[result.stderr.index("╭─ Error") :]
    return " ".join(framed.translate(dict.fromkeys(map(ord, "╭╮╰╯│─"))).split())


def test_a_hospital_is_created_with_its_own_database(consumo: Consumo, file: Path, tmp_path: Path) -> None:
    create(consumo, "norte")
    create(consumo, "sur")
    tables = tomllib.loads(file.read_text())
    assert tables == {
        name: {
            "public_url": f"https://{name}.consumo.test",
            "database_url": f"sqlite:///{tmp_path / 'var' / name / 'consumo.db'}",
        }
        for name in ("norte", "sur")
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    password = "una clave muy larga 42"
    made = consumo("--hospital", "sur", "create-user", "jefa@sur.test", "--password-stdin", given=password)
    assert made.exit_code == 0, made.output
    for name, users in (("norte", 0), ("sur", 1)):
        engine = create_engine(tables[name]["database_url"])
        with engine.connect() as connection:
            assert connection.scalar(text("SELECT count(*) FROM users WHERE password_hash IS NOT NULL")) == users
        engine.dispose()


def test_comments_and_rights_of_the_list_stay(consumo: Consumo, file: Path) -> None:
    file.write_text('# Ours.\n[norte]\npublic_url = "https://norte.consumo.test"\n')
    file.chmod(0o640)
    create(consumo, "sur")
    assert file.read_text().startswith("# Ours.\n[norte]\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["Norte", "--public-url", "https://a.test"], "“Norte” is no name for a hospital"),
        (["este", "--public-url", "este.test"], "--public-url este.test: give an address such as"),
        (["norte", "--public-url", "https://a.test"], "lists norte already"),
        (["este", "--public-url", "https://norte.consumo.test"], "norte is reached at norte.consumo.test already"),
        (["este", "--public-url", "https://a.test", "--database-url", "sqlite:///x.db"], "give a PostgreSQL database"),
        (
            ["este", "--public-url", "https://a.test", "--database-url", "postgresql://h@127.0.0.1:1/x"],
            "--database-url: the database cannot be used",
        ),
    ],
)
def test_a_mistake_changes_no_list(consumo: Consumo, file: Path, arguments: list[str], reported: str) -> None:
    create(consumo, "norte")
    before = file.read_text()
    assert reported in error_of(consumo("create-hospital", *arguments))
    assert file.read_text() == before


def test_a_list_in_a_folder_of_another_user_is_named(
    consumo: Consumo, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = Mock(side_effect=PermissionError(errno.EACCES, "Permission denied"))
    monkeypatch.setattr("adapters.cli.hospital_commands.write_file", refusal)
    refused = error_of(consumo("create-hospital", "norte", "--public-url", "https://a.test"))
    assert "Permission denied. This user must be able to write in its folder." in refused


PASSWORD = "word-of-the-administrator"


@pytest.mark.parametrize(
    "url", [f"postgresql://admin:{PASSWORD}@127.0.0.1:1/x", f"postgresql://admin@127.0.0.1:1/x?password={PASSWORD}"]
)
def test_a_database_password_is_no_argument(consumo: Consumo, file: Path, url: str) -> None:
    create(consumo, "norte")
    for command in (["create-hospital", "este", "--public-url", "https://a.test"], ["network-views"]):
        refused = consumo(*command, "--database-url", url)
        assert "leave the password out" in error_of(refused)
        assert "--password-stdin, in PGPASSWORD or in ~/.pgpass" in error_of(refused)
        assert PASSWORD not in refused.output
    assert "[este]" not in file.read_text()


@pytest.mark.postgresql
def test_a_database_password_is_read_from_standard_input(
    consumo: Consumo, file: Path, blank_postgresql_url: str, new_database_name: Callable[[], str], roles: list[str]
) -> None:
    name = f"p_{new_database_name()}"[:30]
    roles.append(f"{ROLE_PREFIX}{name}")
    url = make_url(blank_postgresql_url)
    given = [name, "--public-url", "https://p.test", "--password-stdin", "--database-url"]
    assert "goes with --database-url" in error_of(consumo("create-hospital", *given[:-1], given="x"))
    made = consumo(
        "create-hospital", *given, url.set(password=None).render_as_string(), given=url.password or "not-asked-for"
    )
    assert made.exit_code == 0, made.output
    assert "not-asked-for" not in file.read_text()


def test_several_hospitals_need_a_choice(consumo: Consumo) -> None:
    create(consumo, "norte")
    create(consumo, "sur")
    assert "Say for which hospital" in error_of(consumo("check"))
    assert "there is no hospital “este”" in error_of(consumo("--hospital", "este", "check"))
    assert "give one of them, not both" in error_of(consumo("--hospital", "sur", "--all", "check"))
    assert "--all goes with audit, backup, check, doctor or migrate" in error_of(consumo("--all", "demo"))
    assert "put {hospital} into FILE" in error_of(consumo("--all", "backup", "both.backup"))


def test_all_runs_for_each_hospital_despite_a_failure(consumo: Consumo, file: Path, tmp_path: Path) -> None:
    for name in ("norte", "sur", "este"):
        create(consumo, name)
    assert consumo("--all", "migrate").exit_code == 0
    assert consumo("--all", "backup", "{hospital}.backup").exit_code == 0
    assert sorted(path.name for path in tmp_path.glob("*.backup")) == ["este.backup", "norte.backup", "sur.backup"]
    (tmp_path / "var" / "norte" / "consumo.db").write_bytes(b"this is no database" * 100)
    checked = consumo("--all", "check")
    assert checked.exit_code == 1
    headings = [line for line in checked.stderr.splitlines() if line in ("norte:", "sur:", "este:")]
    assert headings == ["norte:", "sur:", "este:"]
    assert checked.stderr.count("Error: ") == 1
    assert consumo("--all", "audit", "seal").exit_code == 1


def test_a_bug_at_one_hospital_stops_no_other(consumo: Consumo, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("norte", "sur", "este")
    file.write_text("".join(f'[{name}]\npublic_url = "https://{name}.consumo.test"\n' for name in names))
    migrated: list[str] = []
    broken = {"sur"}

    def migrate(database_url: str) -> None:
        name = Path(make_url(database_url).database or "").parent.name
        if name in broken:
            raise RuntimeError("a defect of this hospital's tables")
        migrated.append(name)

    monkeypatch.setattr("adapters.cli.database_commands.migrate", migrate)
    failed = consumo("--all", "migrate")
    assert (failed.exit_code, migrated) == (1, ["norte", "este"])
    assert "a defect of this hospital's tables" in failed.stderr
    assert failed.stderr.splitlines()[-1] == "Problems: sur."
    broken.clear()
    repaired = consumo("--all", "migrate")
    assert (repaired.exit_code, migrated) == (0, ["norte", "este", *names])
    assert "Problems" not in repaired.stderr


def test_all_without_a_list_runs_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The units of a service are the same for one hospital and for several."""
    monkeypatch.chdir(tmp_path)
    ours = environment(f"sqlite:///{tmp_path / 'one.db'}")
    others = {name: None for name in os.environ if name not in ours}
    for arguments in (["migrate"], ["backup", "{hospital}.backup"]):
        done = CliRunner().invoke(main, ["--all", *arguments], env={**others, **ours})
        assert done.exit_code == 0, done.output
    assert (tmp_path / "consumo.backup").exists()


def test_a_running_server_takes_up_a_new_hospital(consumo: Consumo, file: Path, tmp_path: Path) -> None:
    create(consumo, "norte")
    statuses: set[int] = set()
    with serving("", tmp_path, {"CONSUMO_HOSPITALS": str(file), "CONSUMO_METRICS_TOKEN": "x" * 32}) as server:

        def ask(host: str, path: str = "/api/settings", **headers: str) -> httpx.Response:
            return httpx.get(f"{server.address}{path}", headers={"Host": host, **headers}, trust_env=False)

        ending = threading.Event()

        def keep_asking() -> None:
            while not ending.wait(0.05):
                # A process that ends may close a connection unanswered, and clients try again.
                with suppress(httpx.TransportError):
                    statuses.add(ask("norte.consumo.test").status_code)

        asking = threading.Thread(target=keep_asking)
        asking.start()
        try:
            assert ask("sur.consumo.test").status_code == 421
            create(consumo, "sur")
            server.process.send_signal(signal.SIGHUP)
            # New and old processes answer side by side for a while.
            taken_up = 0
            while taken_up < 20:
                with suppress(httpx.TransportError):
                    taken_up = taken_up + 1 if ask("sur.consumo.test").status_code == 200 else 0
        finally:
            ending.set()
            asking.join()
        assert statuses == {200}
        for host in ("norte.consumo.test", "sur.consumo.test", "127.0.0.1"):
            assert ask(host, "/health/ready").json() == {"status": "ok"}
        metrics = ask("127.0.0.1", "/metrics", Authorization="Bearer " + "x" * 32).text
        assert 'hospital="norte",method="GET",route="/api/settings",status="200"' in metrics
        assert metrics.count("# TYPE consumo_requests_total counter") == 1
        # The processes of before may still be ending.
        workers = set(re.findall(r'worker="(\d+)"', metrics))
        assert metrics.count("process_resident_memory_bytes{") == len(workers)


def test_a_hospital_without_database_stops_no_other(consumo: Consumo, file: Path, tmp_path: Path) -> None:
    create(consumo, "norte")
    create(consumo, "sur")
    (tmp_path / "var" / "norte" / "consumo.db").write_bytes(b"this is no database" * 100)
    with serving("", tmp_path, {"CONSUMO_HOSPITALS": str(file), "CONSUMO_LOG_FORMAT": "json"}) as server:
        for host, status in (("norte.consumo.test", 503), ("sur.consumo.test", 200)):
            answer = httpx.get(f"{server.address}/health/ready", headers={"Host": host}, trust_env=False)
            assert answer.status_code == status
        answer = httpx.get(f"{server.address}/health/ready", trust_env=False)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        said = server.log.read_text()
    assert "norte cannot be used yet." in said
    assert {one.get("hospital") for one in events_of(said) if one["event"].startswith("The database")} == {"norte"}


def events_of(log: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


def test_receive_and_send_name_their_hospital(consumo: Consumo, file: Path, tmp_path: Path, port: int) -> None:
    create(consumo, "norte")
    store = SqlStore(tomllib.loads(file.read_text())["norte"]["database_url"], ZONE)
    ward = a_ward(store, charging=True, clock=SettableClock(datetime.now(UTC)))
    ward.detail(sheet := ward.sheet(admission_date=day_of(ward.clock.now, ZONE))["id"])
    ward.use_cases.sheets.close(ward.admin, sheet)
    store.close()
    settings = environment("", CONSUMO_HOSPITALS=str(file), CONSUMO_LOG_FORMAT="json")
    of_norte = [str(CONSUMO), "--hospital", "norte"]

    sent = subprocess.run(
        [*of_norte, "send", "--once", "--folder", str(tmp_path / "out")], env=settings, capture_output=True, text=True
    )
    assert sent.returncode == 0, sent.stderr
    assert [event["hospital"] for event in events_of(sent.stderr)] == ["norte"]

    receiver = subprocess.Popen(
        [*of_norte, "receive", "--mllp", "127.0.0.1:0", "--metrics", f"127.0.0.1:{port}"],
        env=settings,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert receiver.stderr
        address = "127.0.0.1", int(json.loads(receiver.stderr.readline())["event"].rpartition(":")[2])
        with socket.create_connection(address, timeout=PATIENCE) as line:
            for message in (adt("A01", location="Urgencias^101"), adt("A01", version="9")):
                line.sendall(framed(message.encode()))
                said = b""
                while not said.endswith(END):
                    said += line.recv(4096)
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
    finally:
        receiver.send_signal(signal.SIGTERM)
        _, log = receiver.communicate(timeout=PATIENCE)
    counted = [line for line in metrics.splitlines() if line.startswith("consumo_hl7")]
    assert len(counted) == 2
    assert all('hospital="norte"' in line for line in counted)
    assert {event["hospital"] for event in events_of(log)} == {"norte"}


@pytest.fixture
def roles(blank_postgresql_url: str) -> Iterator[list[str]]:
    """Names of roles that are dropped at the end: they belong to the cluster."""
    names: list[str] = []
    yield names
    libpq = make_url(blank_postgresql_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(libpq, autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("DROP OWNED BY {} CASCADE").format(sql.Identifier(name)))
            # Another run of the tests may have the roles of a network, too.
            with suppress(psycopg.errors.DependentObjectsStillExist):
                connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


@pytest.mark.postgresql
def test_a_hospital_gets_a_schema_and_a_role(
    consumo: Consumo, file: Path, blank_postgresql_url: str, new_database_name: Callable[[], str], roles: list[str]
) -> None:
    one, other = (f"{prefix}_{new_database_name()}"[:30] for prefix in ("n", "s"))
    for name in (one, other):
        create(consumo, name, "--database-url", blank_postgresql_url)
        roles.append(f"{ROLE_PREFIX}{name}")
    tables = tomllib.loads(file.read_text())
    with ExitStack() as open_engines:
        for name, foreign in ((one, other), (other, one)):
            engine = create_engine(make_url(tables[name]["database_url"]).set(drivername="postgresql+psycopg"))
            open_engines.callback(engine.dispose)
            with engine.connect() as connection:
                assert connection.scalar(text("SELECT current_schema()")) == name
                assert connection.scalar(text("SELECT count(*) FROM users")) is not None
                with pytest.raises(Exception, match="permission denied for schema"):
                    connection.execute(select(literal_column("*")).select_from(table("users", schema=foreign)))
            with engine.connect() as connection, pytest.raises(Exception, match="permission denied for schema public"):
                connection.execute(text("CREATE TABLE public.x (y integer)"))
    file.unlink()
    there = consumo("create-hospital", one, "--public-url", "https://x.test", "--database-url", blank_postgresql_url)
    assert f"The database has {ROLE_PREFIX}{one} already" in error_of(there)
    assert not file.exists()


@pytest.mark.postgresql
def test_a_database_of_a_single_hospital_is_refused(consumo: Consumo, file: Path, postgresql_url: str) -> None:
    refused = consumo("create-hospital", "norte", "--public-url", "https://x.test", "--database-url", postgresql_url)
    assert "in the schema public: give another database" in error_of(refused)
    assert not file.exists()


@pytest.mark.postgresql
def test_network_views_add_up_all_hospitals(
    consumo: Consumo, file: Path, blank_postgresql_url: str, new_database_name: Callable[[], str], roles: list[str]
) -> None:
    roles += [OWNER, READER]
    names = sorted(f"{prefix}_{new_database_name()}"[:30] for prefix in ("n", "s"))
    for name in names:
        create(consumo, name, "--database-url", blank_postgresql_url)
        roles.append(f"{ROLE_PREFIX}{name}")
    create(consumo, "elsewhere")
    expected = {}
    for name, quantity in zip(names, ("2", "0.5"), strict=True):
        store = SqlStore(tomllib.loads(file.read_text())[name]["database_url"], ZONE)
        ward = a_ward(store)
        expected[name] = Decimal(str(ward.detail(ward.sheet()["id"], quantity)["total"]))
        store.close()
    for _ in range(2):
        made = consumo("network-views", "--database-url", blank_postgresql_url)
        assert made.exit_code == 0, made.output
        assert made.stderr.splitlines() == [
            f"network: {', '.join(names)}.",
            "elsewhere is in another database, and left out.",
        ]
    libpq = make_url(blank_postgresql_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(libpq) as connection:
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(READER)))
        by_hospital = "SELECT hospital, sum(total) FROM network.details GROUP BY hospital"
        assert dict(connection.execute(by_hospital).fetchall()) == expected
        one = sql.SQL("EXPLAIN SELECT * FROM network.details WHERE hospital = {}").format(sql.Literal(names[0]))
        plan = str(connection.execute(one).fetchall())
        assert "SubPlan" not in plan
        assert "Append" not in plan
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(names[0], "analytics_details")))


def test_network_views_need_hospitals_of_that_database(consumo: Consumo, blank_postgresql_url: str) -> None:
    create(consumo, "norte")
    refused = consumo("network-views", "--database-url", "postgresql://h@127.0.0.1:1/x")
    assert "--database-url: the database cannot be used" in error_of(refused)
