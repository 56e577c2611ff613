"""Issued documents: accounts and months."""

from datetime import date
from functools import partial
from typing import Any, Generic

import msgspec
from sqlalchemy import Connection, bindparam, exists, func, literal_column, select
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.sheets.frozen import freeze, frozen_digest, thaw
from adapters.sql.sheets.tables import documents
from application.sheets.issued_documents import (
    DocumentKind,
    Frozen,
    FrozenDocument,
    IssuedDocument,
    NewDocument,
    Subject,
)

_INSERT = {
    "postgresql": postgresql.insert(documents).on_conflict_do_nothing().returning(documents.c.id),
    "sqlite": sqlite.insert(documents).on_conflict_do_nothing().returning(documents.c.id),
}
_ISSUED = tuple(documents.c[name] for name in (*Subject._fields, *IssuedDocument._fields) if name != "subject")
_OF_KIND = documents.c.kind == bindparam("kind")
_ABOUT = (
    select(*_ISSUED)
    .where(_OF_KIND, *(documents.c[name].is_not_distinct_from(bindparam(name)) for name in Subject._fields))
    .order_by(documents.c.turn)
)
_OF_MONTHS = (
    select(*_ISSUED)
    .where(
        _OF_KIND,
        documents.c.month.between(bindparam("first"), bindparam("last")),
        func.coalesce(documents.c.area_id, literal_column("0")) == bindparam("area_id"),
    )
    .order_by(documents.c.turn)
)
_LATER = documents.alias("later")
_LATEST_OF_MONTHS = (
    select(*_ISSUED)
    .where(
        _OF_KIND,
        ~exists().where(
            _LATER.c.month == documents.c.month,
            func.coalesce(_LATER.c.area_id, literal_column("0"))
            == func.coalesce(documents.c.area_id, literal_column("0")),
            _LATER.c.turn > documents.c.turn,
        ),
    )
    .order_by(documents.c.id)
)
_ONE = select(*_ISSUED, documents.c.document, documents.c.salt).where(_OF_KIND, documents.c.id == bindparam("id"))
_HAS = select(documents.c.id).where(
    documents.c.id == bindparam("id"),
    documents.c.turn == bindparam("turn"),
    documents.c.kind.in_(bindparam("kinds", expanding=True)),
)


def has_document(connection: Connection, number: int, turn: int, *, with_months: bool) -> bool:
    """Return whether a document with this number and version was issued.

    It is an account or, ``with_months``, a month.
    """
    kinds = [DocumentKind.ACCOUNT, *([DocumentKind.MONTH] if with_months else [])]
    return connection.execute(_HAS, {"id": number, "turn": turn, "kinds": kinds}).first() is not None


class SqlDocuments(Generic[Frozen]):
    """Issued documents of one kind: store and read model."""

    def __init__(self, connection: Connection, kind: DocumentKind, content: type[Frozen]) -> None:
        self._connection = connection
        self._kind = kind
        self._decoder = msgspec.json.Decoder(content)

    def add(self, new: NewDocument[Frozen]) -> FrozenDocument[Frozen] | None:
        """Insert a document; return None if its turn is taken."""
        kept, digest = freeze(new.document, new.salt)
        row = {**new._asdict(), **new.subject._asdict(), "kind": self._kind, "document": kept, "digest": digest}
        del row["subject"]
        new_id = self._connection.execute(_INSERT[self._connection.dialect.name], row).scalar()
        if new_id is None:
            return None
        row |= {"id": new_id, "subject": new.subject}
        issued = IssuedDocument(**{name: row[name] for name in IssuedDocument._fields})
        return FrozenDocument(issued, new.document, lambda: digest)

    def about(self, subject: Subject) -> list[IssuedDocument]:
        """Return the documents about a subject in order."""
        rows = self._connection.execute(_ABOUT, {"kind": self._kind, **subject._asdict()})
        return [_issued(row) for row in rows]

    def of_months(self, area_id: int | None, first: date, last: date) -> list[IssuedDocument]:
        """Return the documents about months of an area or of the hospital."""
        given = {"kind": self._kind, "area_id": area_id or 0, "first": first, "last": last}
        return [_issued(row) for row in self._connection.execute(_OF_MONTHS, given)]

    def latest_of_months(self) -> list[IssuedDocument]:
        """Return the last version of each month, by number."""
        return [_issued(row) for row in self._connection.execute(_LATEST_OF_MONTHS, {"kind": self._kind})]

    def one(self, document_id: int) -> FrozenDocument[Frozen] | None:
        """Return a document by its number."""
        row = self._connection.execute(_ONE, {"kind": self._kind, "id": document_id}).one_or_none()
        if row is None:
            return None
        content = thaw(row.document, self._decoder)
        return FrozenDocument(_issued(row), content, partial(frozen_digest, row.document, row.salt))


def _issued(row: Any) -> IssuedDocument:
    known = row._mapping
    subject = Subject(**{name: known[name] for name in Subject._fields})
    return IssuedDocument(subject=subject, **{name: known[name] for name in IssuedDocument._fields if name in known})
