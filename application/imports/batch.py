"""The rows of a file, ready to import."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from application.imports.reading.fields import Noun
from application.imports.reading.layout import FileLayout
from application.imports.reading.row import Row
from application.imports.reading.rows import read_rows
from application.imports.reading.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The rows of a file, ready to import.

    ``rows`` iterates from the first row each time it is called. ``digest`` is the digest of the file's content. A batch
    without one is never recognized as imported before.
    """

    noun: Noun
    file_name: str
    count: int
    given: frozenset[str]
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    shape: str = ""
    digest: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)
    unanswered: int = 0


def batch_of(table: Table, layout: FileLayout, file_name: str, digest: str, *, today: date) -> Batch:
    """Build a batch from a table with its detected layout."""
    return Batch(
        noun=layout.noun,
        file_name=file_name,
        count=layout.rows,
        given=frozenset(layout.mapping),
        columns=layout.columns,
        rows=lambda: read_rows(table, layout, today=today),
        shape=layout.shape,
        digest=digest,
        mapping=layout.named_mapping,
        unanswered=len(layout.questions),
    )
