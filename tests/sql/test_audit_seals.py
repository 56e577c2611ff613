"""Seals of the audit log, which reveal later changes to entries."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, Engine, String, Text, create_engine, select, text

from adapters.sql.audit import audit_seals, complete_entries
from adapters.sql.audit.audit_seals import Tampering, seal, verify
from adapters.sql.audit.complete_entries import WritesInProgress
from adapters.sql.audit.tables import audit
from adapters.sql.audit.tables import audit_seals as table_of_seals
from adapters.sql.engine.connections import to_url
from adapters.sql.store import SqlStore
from application.accounts.sign_in.sign_in import Credentials
from domain.common.errors import InvalidCredentials
from domain.sheets.sheet import CLOCK_DRIFT
from tests.builders import NOON, ZONE, Ward, a_ward
from tests.servers import EMPTY

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


@dataclass(frozen=True)
class Log:
    """A ward with a sealed log, and direct access to its tables."""

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


def test_an_untouched_log_has_no_tamperings(log: Log) -> None:
    log.ward.detail(log.ward.sheet()["id"])
    found = verify(log.url)
    assert (found.tamperings, found.seals, found.unsealed) == ([], 2, 2)
    assert found.entries + found.unsealed == len(log.ids())
    assert len(seal(log.url, NOON)) == 1
    assert (verify(log.url).unsealed, seal(log.url, NOON)) == (0, [])


def test_counting_failures_after_a_seal_changes_no_entry(log: Log) -> None:
    def fail(times: int) -> None:
        for number in range(times):
            with pytest.raises(InvalidCredentials):
                log.ward.use_cases.session.sign_in(
                    Credentials(email=f"{times}-{number}@x.test", password="x"), "192.0.2.1"
                )

    fail(19)
    seal(log.url, NOON)
    before = len(log.ids())
    fail(21)
    assert len(log.ids()) == before + 2
    assert verify(log.url).tamperings == []


def test_the_newest_digest_covers_every_column() -> None:
    assert list(audit_seals._COLUMNS_OF_FORM[audit_seals.NEWEST_FORM]) == audit.c.keys()


@pytest.mark.parametrize("column", [column for column in audit.c if column.name != "id"], ids=lambda one: one.name)
def test_a_changed_entry_is_found(log: Log, column: Column[Any]) -> None:
    """The column of the change does not matter."""
    values = {BigInteger: 999, Text: "{}", String: "area"}
    value = values.get(type(column.type), "2026-01-01 00:00:00")
    for changed in (log.ids()[-1], log.ids()[-3]):
        log.alter(f"UPDATE audit_trail SET {column.name} = :value WHERE id = :id", value=value, id=changed)  # noqa: S608
    assert set(verify(log.url).tamperings) == {
        Tampering("changed", "entry", changed) for changed in (log.ids()[-1], log.ids()[-3])
    }


@pytest.mark.parametrize("column", ["user_id", "patient_id", "sheet_id", "api_key_id"])
def test_a_value_removed_from_an_entry_is_found(log: Log, column: str) -> None:
    log.alter(f"UPDATE audit_trail SET {column} = 7 WHERE id = :id", id=log.ids()[0])  # noqa: S608
    log.alter("DELETE FROM audit_seals")
    seal(log.url, NOON)
    log.alter(f"UPDATE audit_trail SET {column} = NULL WHERE id = :id", id=log.ids()[0])  # noqa: S608
    assert verify(log.url).tamperings == [Tampering("changed", "entry", log.ids()[0])]


def test_hiding_a_read_of_a_patient_is_found(log: Log) -> None:
    log.ward.use_cases.sheets.reader.one(log.ward.nurse, 1)
    seal(log.url, NOON)
    assert verify(log.url).tamperings == []
    looked = log.ids()[-1]
    log.alter("UPDATE audit_trail SET patient_id = NULL WHERE id = :id", id=looked)
    assert verify(log.url).tamperings == [Tampering("changed", "entry", looked)]


def test_entries_without_patient_keep_their_old_digest(log: Log) -> None:
    with log.engine.connect() as connection:
        entry = connection.execute(select(audit).where(audit.c.action == "area.created")).one()
    reported = [
        *(entry.id, entry.at.astimezone(UTC).isoformat(), entry.user_id, entry.action, entry.entity, entry.entity_id),
        *(entry.changes, None, None),
    ]
    before = hashlib.sha256(json.dumps(reported, ensure_ascii=False, separators=(",", ":")).encode()).digest()
    assert audit_seals._digest(entry, 1) == before


def test_old_seals_are_verified_and_new_ones_have_the_new_form(log: Log) -> None:
    """The old form covered neither keys nor times, and had no form number."""
    log.alter("DELETE FROM audit_seals")
    last_id = log.ids()[0]
    with log.engine.connect() as connection:
        entry = connection.execute(select(audit).where(audit.c.id == last_id)).one()
    reported = [
        *(entry.id, entry.at.astimezone(UTC).isoformat(), entry.user_id, entry.action, entry.entity, entry.entity_id),
        *(entry.changes, entry.sheet_id, entry.import_id, *([entry.patient_id] if entry.patient_id else [])),
    ]
    fingerprint = hashlib.sha256(json.dumps(reported, ensure_ascii=False, separators=(",", ":")).encode()).digest()[:8]
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
def test_a_seal_with_an_altered_form_is_found(log: Log, form: int) -> None:
    log.alter("UPDATE audit_seals SET form = :form WHERE id = 2", form=form)
    assert Tampering("altered", "seal", 2) in verify(log.url).tamperings


def test_a_removed_entry_is_found(log: Log) -> None:
    first, last = log.ids()[0], log.ids()[-1]
    log.alter("DELETE FROM audit_trail WHERE id IN (:first, :last)", first=first, last=last)
    assert verify(log.url).tamperings == [
        Tampering("removed", "entry", first),
        Tampering("removed", "entry", last),
    ]


def test_an_inserted_entry_is_found(log: Log) -> None:
    """The entry gets an id that a failed request had left unused."""
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
def test_an_entry_with_an_impossible_id_is_found(log: Log, entry_id: int) -> None:
    log.alter(INSERT, id=entry_id, at=_written(NOON))
    for _ in range(2):
        assert verify(log.url).tamperings == [Tampering("added", "entry", entry_id)]
        seal_again(log)


def test_an_old_date_after_the_last_seal_is_found(log: Log) -> None:
    slipped_in = log.ids()[-1] + 1
    log.alter(INSERT, id=slipped_in, at=_written(NOON - timedelta(days=30)))
    assert Tampering("misdated", "entry", slipped_in) in verify(log.url).tamperings
    if log.engine.dialect.name == "postgresql":
        log.alter("SELECT setval('audit_trail_id_seq', :id)", id=slipped_in)
    seal(log.url, NOON)
    assert verify(log.url).tamperings == [Tampering("misdated", "entry", slipped_in)]


def test_an_entry_newer_than_its_seal_is_found(log: Log) -> None:
    seal_again(log)
    log.ward.detail(log.ward.sheet()["id"])
    at_the_edge, behind_it = log.ids()[-2:]
    log.alter("UPDATE audit_trail SET at = :at WHERE id = :id", at=_written(NOON + CLOCK_DRIFT), id=at_the_edge)
    log.alter("UPDATE audit_trail SET at = :at WHERE id = :id", at=_written(NOON + timedelta(hours=1)), id=behind_it)
    seal(log.url, NOON)
    assert verify(log.url).tamperings == [Tampering("misdated", "entry", behind_it)]


def test_small_clock_differences_are_no_tampering(log: Log) -> None:
    """Entries of an import may be minutes older than their commit, too."""
    log.ward.detail(log.ward.sheet()["id"])
    for entry_id, at in zip(log.ids()[-2:], (NOON - timedelta(minutes=13), NOON + timedelta(minutes=3)), strict=True):
        log.alter("UPDATE audit_trail SET at = :at WHERE id = :id", at=_written(at), id=entry_id)
    assert verify(log.url).tamperings == []
    seal(log.url, NOON)
    assert verify(log.url).tamperings == []


def test_entries_may_be_older_than_earlier_seals_of_the_same_run(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_seals, "MAX_ENTRIES", 2)
    log.alter("DELETE FROM audit_seals")
    assert len(seal(log.url, NOON + timedelta(days=400))) > 2
    assert verify(log.url).tamperings == []


@pytest.mark.postgresql
@pytest.mark.parametrize("log", ["postgresql"], indirect=True)
def test_id_gaps_of_rolled_back_inserts_are_no_removals(log: Log) -> None:
    with log.engine.connect() as connection:
        connection.execute(text(INSERT.replace(":id", "DEFAULT")), {"at": _written(NOON)})
        connection.rollback()
    seal_again(log)
    assert log.ids()[-1] > len(log.ids())
    assert verify(log.url).tamperings == []


@pytest.mark.postgresql
@pytest.mark.parametrize("log", ["postgresql"], indirect=True)
def test_an_entry_with_an_id_from_the_future_is_found(log: Log) -> None:
    log.alter(INSERT, id=2**40, at=_written(NOON))
    seal_again(log)
    assert verify(log.url).tamperings == [Tampering("added", "entry", 2**40)]


@pytest.mark.parametrize("kept", [(), ("audit_seals",)])
def test_an_emptied_log_is_found(log: Log, kept: tuple[str, ...]) -> None:
    for table in {"audit_trail", "audit_seals"} - set(kept):
        log.alter(f"DELETE FROM {table}")  # noqa: S608
    assert verify(log.url).emptied


@pytest.mark.parametrize("kind", KINDS)
def test_the_log_of_an_unused_database_may_be_empty(kind: str, request: pytest.FixtureRequest) -> None:
    assert not verify(request.getfixturevalue(EMPTY[kind])).emptied


def _written(moment: datetime) -> str:
    """Format a time as both databases store it."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"


