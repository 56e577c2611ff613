"""``consumo import``: import files, list imports, undo them."""

import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import rich_click as click

from adapters.cli.common import AS_USER, OtherFile, console, must_be_current, progress, said
from adapters.cli.wiring import actor_of, container_of
from adapters.documents.refused_rows import RefusedRows
from adapters.i18n import messages
from adapters.settings.read_settings import read_settings
from adapters.spreadsheets.synthea import is_synthea, open_synthea
from adapters.wiring.container import Container
from application.common.formula_guard import guarded
from application.common.paging import ListQuery
from application.imports.batch import Batch
from application.imports.reading.columns import FIELD_SETS, IMPORTABLE
from application.imports.reading.dates import DateOrder
from application.imports.reading.fields import Noun
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.table import Choices, Encoding, Question, Separator
from application.imports.report import ImportDecision, Report, RowResult, lines_named
from application.imports.rows.row_importer import Outcome
from domain.common.policy import Actor

Command = TypeVar("Command", bound=Callable[..., None])

# Number of refused rows on the screen; the file of --refused has all of them.
_MAX_PRINTED_ROWS = 50

_ABOUT = {
    Noun.PRODUCTS: "products, known by code, or by GTIN or name where the file has no codes",
    Noun.PATIENTS: "patients, known by record number, or else by names and date of birth",
    Noun.STAFF: "staff members, known by names and date of birth",
    Noun.AREAS: "areas, known by name",
    Noun.ROOMS: "rooms, known by name and area; an area that is not there is made",
    Noun.USERS: "users without a password, known by email; existing accounts stay as they are",
    Noun.CONSUMPTION: "consumption: a file with a row for each supply that a patient used, or a folder as Synthea "
    "writes it. A patient's day of admission is a sheet",
}


@click.group("import")
def import_group() -> None:
    """Import files: CSV, TSV and other text, XLSX, XLS, ODS, HTML, XML tables.

    XML is that of SpreadsheetML. The layout of a file is detected from its content and printed. If something is
    ambiguous, the command asks for an option. A file is imported as a whole or not at all: refused rows prevent the
    import unless --good-rows is given.
    """


def _options(noun: Noun) -> Callable[[Command], Command]:
    options = [
        click.argument("file", type=OtherFile()),
        click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help=_fields_of(noun)),
        click.option("--sheet", help="Sheet of a workbook."),
        click.option("--header-row", type=click.IntRange(0), help="Line with the column names; 0: no such line."),
        click.option(
            "--decimal",
            type=click.Choice([mark.value for mark in DecimalMark]),
            help="Decimal mark: with point, 1.234 is a fraction.",
        ),
        click.option(
            "--dates",
            type=click.Choice([order.value for order in DateOrder]),
            help="Order of dates: with day-first, 03/04/2026 is in April.",
        ),
        click.option("--encoding", type=click.Choice([*Encoding]), help="Encoding of a text file."),
        click.option("--separator", type=click.Choice([*Separator]), help="Separator of columns in a text file."),
        click.option("--dry-run", is_flag=True, help="Write nothing, and print what each row would do."),
        click.option("--good-rows", is_flag=True, help="Import valid rows even if others are rejected."),
        click.option("--accept-warnings", is_flag=True, help="Import rows with the warnings that --dry-run prints."),
        click.option("--leave-out", default="", metavar="LINES", help="Line numbers to skip, such as 12,15-20."),
        click.option(
            "--refused",
            "refused_file",
            type=OtherFile(dir_okay=False),
            help="File for the rejected rows with their reasons, to correct and import again.",
        ),
        AS_USER,
    ]
    if noun is Noun.PRODUCTS:
        for name in ("price", "name", "code"):
            options.insert(1, click.option(f"--{name}", help=f"The column with the {name}: short for --map {name}=…"))

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def _fields_of(noun: Noun) -> str:
    return f"Which column fills which field: {', '.join(field.name for field in FIELD_SETS[noun].fields)}."


