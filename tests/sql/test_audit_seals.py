"""The audit log is sealed, and whatever was done to it afterwards is found."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta

import pytest
from sqlalchemy import Engine, create_engine, select, text

from adapters.sql import audit_seals
from adapters.sql.audit_seals import EntriesInProgress, Tampering, seal, verify
from adapters.sql.connections import to_url
from adapters.sql.store import SqlStore
from adapters.sql.tables import audit
from application.session.sign_in import Credentials
from domain.refusal import BadCredentials
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
    seal(url, NOON + timedelta(hours=1))
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
            with pytest.raises(BadCredentials):
                log.ward.use_cases.sign_in(Credentials(email=f"{times}-{number}@x.test", password="x"), "192.0.2.1")

    fail(19)
    seal(log.url, NOON)
    before = len(log.ids())
    fail(21)
    assert len(log.ids()) == before + 2
    assert verify(log.url).tamperings == []


@pytest.mark.parametrize(
    "change",
    [
        "at = '2026-01-01 00:00:00'", "user_id = 999", "user_id = NULL", "action = 'detail.edited'", "entity_id = 999",
        "entity = 'area'", "changes = '{}'", "sheet_id = 999", "import_id = 999", "patient_id = 999",
    ],
)  # fmt: skip
def test_an_entry_that_was_changed_is_found(log: Log, change: str) -> None:
    for changed in (log.ids()[-1], log.ids()[-3]):
        log.alter(f"UPDATE audit_trail SET {change} WHERE id = :id", id=changed)  # noqa: S608
    assert set(verify(log.url).tamperings) == {
        Tampering("changed", "entry", changed) for changed in (log.ids()[-1], log.ids()[-3])
    }


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
    assert audit_seals._digest(entry) == before


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
    monkeypatch.setattr(audit_seals, "MOST_ENTRIES", 2)
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
    with pytest.raises(EntriesInProgress):
        seal(postgresql_url, NOON)
    slow.close()
    engine.dispose()
    store.close()