def test_an_altered_or_removed_seal_is_found(log: Log) -> None:
    (last,) = seal_again(log)
    log.alter("UPDATE audit_seals SET digest = :digest WHERE id = 1", digest="0" * 64)
    assert {(one.kind, one.number) for one in verify(log.url).tamperings} == {("altered", 1), ("altered", 2)}
    log.alter("DELETE FROM audit_seals WHERE id = 1")
    assert ("altered", "seal", 1) in {(one.kind, one.what, one.number) for one in verify(log.url).tamperings}
    assert last.number == 3


def seal_again(log: Log) -> list[audit_seals.Seal]:
    log.ward.detail(log.ward.sheet()["id"])
    return seal(log.url, NOON)


def test_a_rebuilt_chain_is_found_by_a_seal_noted_elsewhere(log: Log) -> None:
    (last,) = seal_again(log)
    assert verify(log.url, (last.number, last.digest)).tamperings == []
    log.alter("UPDATE audit_trail SET user_id = 999 WHERE id = :id", id=log.ids()[0])
    log.alter("DELETE FROM audit_seals")
    seal(log.url, NOON)
    assert verify(log.url).tamperings == []
    assert verify(log.url, (last.number, last.digest)).tamperings == [Tampering("missing", "seal", last.number)]


def test_a_seal_covers_a_limited_number_of_entries(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_seals, "MAX_ENTRIES", 2)
    log.alter("DELETE FROM audit_seals")
    made = seal(log.url, NOON)
    assert sum(one.entries for one in made) == len(log.ids())
    assert {one.entries for one in made[:-1]} == {2}
    assert verify(log.url).tamperings == []


@pytest.mark.postgresql
def test_sealing_waits_for_uncommitted_entries(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An uncommitted entry already has its id.

    If a seal left it out, it would look like an inserted one later.
    """
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
    monkeypatch.setattr(complete_entries, "_WAIT_SECONDS", 0)
    with pytest.raises(WritesInProgress):
        seal(postgresql_url, NOON)
    slow.close()
    engine.dispose()
    store.close()
