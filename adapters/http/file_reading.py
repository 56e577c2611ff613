"""How a file is read, as it is told: what was found out and why, what has to be asked, and the first rows."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypedDict, cast

from adapters.i18n import messages
from application.imports.reading.cells import shown
from application.imports.reading.columns import FIELD_SETS, Field, Kind, Noun
from application.imports.reading.dates import DateOrder
from application.imports.reading.layout import FileLayout
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.rows import Row
from application.imports.reading.table import Detection, Encoding, Question, Separator

# Of what is long in a cell so many letters are shown.
_MAX_LETTERS = 200

# What each style is of.
_WRITTEN = {"decimal": (Kind.NUMBER, Kind.MONEY), "dates": (Kind.DAY, Kind.BIRTHDAY, Kind.MOMENT)}


class ChoiceOption(TypedDict):
    """One of what may be chosen, as it is sent back and as it is shown."""

    value: str
    label: str


class FileSetting(TypedDict):
    """One thing about how the file is read: what it is, why, and what else it could be.

    With a ``question`` it must be chosen before anything is brought in; ``suggestion`` is what the content speaks for.
    """

    about: Literal["sheet", "encoding", "separator", "header_row", "decimal", "dates"]
    value: str | None
    reason: str | None
    question: str | None
    suggestion: str | None
    options: list[ChoiceOption]


class FileField(TypedDict):
    """A field that a column may fill, and which one does: ``options`` are the columns that are in question."""

    name: str
    label: str
    kind: Kind
    needed: bool
    column: str | None
    reason: str | None
    question: str | None
    suggestion: str | None
    options: list[str]


class SampleRow(TypedDict):
    """A row as it stands in the file, and by field what it is read as, or why it cannot be."""

    line: int
    cells: list[str]
    read: dict[str, str]
    wrong: dict[str, str]


class FileReading(TypedDict):
    """How a file is read as one noun; ``notes`` is what was found out and cannot be chosen otherwise."""

    noun: Noun
    rows: int
    notes: list[str]
    settings: list[FileSetting]
    columns: list[str]
    fields: list[FileField]
    sample: list[SampleRow]
    unanswered: int


class LikelyReading(TypedDict):
    """What may be in the file, the likeliest first, and how it is read as what was asked for or else as the first.

    Where nothing was asked for and nobody could tell, there is no reading: a person has to say what it is.
    """

    nouns: list[Noun]
    reading: FileReading | None


def describe_layout(layout: FileLayout, sample: Sequence[Row], language: str) -> FileReading:
    shape = FIELD_SETS[layout.noun]
    about_file = [found for found in layout.findings if not found.what.startswith("column.")]
    settings = _settings(layout, language)
    told = {setting["about"] for setting in settings}
    asked = {question.about for question in layout.questions}
    kinds = {kind for about, kinds in _WRITTEN.items() if about in asked for kind in kinds}
    unclear = {one.name for one in shape.fields if one.kind in kinds}
    return FileReading(
        noun=layout.noun,
        rows=layout.rows,
        notes=[messages.finding(language, found) for found in about_file if found.what not in told],
        settings=settings,
        columns=list(layout.columns),
        fields=[_field(one, layout, one.name in shape.needed, language) for one in shape.fields],
        sample=[_sampled(row, layout, unclear, language) for row in sample],
        unanswered=len(layout.questions),
    )


def _settings(layout: FileLayout, language: str) -> list[FileSetting]:
    """What may be chosen of this file: not its separator where it is a workbook, and no dates where it has none."""
    findings = {found.what: found for found in layout.findings}
    questions = {asked.about: asked for asked in layout.questions}
    options: Mapping[str, Sequence[str]] = {
        "sheet": layout.sheets if len(layout.sheets) > 1 else (),
        "encoding": tuple(Encoding),
        "separator": tuple(Separator),
        "header_row": ("0",),
        "decimal": tuple(DecimalMark),
        "dates": tuple(DateOrder),
    }
    return [
        _setting(about, findings.get(about), questions.get(about), values, layout, language)
        for about, values in options.items()
        if values and (about in findings or about in questions)
    ]


def _setting(
    about: str,
    found: Detection | None,
    asked: Question | None,
    values: Sequence[str],
    layout: FileLayout,
    language: str,
) -> FileSetting:
    options = [
        ChoiceOption(value=value, label=messages.import_word(language, f"value.{value}") or value) for value in values
    ]
    if about == "header_row":
        options[0]["label"] = messages.import_word(language, "no_header")
        options += [_as_header(row.line, row.cells, language) for row in layout.head]
    return FileSetting(
        about=cast("Any", about),
        value=found.value if found and not asked else None,
        reason=messages.finding(language, found) if found and not asked else None,
        question=messages.question(language, asked) if asked else None,
        suggestion=asked.suggestion if asked else None,
        options=options,
    )


def _as_header(line: int, cells: Sequence[Any], language: str) -> ChoiceOption:
    text = " · ".join(shown_text for cell in cells if (shown_text := shown(cell)))
    return ChoiceOption(
        value=str(line), label=messages.import_word(language, "line").format(line=line, text=short(text))
    )


def _field(one: Field, layout: FileLayout, needed: bool, language: str) -> FileField:
    found = next((found for found in layout.findings if found.what == f"column.{one.name}"), None)
    asked = next((asked for asked in layout.questions if asked.about == "column" and asked.field == one.name), None)
    return FileField(
        name=one.name,
        label=messages.field(language, one.name),
        kind=one.kind,
        needed=needed,
        column=layout.named_mapping.get(one.name),
        reason=messages.finding(language, found) if found else None,
        question=messages.question(language, asked) if asked else None,
        suggestion=asked.suggestion if asked else None,
        options=list(asked.options) if asked else [],
    )


def _sampled(row: Row, layout: FileLayout, unclear: Collection[str], language: str) -> SampleRow:
    """The row; what is not clear yet how to read is not told as if it were."""
    cells = [short(shown(cell)) for cell in row.raw.cells[: len(layout.columns)]]
    return SampleRow(
        line=row.line,
        cells=cells + [""] * (len(layout.columns) - len(cells)),
        read={
            name: short(str(value)) for name, value in row.values.items() if value is not None and name not in unclear
        },
        wrong={
            reason.field or "": messages.refusal(language, row.quoting(reason))
            for reason in row.faults
            if reason.field not in unclear
        },
    )


def short(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= _MAX_LETTERS else f"{text[: _MAX_LETTERS - 1]}…"
