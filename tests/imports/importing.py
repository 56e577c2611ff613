"""Helpers that write files, import them and return the row results."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from application.imports.batch import Batch
from application.imports.reading.cells import RawRow
from application.imports.reading.fields import Noun
from application.imports.reading.layout import FileLayout
from application.imports.reading.row import Row
from application.imports.reading.table import Choices
from application.imports.report import ImportDecision, Report, RowResult
from application.imports.rows.row_importer import Outcome
from domain.common.policy import Actor
from tests.builders import Ward


@dataclass
class RowCollector:
    """A listener for imports, which collects the results of the rows."""

    rows: list[RowResult] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)

    def begin(self, total: int) -> None:
        self.begun.append(total)
        self.rows.clear()

    def row(self, reported: RowResult) -> None:
        self.rows.append(reported)


@dataclass(frozen=True)
class ImportOutcome:
    """The outcome of importing a file.

    ``how`` is the layout of the file, or None for a folder. ``begun`` is the number of passes over the rows.
    """

    how: FileLayout | None
    report: Report
    rows: list[RowResult]
    begun: int = 1

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Return the numbers of created, changed, unchanged and refused rows."""
        return self.report.created, self.report.changed, self.report.unchanged, self.report.refused

    @property
    def outcomes(self) -> dict[int, str]:
        """Return the outcome of each row, by its line."""
        return {row.line: row.outcome.value for row in self.rows}

    @property
    def refusals(self) -> dict[int, list[tuple[str | None, str]]]:
        """Return field and code of each error, by the line of the refused row."""
        return {
            row.line: [(reason.field, reason.code.value) for reason in row.reasons]
            for row in self.rows
            if row.outcome is Outcome.REFUSED
        }


def warnings(brought: ImportOutcome) -> dict[int, list[tuple[str | None, str, object]]]:
    """Return field, code and value of each warning, by the line of its row."""
    return {
        row.line: [(one.field, one.code.value, one.params.get("value")) for one in row.warnings]
        for row in brought.rows
        if row.warnings
    }


def file_of(folder: Path, text: str | Iterable[str], *, encoding: str = "utf-8", name: str = "file.csv") -> Path:
    file = folder / name
    file.write_bytes((text if isinstance(text, str) else "".join(f"{line}\n" for line in text)).encode(encoding))
    return file


def understood(ward: Ward, file: Path, noun: Noun = Noun.PRODUCTS, **choices: Any) -> FileLayout:
    return ward.use_cases.imports.read_file(ward.admin, file, noun, Choices(**choices))[0]


def brought_in(
    ward: Ward,
    file: Path,
    noun: Noun = Noun.PRODUCTS,
    *,
    actor: Actor | None = None,
    good_rows: bool = True,
    **choices: Any,
) -> ImportOutcome:
    who, reported = actor or ward.admin, RowCollector()
    how, batch = ward.use_cases.imports.read_file(who, file, noun, Choices(**choices))
    report = ward.use_cases.imports.run(
        who, batch, reported, decision=ImportDecision(good_rows=good_rows, all_warnings=True)
    )
    return ImportOutcome(how, report, reported.rows)


def tried(ward: Ward, file: Path, noun: Noun = Noun.PRODUCTS, **choices: Any) -> ImportOutcome:
    """Check a file without storing anything."""
    reported = RowCollector()
    how, batch = ward.use_cases.imports.read_file(ward.admin, file, noun, Choices(**choices))
    return ImportOutcome(how, ward.use_cases.imports.run.check(ward.admin, batch, reported), reported.rows)


def findings(how: FileLayout) -> dict[str, tuple[str, str]]:
    """Return value and code of each finding, by its subject."""
    return {found.what: (found.value, found.code) for found in how.findings}


def asked(how: FileLayout) -> list[tuple[str, str | None, tuple[str, ...]]]:
    """Return code, field and options of each question."""
    return [(question.code, question.field, question.options) for question in how.questions]


def bring_in_a_product(ward: Ward) -> None:
    """Import a product, with rows in every table that imports fill."""
    row = Row(2, {"code": "I-1", "name": "Tul", "price": Decimal("0.07")}, (), RawRow(2, []))
    batch = Batch(
        noun=Noun.PRODUCTS,
        file_name="x.csv",
        count=1,
        given=frozenset(row.values),
        columns=tuple(row.values),
        rows=lambda: iter([row]),
        shape="x",
    )
    ward.use_cases.imports.run(ward.admin, batch, RowCollector())
