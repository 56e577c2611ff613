"""How a file is read: findings, reasons, questions and sample rows."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypedDict, cast

from adapters.i18n import messages
from application.imports.reading.cells import shown
from application.imports.reading.columns import FIELD_SETS
from application.imports.reading.dates import DateOrder
from application.imports.reading.fields import Field, Kind, Noun
from application.imports.reading.layout import FileLayout
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.row import Row
from application.imports.reading.table import Detection, Encoding, Question, Separator

# Length to which a long cell is shown.
_MAX_LETTERS = 200

# The field types that each style concerns.
_STYLE_KINDS = {"decimal": (Kind.NUMBER, Kind.MONEY), "dates": (Kind.DAY, Kind.BIRTHDAY, Kind.MOMENT)}


class ChoiceOption(TypedDict):
    """An option: its value on the wire and its label."""

    value: str
    label: str


class FileSetting(TypedDict):
    """A setting of the file's layout, with its reason and alternatives.

    A setting with a ``question`` must be answered before the import; ``suggestion`` is the likeliest answer by content.
    """

    about: Literal["sheet", "encoding", "separator", "header_row", "decimal", "dates"]
    value: str | None
    reason: str | None
    question: str | None
    suggestion: str | None
    options: list[ChoiceOption]


class FileField(TypedDict):
    """A field and its column; ``options`` are the candidate columns."""

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
    """A row of the file with the parsed value or the error of each field."""

    line: int
    cells: list[str]
    read: dict[str, str]
    wrong: dict[str, str]


class FileReading(TypedDict):
    """How a file is read as one noun; ``notes`` are findings without a choice."""

    noun: Noun
    rows: int
    notes: list[str]
    settings: list[FileSetting]
    columns: list[str]
    fields: list[FileField]
    sample: list[SampleRow]
    unanswered: int


class LikelyReading(TypedDict):
    """The candidate nouns, the likeliest first, and the reading as one noun.

    The reading is that of the requested noun, otherwise of the first candidate. It is null if none was requested and
    there is no clear candidate: the user has to choose.
    """

    nouns: list[Noun]
    reading: FileReading | None


def describe_layout(layout: FileLayout, sample: Sequence[Row], language: str) -> FileReading:
    shape = FIELD_SETS[layout.noun]
    about_file = [found for found in layout.findings if not found.what.startswith("column.")]
    settings = _settings(layout, language)
    listed = {setting["about"] for setting in settings}
    asked = {question.about for question in layout.questions}
    kinds = {kind for about, kinds in _STYLE_KINDS.items() if about in asked for kind in kinds}
    unclear = {one.name for one in shape.fields if one.kind in kinds}
    return FileReading(
        noun=layout.noun,
        rows=layout.rows,
        notes=[messages.finding(language, found) for found in about_file if found.what not in listed],
        settings=settings,
        columns=list(layout.columns),
        fields=[_field(one, layout, one.name in shape.needed, language) for one in shape.fields],
        sample=[_sample_row(row, layout, unclear, language) for row in sample],
        unanswered=len(layout.questions),
    )


def _settings(layout: FileLayout, language: str) -> list[FileSetting]:
    """List the layout's settings: no separator for a workbook, for example.

    The date order is left out if the file has no dates.
    """
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


def _sample_row(row: Row, layout: FileLayout, unclear: Collection[str], language: str) -> SampleRow:
    """Build a sample row; fields with an open question have no value yet."""
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
    """Truncate a long text."""
    return text if len(text) <= _MAX_LETTERS else f"{text[: _MAX_LETTERS - 1]}…"
