"""Documents that are frozen on paper and are no closings.

Each is about a sheet (its account) or a month (of an area or of the hospital). The ``turn`` of a document is its
version: documents about the same are counted from 1, and none replaces an earlier one.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Generic, NamedTuple, Protocol, TypeVar

from domain.common.money import ZERO

Frozen = TypeVar("Frozen")


class DocumentKind(StrEnum):
    ACCOUNT = "account"
    MONTH = "month"


class Subject(NamedTuple):
    """What a document is about.

    ``month`` is the first day of a month, and without an ``area_id`` the hospital's.
    """

    sheet_id: int | None = None
    area_id: int | None = None
    month: date | None = None


class NewDocument(NamedTuple, Generic[Frozen]):
    """A document to be frozen.

    ``total`` is listed without reading it, and for a month the number of ``changes`` in it with their total.
    """

    subject: Subject
    turn: int
    issued_at: datetime
    user_id: int
    total: Decimal
    document: Frozen
    salt: str
    changes: int = 0
    changes_total: Decimal = ZERO


class IssuedDocument(NamedTuple):
    """An issued document without its content. Its number is its ``id``."""

    id: int
    subject: Subject
    turn: int
    issued_at: datetime
    user_id: int
    total: Decimal
    digest: str
    changes: int = 0
    changes_total: Decimal = ZERO


class FrozenDocument(NamedTuple, Generic[Frozen]):
    """An issued document with its content.

    ``find_digest`` computes the digest of the content as it is stored now.
    """

    issued: IssuedDocument
    document: Frozen
    find_digest: Callable[[], str]

    @property
    def is_intact(self) -> bool:
        """Whether the stored content still has its digest."""
        return self.find_digest() == self.issued.digest


class DocumentsReader(Protocol[Frozen]):
    """Reads issued documents of one kind."""

    def about(self, subject: Subject) -> Sequence[IssuedDocument]:
        """Return the documents about a subject, the first one first."""

    def of_months(self, area_id: int | None, first: date, last: date) -> Sequence[IssuedDocument]:
        """Return the documents about months of an area or of the hospital.

        ``first`` and ``last`` are the first days of months. The first version of a month is before its later ones.
        """

    def latest_of_months(self) -> Sequence[IssuedDocument]:
        """Return the last version of each month, by number."""

    def one(self, document_id: int) -> FrozenDocument[Frozen] | None:
        """Return a document by its number."""
