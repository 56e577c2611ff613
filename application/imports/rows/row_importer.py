"""Base class of the row importers.

A row creates an entity, changes it, leaves it unchanged, or is refused. Each noun defines how its rows are identified,
and imports them through the same use cases as users.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from enum import StrEnum
from typing import Any, cast

from application.common.clock import Clock
from application.common.draft import Draft, field_names
from application.imports.reading.row import Row, quotable
from application.imports.rows.staged import StagedUnitOfWork
from application.imports.work import Begin, UnitOfWork
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor
from domain.common.text import code_key


class Outcome(StrEnum):
    """The result of importing a row."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class ImportContext:
    """The data that every row importer needs for its use cases.

    ``name_of`` returns a user's name. ``given`` are the fields that have a column. ``warnings`` are those of the
    current row.
    """

    staged: StagedUnitOfWork
    actor: Actor
    clock: Clock
    zone: tzinfo
    name_of: Callable[[int], str]
    given: frozenset[str]
    warnings: list[Reason] = field(default_factory=list)

    @property
    def begin(self) -> Begin:
        """Begin by joining the staged unit of work.

        It has everything that the use cases of imports need.
        """
        work = cast("UnitOfWork", self.staged)

        def join() -> AbstractContextManager[UnitOfWork]:
            return nullcontext(work)

        return join

    def warn(self, code: Code, field: str | None = None, **params: object) -> None:
        """Add a warning. The row is only stored if a user confirms it."""
        self.warnings.append(Reason(code, field, params))


class RowImporter(ABC):
    """Imports the rows of one noun."""

    def __init__(self, context: ImportContext) -> None:
        self._context, self._actor, self._staged = context, context.actor, context.staged

    @abstractmethod
    def look_up(self, rows: Sequence[Row]) -> None:
        """Read everything that these rows refer to, with few queries."""

    @abstractmethod
    def import_row(self, row: Row) -> Outcome:
        """Apply the row. Raise ``Refused`` if that is impossible."""

    def finish(self) -> None:  # noqa: B027 - most importers have nothing to finish
        """Do the work that has to wait until all rows are imported."""


class FirstSeen:
    """The first line of each entity, for finding contradicting rows."""

    def __init__(self) -> None:
        self._first: dict[object, int] = {}

    def first(self, key: object) -> int | None:
        """Return the first line with that key, or None."""
        return self._first.get(key)

    def check_repeat(self, key: object, row: Row, outcome: Outcome, *called: str) -> Outcome:
        """Remember the row. Raise ``Refused`` if it contradicts an earlier one.

        ``called`` are the fields to quote in the message.
        """
        first = self._first.setdefault(key, row.line)
        if first != row.line and outcome is not Outcome.UNCHANGED:
            value = " ".join(filter(None, map(row.quoted, called)))
            raise Refused(Reason(Code.ROW_CONTRADICTS, params={"line": first, "value": value}))
        return outcome


def filled_in(known: object | None, row: Row, draft: type[Draft], *besides: str) -> dict[str, Any]:
    """Return the fields for a draft, except those ``besides``.

    A value in the row comes first, then the existing entity's value. An empty cell counts as no value.
    """
    names = field_names(draft, *besides)
    values = {name: getattr(known, name) for name in names} if known is not None else {}
    return values | {name: value for name in names if (value := row.values.get(name)) is not None}


def renamed(refused: Refused, names: Mapping[str, str]) -> Refused:
    """Return the refusal with the file's field names."""
    return Refused(*(replace(one, field=names.get(one.field or "", one.field)) for one in refused.reasons))


def warn_of_zeros(context: ImportContext, row: Row, field: str, found: Iterable[str | None]) -> None:
    """Warn if a code differs from an existing one only in leading zeros."""
    others = [other for other in found if other and code_key(other) != code_key(row.text(field))]
    if others:
        context.warn(Code.CODE_DIFFERS_IN_ZEROS, field, value=row.quoted(field), other=quotable(others[0]))


def upsert(create: Callable[..., Any], update: Callable[..., Any], actor: Actor, known: Any, draft: Any) -> Outcome:
    """Create the entity if it is unknown, otherwise update it."""
    if known is None:
        create(actor, draft)
        return Outcome.CREATED
    return Outcome.UNCHANGED if update(actor, known.id, draft) == known else Outcome.CHANGED
