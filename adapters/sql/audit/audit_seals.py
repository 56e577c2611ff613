"""Seals of the audit log: a hash chain that reveals tampering.

A seal covers all entries since the previous one. It stores the id and a digest of each, and its own digest covers these
and the previous seal. To alter an entry, an attacker must alter every later seal as well, and a copy of the last seal
stored elsewhere still reveals it.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, Row, Table, create_engine, func, select, text

from adapters.sql.accounts.tables import users
from adapters.sql.audit.complete_entries import LAST_GIVEN_ID, last_complete_id
from adapters.sql.audit.tables import audit, audit_seals
from adapters.sql.engine.connections import is_sqlite, to_url
from adapters.sql.sheets.tables import sheets
from domain.sheets.sheet import CLOCK_DRIFT

# Maximum number of entries per seal, because they are read into memory. A full seal is followed by others in the same
# run.
MAX_ENTRIES = 100_000

# The id of an entry and the beginning of its digest.
_FINGERPRINT = Struct(">q8s")
_NO_SEAL = bytes(32)

# Imports read their rows, and take the time of them, minutes before they write them.
_MAX_WORK = timedelta(minutes=10)

# The columns that a digest covers, by the form that its seal names. A new column of the log needs a new form, because
# earlier seals were made without it.
_COLUMNS_OF_FORM = {
    1: ("id", "at", "user_id", "action", "entity", "entity_id", "changes", "sheet_id", "import_id"),
    2: (
        *("id", "at", "user_id", "action", "entity", "entity_id", "changes", "sheet_id", "import_id", "patient_id"),
        "api_key_id",
    ),
}
NEWEST_FORM = max(_COLUMNS_OF_FORM)


@dataclass(frozen=True, slots=True)
class Seal:
    """A seal, the number of its entries and the id of the last one."""

    number: int
    entries: int
    last_entry_id: int
    sealed_at: datetime
    digest: str


@dataclass(frozen=True, slots=True)
class Tampering:
    """A finding: ``kind`` of an entry or a seal.

    Entries are changed, removed, added or misdated; seals are altered or missing.
    """

    kind: str
    what: str
    number: int


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of a verification; ``unsealed`` entries follow the last seal.

    ``emptied``: the log is empty, although the database has seals, or users and sheets that must have entries.
    """

    tamperings: list[Tampering]
    seals: int
    entries: int
    unsealed: int
    emptied: bool


def seal(database_url: str, at: datetime, *, pause: Callable[[float], None] = time.sleep) -> list[Seal]:
    """Seal the entries since the last seal; return [] if there are none.

    Recording does not wait for it. Raise ``WritesInProgress`` if earlier transactions do not end.
    """
    engine = _engine(database_url)
    made: list[Seal] = []
    try:
        with engine.connect() as connection:
            last_id = last_complete_id(connection, pause)
        while True:
            with engine.begin() as connection:
                # Two concurrent runs would make two chains.
                if not is_sqlite(engine.url):
                    connection.execute(text("LOCK TABLE audit_seals IN EXCLUSIVE MODE"))
                one = _seal_next(connection, last_id, at)
            if one is None:
                return made
            made.append(one)
    finally:
        engine.dispose()


def verify(database_url: str, written_down: tuple[int, str] | None = None) -> Verification:
    """Compare all sealed entries with their seals.

    ``written_down`` is the number and digest of a seal that was stored elsewhere.
    """
    engine = _engine(database_url)
    try:
        with engine.connect() as connection:
            return _verify(connection, written_down)
    finally:
        engine.dispose()


def _verify(connection: Connection, written_down: tuple[int, str] | None) -> Verification:
    # The database assigns only positive ids.
    not_given = connection.execute(select(audit.c.id).where(audit.c.id <= 0).order_by(audit.c.id)).scalars()
    found = [Tampering("added", "entry", entry_id) for entry_id in not_given]
    digests: dict[int, str] = {}
    before, after_id, entries = _NO_SEAL, 0, 0
    since: datetime | None = None
    rows = connection.execute(select(audit_seals).order_by(audit_seals.c.id)).yield_per(1)
    for number, row in enumerate(rows, 1):
        form = row.form if row.form in _COLUMNS_OF_FORM else NEWEST_FORM
        digest = _chain(before, form, row.last_entry_id, row.sealed_at, row.fingerprints)
        if row.id != number or row.form != form or digest.hex() != row.digest:
            found.append(Tampering("altered", "seal", number))
        digests[row.id] = row.digest
        sealed = dict(_FINGERPRINT.iter_unpack(row.fingerprints))
        count = len(sealed)
        for entry in _entries(connection, after_id, row.last_entry_id):
            expected = sealed.pop(entry.id, None)
            if expected is None:
                found.append(Tampering("added", "entry", entry.id))
            elif expected != _fingerprint(entry, form):
                found.append(Tampering("changed", "entry", entry.id))
            # Seals of the first form did not check the dates of their entries.
            elif form > 1 and not _is_dated_between(entry.at, since, row.sealed_at):
                found.append(Tampering("misdated", "entry", entry.id))
        found += [Tampering("removed", "entry", entry_id) for entry_id in sealed]
        entries += count
        before, after_id = bytes.fromhex(row.digest), row.last_entry_id
        if count < MAX_ENTRIES:
            since = row.sealed_at
    if written_down is not None and digests.get(written_down[0]) != written_down[1]:
        found.append(Tampering("altered" if written_down[0] in digests else "missing", "seal", written_down[0]))
    unsealed = connection.execute(select(func.count()).where(audit.c.id > after_id)).scalar_one()
    found += _check_unsealed(connection, after_id, since)
    return Verification(found, len(digests), entries, unsealed, emptied=_is_emptied(connection))


