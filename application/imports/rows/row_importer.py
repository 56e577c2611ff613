"""What a row does: creates something, changes it, leaves it alone, or is refused.

Each noun says by what its rows are known again, and brings them in through the use cases that people go through.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from enum import StrEnum
from typing import Any, cast

from application.imports.reading.rows import Row, quotable
from application.imports.staged import StagedUnitOfWork
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from domain.errors import Code, Reason, Refused
from domain.policy import Actor
from domain.text import unique_key


class Outcome(StrEnum):
    """What became of a row."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class ImportContext:
    """Who brings in what, where and when: what every noun needs for its use cases.

    ``name_of`` tells who a user is, ``given`` which fields have a column. ``warnings`` are those of the row at hand.
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
        """Joins the staged unit of work, which has all of a unit of work that the use cases of imports need."""
        work = cast("UnitOfWork", self.staged)

        def join() -> AbstractContextManager[UnitOfWork]:
            return nullcontext(work)

        return join

    def warn(self, code: Code, field: str | None = None, **params: object) -> None:
        """Note what is doubtful about the row: it is kept only when a person has confirmed it."""
        self.warnings.append(Reason(code, field, params))


class RowImporter(ABC):
    """Brings in the rows of one noun: says by what they are known again, and does what they say."""

    def __init__(self, context: ImportContext) -> None:
        self._context, self._actor, self._staged = context, context.actor, context.staged

    @abstractmethod
    def look_up(self, rows: Sequence[Row]) -> None:
        """Read all that these rows may be about, in a few looks."""

    @abstractmethod
    def import_row(self, row: Row) -> Outcome:
        """Do what the row says. Raise ``Refused`` where it cannot be done."""

    def finish(self) -> None:  # noqa: B027 - most have nothing left to do
        """Do what can be done only when all rows were imported."""


class FirstSeen:
    """On which line each thing came: what comes again must say the same."""

    def __init__(self) -> None:
        self._first: dict[object, int] = {}

    def first(self, key: object) -> int | None:
        """The line on which that came first, if it came."""
        return self._first.get(key)

    def see(self, key: object, row: Row, outcome: Outcome, *called: str) -> Outcome:
        """Note where something came. Raise ``Refused`` where it came before and was something else.

        ``called`` are the fields that tell what it is.
        """
        first = self._first.setdefault(key, row.line)
        if first != row.line and outcome is not Outcome.UNCHANGED:
            value = " ".join(filter(None, map(row.quoted, called)))
            raise Refused(Reason(Code.ROW_CONTRADICTS, params={"line": first, "value": value}))
        return outcome


def filled_in(known: object | None, row: Row, *names: str) -> dict[str, Any]:
    """What a draft is filled in with: what the row tells (an empty cell tells nothing), else what is there already."""
    values = {name: getattr(known, name) for name in names} if known is not None else {}
    return values | {name: value for name in names if (value := row.values.get(name)) is not None}


def renamed(refused: Refused, names: Mapping[str, str]) -> Refused:
    """The refusal, its fields called as the fields of the file are."""
    return Refused(*(replace(one, field=names.get(one.field or "", one.field)) for one in refused.reasons))


def warn_of_zeros(context: ImportContext, row: Row, field: str, found: Iterable[str | None]) -> None:
    """Warn of a code that differs from one that is there already by nothing but zeros before it."""
    others = [other for other in found if other and unique_key(other) != unique_key(row.text(field))]
    if others:
        context.warn(Code.CODE_DIFFERS_IN_ZEROS, field, value=row.quoted(field), other=quotable(others[0]))


def put(create: Callable[..., Any], update: Callable[..., Any], actor: Actor, known: Any, draft: Any) -> Outcome:
    """Create what is not known, change what is."""
    if known is None:
        create(actor, draft)
        return Outcome.CREATED
    return Outcome.UNCHANGED if update(actor, known.id, draft) == known else Outcome.CHANGED