def _make(noun: Noun) -> None:
    """Create the command of one noun."""

    @import_group.command(noun.value, help=_help(noun))
    @_options(noun)
    def command(file: Path, mapping: tuple[str, ...], email: str | None, **options: Any) -> None:
        columns = dict(_pair(noun, pair) for pair in mapping)
        columns |= {name: options.pop(name) for name in ("code", "name", "price") if options.get(name)}
        choices = Choices(
            encoding=Encoding(options["encoding"]) if options["encoding"] else None,
            separator=Separator(options["separator"]) if options["separator"] else None,
            sheet=options["sheet"],
            header_row=options["header_row"],
            decimal=DecimalMark(options["decimal"]) if options["decimal"] else None,
            dates=DateOrder(options["dates"]) if options["dates"] else None,
            mapping=columns,
        )
        settings = read_settings()
        must_be_current(settings)
        with container_of(settings) as container:
            actor = actor_of(container, email)
            _run(
                container,
                actor,
                _read_batch(container, actor, file, noun, choices),
                ImportDecision(
                    good_rows=options["good_rows"],
                    all_warnings=options["accept_warnings"],
                    leave_out=_lines(options["leave_out"]),
                ),
                dry_run=options["dry_run"],
                refused_file=options["refused_file"],
            )


def _help(noun: Noun) -> str:
    return (
        f"Bring in {_ABOUT[noun]}.\n\nExit status: 0 when all rows were taken, 1 when some were refused or nothing was "
        "kept; --dry-run ends with the status that the import would have."
    )


for each in IMPORTABLE:
    _make(each)


@import_group.command("list")
@AS_USER
def list_imports(email: str | None) -> None:
    """List imports as CSV on standard output, latest first."""
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        out = csv.writer(sys.stdout)
        out.writerow(["id", "at", "user", "noun", "file", "created", "changed", "unchanged", "refused", "undone_at"])
        for one in container.use_cases().imports.reader.iterate(actor_of(container, email), ListQuery()):
            counts = [one["created"], one["changed"], one["unchanged"], one["refused"]]
            undone = one["undone_at"].isoformat() if one["undone_at"] else ""
            out.writerow(
                [
                    one["id"],
                    one["at"].isoformat(),
                    guarded(one["user"]["email"]),
                    one["noun"],
                    guarded(one["file_name"]),
                    *counts,
                    undone,
                ]
            )


