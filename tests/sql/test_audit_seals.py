"""The audit log is sealed, and whatever was done to it afterwards is found."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, Engine, String, Text, create_engine, select, text

from adapters.sql import audit_seals
from adapters.sql.audit_seals import Tampering, WritesInProgress, seal, verify
from adapters.sql.connections import to_url
from adapters.sql.store import SqlStore
from adapters.sql.tables import audit
from adapters.sql.tables import audit_seals as table_of_seals
from application.session.sign_in import Credentials
from domain.errors import InvalidCredentials
from domain.sheet import CLOCK_DRIFT
from tests.builders import NOON, ZONE, Ward, a_ward
from tests.servers import EMPTY

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


@dataclass(frozen=True)
class Log:
    """A ward whose log is sealed, and a way around it."""

    url: str
    ward: Ward
    engine: Engine

    def alter(self, statement: str, **values: object) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), values)

    def ids(self) -> list[int]:
        with self.engine.connect() as connection:
            return list(connection.execute(text("SELECT id FROM audit_trail ORDER BY id")).scalars())


@pytest.fixture(params=KINDS)
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    url = request.getfixturevalue(EMPTY[request.param])
    store = SqlStore(url, ZONE)
    ward = a_ward(store)
    ward.detail(ward.sheet()["id"])
    engine = create_engine(to_url(url))
    seal(url, NOON)
    ward.detail(ward.sheet()["id"])
    seal(url, NOON + timedelta(minutes=1))
    yield Log(url, ward, engine)
    engine.dispose()
    store.close()


def test_what_nobody_touched_is_as_it_was_sealed(log: Log) -> None:
    log.ward.detail(log.ward.sheet()["id"])
    found = verify(log.url)
    assert (found.tamperings, found.seals, found.unsealed) == ([], 2, 2)
    assert found.entries + found.unsealed == len(log.ids())
    assert len(seal(log.url, NOON)) == 1
    assert (verify(log.url).unsealed, seal(log.url, NOON)) == (0, [])


def test_failures_that_are_counted_after_a_seal_change_no_entry(log: Log) -> None:
    def fail(times: int) -> None:
        for number in range(times):
            with pytest.raises(InvalidCredentials):
                log.ward.use_cases.sign_in(Credentials(email=f"{times}-{number}@x.test", password="x"), "192.0.2.1")

    fail(19)
    seal(log.url, NOON)
    before = len(log.ids())
    fail(21)
    assert len(log.ids()) == before + 2
    assert verify(log.url).tamperings == []


def test_the_newest_form_of_a_digest_covers_every_column_of_the_log() -> None:
    assert list(audit_seals._COLUMNS_OF_FORM[audit_seals.NEWEST_FORM]) == audit.c.keys()


@pytest.mark.parametrize("column", [column for column in audit.c if column.name != "id"], ids=lambda one: one.name)
def test_an_entry_that_was_changed_is_found(log: Log, column: Column[Any]) -> None:
    """Whichever column of the table it is."""
    values = {BigInteger: 999, Text: "{}", String: "area"}
    value = values.get(type(column.type), "2026-01-01 00:00:00")
    for changed in (log.ids()[-1], log.ids()[-3]):
        log.alter(f"UPDATE audit_trail SET {column.name} = :value WHERE id = :id", value=value, id=changed)  # noqa: S608
    assert set(verify(log.url).tamperings) == {
        Tampering("changed", "entry", changed) for changed in (log.ids()[-1], log.ids()[-3])
    }


@pytest.mark.parametrize("column", ["user_id", "patient_id", "sheet_id", "api_key_id"])
def test_what_was_taken_off_an_entry_is_found(log: Log, column: str) -> None:
    log.alter(f"UPDATE audit_trail SET {column} = 7 WHERE id = :id", id=log.ids()[0])  # noqa: S608
    log.alter("DELETE FROM audit_seals")
    seal(log.url, NOON)
    log.alter(f"UPDATE audit_trail SET {column} = NULL WHERE id = :id", id=log.ids()[0])  # noqa: S608
    assert verify(log.url).tamperings == [Tampering("changed", "entry", log.ids()[0])]


def test_a_look_at_a_patient_that_was_hidden_is_found(log: Log) -> None:
    log.ward.use_cases.sheets.one(log.ward.nurse, 1)
    seal(log.url, NOON)
    assert verify(log.url).tamperings == []
    looked = log.ids()[-1]
    log.alter("UPDATE audit_trail SET patient_id = NULL WHERE id = :id", id=looked)
    assert verify(log.url).tamperings == [Tampering("changed", "entry", looked)]


def test_entries_from_before_patients_were_told_keep_the_digest_that_they_had(log: Log) -> None:
    with log.engine.connect() as connection:
        entry = connection.execute(select(audit).where(audit.c.action == "area.created")).one()
    told = [
        *(entry.id, entry.at.astimezone(UTC).isoformat(), entry.user_id, entry.action, entry.entity, entry.entity_id),
        *(entry.changes, None, None),
    ]
    before = hashlib.sha256(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()).digest()
    assert audit_seals._digest(entry, 1) == before


def test_seals_of_the_version_before_are_verified_and_the_next_one_is_of_the_newest_form(log: Log) -> None:
    """It covered neither keys nor moments, and knew no forms."""
    log.alter("DELETE FROM audit_seals")
    last_id = log.ids()[0]
    with log.engine.connect() as connection:
        entry = connection.execute(select(audit).where(audit.c.id == last_id)).one()
    told = [
        *(entry.id, entry.at.astimezone(UTC).isoformat(), entry.user_id, entry.action, entry.entity, entry.entity_id),
        *(entry.changes, entry.sheet_id, entry.import_id, *([entry.patient_id] if entry.patient_id else [])),
    ]
    fingerprint = hashlib.sha256(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()).digest()[:8]
    fingerprints = Struct(">q8s").pack(last_id, fingerprint)
    sealed_at = NOON - timedelta(days=1)
    head = f"{last_id} {sealed_at.astimezone(UTC).isoformat()} ".encode()
    digest = hashlib.sha256(bytes(32) + head + fingerprints).hexdigest()
    old = {"id": 1, "last_entry_id": last_id, "sealed_at": sealed_at, "fingerprints": fingerprints, "digest": digest}
    with log.engine.begin() as connection:
        connection.execute(table_of_seals.insert(), old)
    assert verify(log.url, (1, digest)).tamperings == []
    assert [one.number for one in seal(log.url, NOON)] == [2]
    assert verify(log.url, (1, digest)).tamperings == []
    with log.engine.connect() as connection:
        forms = list(connection.execute(select(table_of_seals.c.form).order_by(table_of_seals.c.id)).scalars())
    assert forms == [1, audit_seals.NEWEST_FORM]


@pytest.mark.parametrize("form", [1, 99])
def test_a_seal_whose_form_was_altered_is_found(log: Log, form: int) -> None:
    log.alter("UPDATE audit_seals SET form = :form WHERE id = 2", form=form)
    assert Tampering("altered", "seal", 2) in verify(log.url).tamperings


def test_an_entry_that_was_removed_is_found(log: Log) -> None:
    first, last = log.ids()[0], log.ids()[-1]
    log.alter("DELETE FROM audit_trail WHERE id IN (:first, :last)", first=first, last=last)
    assert verify(log.url).tamperings == [
        Tampering("removed", "entry", first),
        Tampering("removed", "entry", last),
    ]


def test_an_entry_that_was_slipped_in_is_found(log: Log) -> None:
    """Under a number that a request which failed had left free."""
    unused = log.ids()[0]
    log.alter("DELETE FROM audit_seals")
    log.alter("DELETE FROM audit_trail WHERE id = :id", id=unused)
    seal(log.url, NOON)
    log.alter(
        "INSERT INTO audit_trail (id, at, action, entity, entity_id, changes) "
        "VALUES (:id, '2026-01-01 00:00:00', 'area.created', 'area', 1, '{}')",
        id=unused,
    )
    assert verify(log.url).tamperings == [Tampering("added", "entry", unused)]


INSERT = (
    "INSERT INTO audit_trail (id, at, action, entity, entity_id, changes) "
    "VALUES (:id, :at, 'area.created', 'area', 1, '{}')"
)


@pytest.mark.parametrize("entry_id", [0, -1, -(2**40)])
def test_an_entry_with_an_id_that_no_database_gives_is_found(log: Log, entry_id: int) -> None:
    log.alter(INSERT, id=entry_id, at=_written(NOON))
    for _ in range(2):
        assert verify(log.url).tamperings == [Tampering("added", "entry", entry_id)]
        seal_again(log)


def test_an_entry_of_a_day_long_past_behind_the_last_seal_is_found(log: Log) -> None:
    slipped_in = log.ids()[-1] + 1
    log.alter(INSERT, id=slipped_in, at=_written(NOON - timedelta(days=30)))
    assert Tampering("misdated", "entry", slipped_in) in verify(log.url).tamperings
    if log.engine.dialect.name == "postgresql":
        log.alter("SELECT setval('audit_trail_id_seq', :id)", id=slipped_in)
    seal(log.url, NOON)
    assert verify(log.url).tamperings == [Tampering("misdated", "entry", slipped_in)]


def test_an_entry_that_is_newer_than_its_seal_is_found(log: Log) -> None:
    seal_again(log)
    log.ward.detail(log.ward.sheet()["id"])
    at_the_edge, behind_it = log.ids()[-2:]
    log.alter("UPDATE audit_trail SET at = :at WHERE id = :id", at=_written(NOON + CLOCK_DRIFT), id=at_the_edge)
    log.alter("UPDATE audit_trail SET at = :at WHERE id = :id", at=_written(NOON + timedelta(hours=1)), id=behind_it)
    seal(log.url, NOON)
    assert verify(log.url).tamperings == [Tampering("misdated", "entry", behind_it)]


def test_entries_of_clocks_that_differ_a_little_are_as_they_were_sealed(log: Log) -> None:
    """And those that an import reckoned minutes before it wrote them."""
    log.ward.detail(log.ward.sheet()["id"])
    for entry_id, at in zip(log.ids()[-2:], (NOON - timedelta(minutes=13), NOON + timedelta(minutes=3)), strict=True):
        log.alter("UPDATE audit_trail SET at = :at WHERE id = :id", at=_written(at), id=entry_id)
    assert verify(log.url).tamperings == []
    seal(log.url, NOON)
    assert verify(log.url).tamperings == []


def test_entries_that_several_seals_of_one_run_close_may_be_older_than_the_first_of_these(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_seals, "MAX_ENTRIES", 2)
    log.alter("DELETE FROM audit_seals")
    assert len(seal(log.url, NOON + timedelta(days=400))) > 2
    assert verify(log.url).tamperings == []


@pytest.mark.postgresql
@pytest.mark.parametrize("log", ["postgresql"], indirect=True)
def test_gaps_that_the_database_makes_are_no_entries_that_were_removed(log: Log) -> None:
    with log.engine.connect() as connection:
        connection.execute(text(INSERT.replace(":id", "DEFAULT")), {"at": _written(NOON)})
        connection.rollback()
    seal_again(log)
    assert log.ids()[-1] > len(log.ids())
    assert verify(log.url).tamperings == []


@pytest.mark.postgresql
@pytest.mark.parametrize("log", ["postgresql"], indirect=True)
def test_an_entry_with_an_id_that_was_not_given_yet_is_found(log: Log) -> None:
    log.alter(INSERT, id=2**40, at=_written(NOON))
    seal_again(log)
    assert verify(log.url).tamperings == [Tampering("added", "entry", 2**40)]


@pytest.mark.parametrize("kept", [(), ("audit_seals",)])
def test_a_log_that_was_emptied_is_found(log: Log, kept: tuple[str, ...]) -> None:
    for table in {"audit_trail", "audit_seals"} - set(kept):
        log.alter(f"DELETE FROM {table}")  # noqa: S608
    assert verify(log.url).emptied


@pytest.mark.parametrize("kind", KINDS)
def test_the_log_of_a_database_that_was_never_used_may_be_empty(kind: str, request: pytest.FixtureRequest) -> None:
    assert not verify(request.getfixturevalue(EMPTY[kind])).emptied


def _written(moment: datetime) -> str:
    """A moment as both databases keep it."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"


