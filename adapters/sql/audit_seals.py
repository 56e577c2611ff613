"""Seals on the audit log: digests in a chain, by which is found what was changed, removed or slipped in afterwards.

A seal closes all entries since the one before. It keeps the id and a digest of each, and its own digest covers these
and the seal before it: whoever alters an entry would have to alter every later seal as well, and whoever has written
the last one down elsewhere would still find it.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from struct import Struct
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, Row, create_engine, func, select, text

from adapters.sql.connections import is_sqlite, to_url
from adapters.sql.tables import audit, audit_seals

# So many entries are closed by one seal at the most: what it keeps of them is read into memory.
MOST_ENTRIES = 100_000

# Of an entry: its id, and the beginning of its digest.
_FINGERPRINT = Struct(">q8s")
_NO_SEAL = bytes(32)
_WAIT_SECONDS = 60

_COLUMNS = ("id", "at", "user_id", "action", "entity", "entity_id", "changes", "sheet_id", "import_id")


class EntriesInProgress(Exception):
    """For a minute somebody has been writing: entries that are older than others may still come."""


@dataclass(frozen=True, slots=True)
class Seal:
    """A seal, and how many entries it closes, the last of which has that id."""

    number: int
    entries: int
    last_entry_id: int
    sealed_at: datetime
    digest: str


@dataclass(frozen=True, slots=True)
class Tampering:
    """What is wrong: ``kind`` is changed, removed or added, of an entry; or altered or missing, of a seal."""

    kind: str
    what: str
    number: int


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found, of how many entries under how many seals; ``unsealed`` entries came after the last one."""

    tamperings: list[Tampering]
    seals: int
    entries: int
    unsealed: int


def seal(database_url: str, at: datetime, *, pause: Callable[[float], None] = time.sleep) -> list[Seal]:
    """Close the entries since the last seal; nothing where there are none.

    Nobody who records waits for it. Raise ``EntriesInProgress`` where what was begun before does not end.
    """
    engine = _engine(database_url)
    made: list[Seal] = []
    try:
        with engine.connect() as connection:
            last_id = _settled(connection, pause)
        while True:
            with engine.begin() as connection:
                # Two at once would make two chains.
                if not is_sqlite(engine.url):
                    connection.execute(text("LOCK TABLE audit_seals IN EXCLUSIVE MODE"))
                one = _closed(connection, last_id, at)
            if one is None:
                return made
            made.append(one)
    finally:
        engine.dispose()


def verify(database_url: str, written_down: tuple[int, str] | None = None) -> Verification:
    """Compare every sealed entry with its seal; ``written_down`` is the number and digest of a seal kept elsewhere."""
    engine = _engine(database_url)
    try:
        with engine.connect() as connection:
            return _verified(connection, written_down)
    finally:
        engine.dispose()


def _verified(connection: Connection, written_down: tuple[int, str] | None) -> Verification:
    found: list[Tampering] = []
    digests: dict[int, str] = {}
    before, after_id, entries = _NO_SEAL, 0, 0
    rows = connection.execute(select(audit_seals).order_by(audit_seals.c.id)).yield_per(1)
    for number, row in enumerate(rows, 1):
        digest = _chained(before, row.last_entry_id, row.sealed_at, row.fingerprints)
        if row.id != number or digest.hex() != row.digest:
            found.append(Tampering("altered", "seal", number))
        digests[row.id] = row.digest
        sealed = dict(_FINGERPRINT.iter_unpack(row.fingerprints))
        for entry_id, fingerprint in _fingerprints(connection, after_id, row.last_entry_id):
            expected = sealed.pop(entry_id, None)
            if expected is None:
                found.append(Tampering("added", "entry", entry_id))
            elif expected != fingerprint:
                found.append(Tampering("changed", "entry", entry_id))
        found += [Tampering("removed", "entry", entry_id) for entry_id in sealed]
        entries += len(row.fingerprints) // _FINGERPRINT.size
        before, after_id = bytes.fromhex(row.digest), row.last_entry_id
    if written_down is not None and digests.get(written_down[0]) != written_down[1]:
        found.append(Tampering("altered" if written_down[0] in digests else "missing", "seal", written_down[0]))
    unsealed = connection.execute(select(func.count()).where(audit.c.id > after_id)).scalar_one()
    return Verification(found, len(digests), entries, unsealed)


def _closed(connection: Connection, last_id: int, at: datetime) -> Seal | None:
    last = connection.execute(select(audit_seals).order_by(audit_seals.c.id.desc()).limit(1)).one_or_none()
    after_id, before = (last.last_entry_id, bytes.fromhex(last.digest)) if last else (0, _NO_SEAL)
    fingerprints = bytearray()
    for count, (entry_id, fingerprint) in enumerate(_fingerprints(connection, after_id, last_id), 1):
        fingerprints += _FINGERPRINT.pack(entry_id, fingerprint)
        after_id = entry_id
        if count == MOST_ENTRIES:
            break
    if not fingerprints:
        return None
    number = last.id + 1 if last else 1
    digest = _chained(before, after_id, at, bytes(fingerprints)).hex()
    connection.execute(
        audit_seals.insert(),
        {
            "id": number,
            "last_entry_id": after_id,
            "sealed_at": at,
            "fingerprints": bytes(fingerprints),
            "digest": digest,
        },
    )
    return Seal(number, len(fingerprints) // _FINGERPRINT.size, after_id, at, digest)


def _settled(connection: Connection, pause: Callable[[float], None]) -> int:
    """The id up to which all entries are there that ever will be.

    On PostgreSQL an entry has its id before it is committed: whoever had begun when we looked must have ended.
    """
    if connection.dialect.name == "sqlite":
        return int(connection.execute(select(func.coalesce(func.max(audit.c.id), 0))).scalar_one())
    connection = connection.execution_options(isolation_level="AUTOCOMMIT")
    last_id: int = connection.execute(text("SELECT last_value FROM audit_trail_id_seq")).scalar_one()
    # Whoever writes an entry holds this lock from before it has its id until it is committed.
    writers = text(
        "SELECT virtualtransaction FROM pg_locks "
        "WHERE relation = 'audit_trail'::regclass AND mode = 'RowExclusiveLock' AND granted"
    )
    begun = set(connection.execute(writers).scalars())
    deadline = time.monotonic() + _WAIT_SECONDS
    while not begun.isdisjoint(connection.execute(writers).scalars()):
        if time.monotonic() > deadline:
            raise EntriesInProgress
        pause(0.2)
    return last_id


def _fingerprints(connection: Connection, after_id: int, last_id: int) -> Iterator[tuple[int, bytes]]:
    asked = select(audit).where(audit.c.id > after_id, audit.c.id <= last_id).order_by(audit.c.id)
    for row in connection.execute(asked).yield_per(5_000):
        yield row.id, _digest(row)[:8]


def _digest(row: Row[Any]) -> bytes:
    """Of all that the entry tells; moments in UTC, so that it is the same on every database."""
    told = [getattr(row, name) for name in _COLUMNS]
    told[1] = row.at.astimezone(UTC).isoformat()
    # An entry from before there was such a thing has the digest that it had.
    if row.patient_id is not None:
        told.append(row.patient_id)
    return hashlib.sha256(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()).digest()


def _chained(before: bytes, last_entry_id: int, at: datetime, fingerprints: bytes) -> bytes:
    head = f"{last_entry_id} {at.astimezone(UTC).isoformat()} ".encode()
    return hashlib.sha256(before + head + fingerprints).digest()


def _engine(database_url: str) -> Engine:
    return create_engine(to_url(database_url), poolclass=NullPool, hide_parameters=True)
