"""Reader of Synthea folders: patients, encounters, providers, supplies.

Joined, they are rows of consumption: an encounter is an admission, a supply a detail, and an ended encounter a sheet
that is closed at the encounter's end.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from adapters.spreadsheets.open_table import open_table
from application.imports.batch import Batch
from application.imports.read_file import digest_of
from application.imports.reading.cells import RawRow, shown
from application.imports.reading.fields import Noun
from application.imports.reading.row import Row, Value
from application.imports.reading.table import Choices, Separator, Table, listed
from domain.common.errors import Code, Reason, Refused

_FILES = {
    "patients": ("Id", "BIRTHDATE", "FIRST", "LAST"),
    "encounters": ("Id", "START", "STOP", "PATIENT", "PROVIDER", "DESCRIPTION", "REASONDESCRIPTION"),
    "providers": ("Id", "NAME"),
    "supplies": ("DATE", "PATIENT", "ENCOUNTER", "CODE", "DESCRIPTION", "QUANTITY"),
}
_GIVEN = frozenset(
    {
        "record_number", "patient_name", "patient_first_surname", "date_of_birth", "admission_number", "admission_date",
        "discharge_date", "diagnosis", "doctor", "product_code", "product_name", "quantity", "created_at",
    }
)  # fmt: skip

Named = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _File:
    """One of the files, with the names of its columns."""

    table: Table
    columns: tuple[str, ...]

    def rows(self) -> Iterator[tuple[RawRow, Named]]:
        """Yield the rows below the header with their values by column name.

        Faulty rows have no values.
        """
        for row in self.table.rows(""):
            if row.line > 1 and not row.is_empty():
                cells = [""] if row.fault else [shown(cell) for cell in row.cells]
                cells += [""] * len(self.columns)
                yield row, dict(zip(self.columns, cells, strict=False))


def is_synthea(path: Path) -> bool:
    """Return whether the path is a folder and not a file."""
    return path.is_dir()


def open_synthea(folder: Path) -> Batch:
    """Open a folder. Raise ``Refused`` for missing columns.

    Raise ``OSError`` for missing files.
    """
    files = {name: _open(folder / f"{name}.csv", columns) for name, columns in _FILES.items()}
    supplies = files["supplies"]
    return Batch(
        noun=Noun.CONSUMPTION,
        file_name=folder.name,
        count=sum(1 for _ in supplies.rows()),
        given=_GIVEN,
        columns=supplies.columns,
        digest=digest_of(*(folder / f"{name}.csv" for name in _FILES)),
        rows=lambda: _rows(files),
    )


def _open(path: Path, wanted: tuple[str, ...]) -> _File:
    table = open_table(path, Choices(separator=Separator.COMMA))
    columns = tuple(shown(cell) for cell in next(table.rows("")).cells)
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise Refused(
            Reason(Code.FILE_COLUMN_UNKNOWN, "column", {"value": listed(missing), "columns": listed(columns)})
        )
    return _File(table, columns)


def _rows(files: Mapping[str, _File]) -> Iterator[Row]:
    patients = {row["Id"]: row for _, row in files["patients"].rows()}
    encounters = {row["Id"]: row for _, row in files["encounters"].rows()}
    providers = {row["Id"]: row["NAME"] for _, row in files["providers"].rows()}
    for raw, supply in files["supplies"].rows():
        if raw.fault:
            yield Row(raw.line, {}, (raw.fault,), raw)
            continue
        encounter = encounters.get(supply["ENCOUNTER"])
        patient = patients.get(encounter["PATIENT"]) if encounter else None
        if encounter is None or patient is None:
            unknown = Reason(Code.REFERENCE_UNKNOWN, "admission_number")
            yield Row(raw.line, {"admission_number": supply["ENCOUNTER"]}, (unknown,), raw)
        else:
            yield _row(raw, supply, encounter, patient, providers.get(encounter["PROVIDER"], ""))


def _row(raw: RawRow, supply: Named, encounter: Named, patient: Named, doctor: str) -> Row:
    values: dict[str, Value] = {
        "record_number": patient["Id"],
        "patient_name": patient["FIRST"],
        "patient_first_surname": patient["LAST"],
        "admission_number": encounter["Id"],
        "diagnosis": encounter["REASONDESCRIPTION"] or encounter["DESCRIPTION"],
        "doctor": doctor,
        "product_code": supply["CODE"],
        "product_name": supply["DESCRIPTION"],
    }
    unreadable: list[Reason] = []

    def read(name: str, text: str, code: Code, reader: Callable[[str], Value]) -> None:
        try:
            values[name] = reader(text)
        except (ValueError, ArithmeticError):
            unreadable.append(Reason(code, name, {"value": text}))

    if supply["QUANTITY"]:
        read("quantity", supply["QUANTITY"], Code.NUMBER_EXPECTED, Decimal)
    if patient["BIRTHDATE"]:
        read("date_of_birth", patient["BIRTHDATE"], Code.DATE_EXPECTED, date.fromisoformat)
    if encounter["STOP"]:
        read("discharge_date", encounter["STOP"], Code.DATE_EXPECTED, _moment)
    read("admission_date", encounter["START"], Code.DATE_EXPECTED, _moment)
    read("created_at", supply["DATE"], Code.DATE_EXPECTED, date.fromisoformat)
    start, day = values.get("admission_date"), values.get("created_at")
    if isinstance(start, datetime) and isinstance(day, date):
        # The file has only the day. On the day of admission, nothing was used before the admission.
        values["created_at"] = datetime.combine(day, start.timetz())
    return Row(raw.line, values, tuple(unreadable), raw)


def _moment(text: str) -> datetime:
    """Parse a moment with a time zone.

    Raise ``ValueError`` or ``OverflowError`` for anything else.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    moment.astimezone(UTC)
    return moment