def test_a_seal_that_was_altered_or_removed_is_found(log: Log) -> None:
    (last,) = seal_again(log)
    log.alter("UPDATE audit_seals SET digest = :digest WHERE id = 1", digest="0" * 64)
    assert {(one.kind, one.number) for one in verify(log.url).tamperings} == {("altered", 1), ("altered", 2)}
    log.alter("DELETE FROM audit_seals WHERE id = 1")
    assert ("altered", "seal", 1) in {(one.kind, one.what, one.number) for one in verify(log.url).tamperings}
    assert last.number == 3


def seal_again(log: Log) -> list[audit_seals.Seal]:
    log.ward.detail(log.ward.sheet()["id"])
    return seal(log.url, NOON)


def test_who_makes_the_whole_chain_anew_is_found_by_a_seal_that_was_written_down_elsewhere(log: Log) -> None:
    (last,) = seal_again(log)
    assert verify(log.url, (last.number, last.digest)).tamperings == []
    log.alter("UPDATE audit_trail SET user_id = 999 WHERE id = :id", id=log.ids()[0])
    log.alter("DELETE FROM audit_seals")
    seal(log.url, NOON)
    assert verify(log.url).tamperings == []
    assert verify(log.url, (last.number, last.digest)).tamperings == [Tampering("missing", "seal", last.number)]