@import_group.command("undo")
@click.argument("import_id", type=click.IntRange(1))
@AS_USER
def undo_import(import_id: int, email: str | None) -> None:
    """Undo an import by its number while nothing depends on it.

    “consumo import list” prints the numbers.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        undone = container.use_cases().imports.undo(actor_of(container, email), import_id)
        console.print(f"Undone: {undone.created} created, {undone.changed} changed.", highlight=False)


def _pair(noun: Noun, text: str) -> tuple[str, str]:
    field, _, column = text.partition("=")
    if FIELD_SETS[noun].field(field.strip()) is None:
        raise click.UsageError(f"--map {text}: there is no field “{field}”. {_fields_of(noun)}")
    return field.strip(), column.strip()


def _read_batch(container: Container, actor: Actor, file: Path, noun: Noun, choices: Choices) -> Batch:
    """Read the file and print its layout; exit if a question is open."""
    try:
        if noun is Noun.CONSUMPTION and is_synthea(file):
            return open_synthea(file)
        layout, batch = container.use_cases().imports.read_file(actor, file, noun, choices)
    except OSError as error:
        raise click.ClickException(f"{error.filename or file}: {error.strerror}.") from None
    for finding in layout.findings:
        console.print(f"[dim]{messages.finding('en', finding)}[/]", highlight=False)
    if layout.questions:
        raise click.ClickException(" ".join(_format_question(question) for question in layout.questions))
    return batch


def _format_question(question: Question) -> str:
    """Format a question with the options that answer it."""
    name = question.about.replace("_", "-")
    if question.about == "column":
        options = " or ".join(f"--map {question.field}=“{column}”" for column in question.options[:20])
        if question.suggestion:
            options = f"--map {question.field}=“{question.suggestion}”, as its content suggests; or {options}"
    elif question.about == "header_row":
        options = "--header-row with its line, or --header-row 0 and --map with A, B, …"
    else:
        options = " or ".join(f"--{name} {option}" for option in question.options)
        if question.suggestion:
            options = f"--{name} {question.suggestion}, as its content suggests; or {options}"
    return f"{messages.question('en', question)} Give {options}."


def _lines(text: str) -> frozenset[int]:
    try:
        return lines_named(text)
    except ValueError:
        raise click.UsageError(f"--leave-out {text}: name lines as in 12,15-20.") from None


def _run(
    container: Container,
    actor: Actor,
    batch: Batch,
    decision: ImportDecision,
    *,
    dry_run: bool,
    refused_file: Path | None,
) -> None:
    import_rows = container.use_cases().imports.run
    with progress(batch.noun.value.capitalize(), batch.count) as advance:
        listener = _Listener(advance, rows=dry_run)
        if dry_run:
            report = import_rows.check(actor, batch, listener, leave_out=decision.leave_out)
        else:
            report = import_rows(actor, batch, listener, decision=decision)
    if refused_file and listener.refused:
        with refused_file.open("w", encoding="utf-8", newline="") as out:
            file = RefusedRows(out, batch.columns, "en")
            for row in listener.refused:
                file.add(row.cells, row.reasons)
    if dry_run:
        rows = csv.writer(sys.stdout)
        rows.writerow(["line", "outcome", "row", "why"])
        rows.writerows([row.line, row.outcome.value, guarded(row.label), guarded(_why(row))] for row in listener.rows)
    _print_report(listener, report, decision, dry_run=dry_run, refused_file=refused_file)


class _Listener:
    """Collects the results of rows and advances the progress bar."""

    def __init__(self, advance: Callable[[int], None], *, rows: bool) -> None:
        self.refused: list[RowResult] = []
        self.warned: list[RowResult] = []
        self.rows: list[RowResult] = []
        self._advance, self._all = advance, rows
        self._row_count = 0

    def begin(self, total: int) -> None:
        """Start, or start again: earlier rows are discarded."""
        del total
        self._advance(-self._row_count)
        self._row_count = 0
        self.refused.clear()
        self.warned.clear()
        self.rows.clear()

    def row(self, result: RowResult) -> None:
        """Count a row, and keep it if it is printed later."""
        self._row_count += 1
        self._advance(1)
        if result.outcome is Outcome.REFUSED:
            self.refused.append(result)
        if result.warnings:
            self.warned.append(result)
        if self._all:
            self.rows.append(result)


def _why(row: RowResult) -> str:
    changed = (f"{name}: {before} → {after}" for name, (before, after) in row.changes.items())
    return "; ".join(filter(None, [said(row.reasons), said(row.warnings), *changed]))


def _print_report(
    listener: _Listener, report: Report, decision: ImportDecision, *, dry_run: bool, refused_file: Path | None
) -> None:
    if not dry_run:
        _print_rows([(row.line, said(row.reasons)) for row in listener.refused], "--refused FILE writes all of them")
        if not report.kept:
            warned = [(row.line, f"warning: {said(row.warnings)}") for row in listener.warned]
            _print_rows(warned, "--dry-run tells all of them")
    if listener.refused and refused_file:
        console.print(f"The refused rows are in {refused_file}.", highlight=False, markup=False)
    if report.also:
        console.print(f"Also created: {', '.join(f'{count} {kind}' for kind, count in report.also.items())}.")
    created, changed = report.created, report.changed
    can_be_saved = report.can_be_saved(decision)
    if dry_run:
        console.print("A dry run: nothing was kept.")
    if not can_be_saved:
        ways = []
        if report.refused and not decision.good_rows:
            ways.append("Correct the refused rows, or give --good-rows.")
        if report.warned and not decision.all_warnings:
            ways.append("Look at the warnings, and give --accept-warnings, or --leave-out for rows that are not meant.")
        kept = "The import would keep nothing as it is." if dry_run else "Nothing was kept."
        console.print(
            f"{kept} {' '.join(ways)} Then {created} would be created and {changed} changed.", highlight=False
        )
        if not dry_run:
            created = changed = 0
    elif report.import_id:
        console.print(f"This is import {report.import_id}; “consumo import undo {report.import_id}” takes it back.")
    counts = [f"{created} created", f"{changed} changed", f"{report.unchanged} unchanged", f"{report.refused} refused"]
    counts += [f"{count} {what}" for count, what in ((report.left_out, "left out"), (report.warned, "warned")) if count]
    console.print(", ".join(counts), highlight=False)
    if report.refused or not can_be_saved:
        sys.exit(1)


def _print_rows(rows: Sequence[tuple[int, str]], rest: str) -> None:
    for line, text in rows[:_MAX_PRINTED_ROWS]:
        console.print(f"line {line}: {text}", highlight=False, markup=False)
    if len(rows) > _MAX_PRINTED_ROWS:
        console.print(f"… and {len(rows) - _MAX_PRINTED_ROWS} more: {rest}.", highlight=False)