def _check_unsealed(connection: Connection, after_id: int, since: datetime | None) -> Iterator[Tampering]:
    """Find unsealed entries older than the seal, or with unassigned ids."""
    if since is not None:
        older = select(audit.c.id).where(audit.c.id > after_id, audit.c.at < since - CLOCK_DRIFT - _MAX_WORK)
        for entry_id in connection.execute(older.order_by(audit.c.id)).scalars():
            yield Tampering("misdated", "entry", entry_id)
    if connection.dialect.name == "postgresql":
        # On SQLite every used id counts as assigned. On PostgreSQL, committed entries got their ids before this query.
        used = list(connection.execute(select(audit.c.id).order_by(audit.c.id.desc()).limit(1)).scalars())
        last_id: int = connection.execute(LAST_GIVEN_ID).scalar_one()
        if used and used[0] > last_id:
            beyond = select(audit.c.id).where(audit.c.id > max(last_id, after_id), audit.c.id <= used[0])
            for entry_id in connection.execute(beyond.order_by(audit.c.id)).scalars():
                yield Tampering("added", "entry", entry_id)


def _is_dated_between(at: datetime, since: datetime | None, until: datetime) -> bool:
    return at <= until + CLOCK_DRIFT and (since is None or at >= since - CLOCK_DRIFT - _MAX_WORK)


def _is_emptied(connection: Connection) -> bool:
    def has_rows(table: Table) -> bool:
        return connection.execute(select(table.c.id).limit(1)).first() is not None

    return not has_rows(audit) and any(map(has_rows, (users, sheets, audit_seals)))


def _seal_next(connection: Connection, last_id: int, at: datetime) -> Seal | None:
    last = connection.execute(select(audit_seals).order_by(audit_seals.c.id.desc()).limit(1)).one_or_none()
    after_id, before = (last.last_entry_id, bytes.fromhex(last.digest)) if last else (0, _NO_SEAL)
    fingerprints = bytearray()
    for count, entry in enumerate(_entries(connection, after_id, last_id), 1):
        fingerprints += _FINGERPRINT.pack(entry.id, _fingerprint(entry, NEWEST_FORM))
        after_id = entry.id
        if count == MAX_ENTRIES:
            break
    if not fingerprints:
        return None
    number = last.id + 1 if last else 1
    digest = _chain(before, NEWEST_FORM, after_id, at, bytes(fingerprints)).hex()
    connection.execute(
        audit_seals.insert(),
        {
            "id": number,
            "last_entry_id": after_id,
            "sealed_at": at,
            "fingerprints": bytes(fingerprints),
            "digest": digest,
            "form": NEWEST_FORM,
        },
    )
    return Seal(number, len(fingerprints) // _FINGERPRINT.size, after_id, at, digest)


def _entries(connection: Connection, after_id: int, last_id: int) -> Iterator[Row[Any]]:
    statement = select(audit).where(audit.c.id > after_id, audit.c.id <= last_id).order_by(audit.c.id)
    yield from connection.execute(statement).yield_per(5_000)


def _fingerprint(entry: Row[Any], form: int) -> bytes:
    return _digest(entry, form)[:8]


def _digest(entry: Row[Any], form: int) -> bytes:
    """Return the digest of an entry, the same on every database (UTC)."""
    values = [
        entry.at.astimezone(UTC).isoformat() if name == "at" else getattr(entry, name)
        for name in _COLUMNS_OF_FORM[form]
    ]
    # The patient was added to the log during the first form: earlier entries keep their digests.
    if form == 1 and entry.patient_id is not None:
        values.append(entry.patient_id)
    return hashlib.sha256(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()).digest()


def _chain(before: bytes, form: int, last_entry_id: int, at: datetime, fingerprints: bytes) -> bytes:
    named = f"{form} " if form > 1 else ""
    head = f"{named}{last_entry_id} {at.astimezone(UTC).isoformat()} ".encode()
    return hashlib.sha256(before + head + fingerprints).digest()


def _engine(database_url: str) -> Engine:
    return create_engine(to_url(database_url), poolclass=NullPool, hide_parameters=True)