def test_a_seal_closes_so_many_entries_and_the_next_one_the_rest(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_seals, "MAX_ENTRIES", 2)
    log.alter("DELETE FROM audit_seals")
    made = seal(log.url, NOON)
    assert sum(one.entries for one in made) == len(log.ids())
    assert {one.entries for one in made[:-1]} == {2}
    assert verify(log.url).tamperings == []


@pytest.mark.postgresql
def test_entries_that_are_not_committed_yet_are_waited_for(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such an entry has its number already: sealed around, it would look slipped in."""
    store = SqlStore(postgresql_url, ZONE)
    ward = a_ward(store)
    sheet_id = ward.sheet()["id"]
    engine = create_engine(to_url(postgresql_url))
    slow = engine.connect()
    slow.execute(
        text(
            "INSERT INTO audit_trail (at, action, entity, entity_id, changes) "
            "VALUES (now(), 'area.created', 'area', 1, '{}')"
        )
    )
    ward.detail(sheet_id)

    def commit(_: float) -> None:
        slow.commit()

    made = seal(postgresql_url, NOON, pause=commit)
    assert verify(postgresql_url).tamperings == []
    assert verify(postgresql_url).unsealed == 0
    assert len(made) == 1
    slow.execute(text("UPDATE audit_trail SET entity_id = 1 WHERE 1 = 0"))
    monkeypatch.setattr(audit_seals, "_WAIT_SECONDS", 0)
    with pytest.raises(WritesInProgress):
        seal(postgresql_url, NOON)
    slow.close()
    engine.dispose()
    store.close()
