"""Recognition of patients' numbers and names among scanned texts."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    String,
    bindparam,
    cast,
    exists,
    func,
    literal_column,
    null,
    or_,
    select,
    union,
)

from adapters.sql.catalogue.tables import rooms, unknown_codes
from adapters.sql.engine.lists import escape_like
from adapters.sql.engine.row_shape import Computed, RowShape
from adapters.sql.people.patients import HAD_RECORD_NUMBER
from adapters.sql.people.tables import RECORD_WITHOUT_ZEROS, patient_identifiers, patients
from adapters.sql.sheets.tables import IS_OPEN, sheets
from application.people.ports import NumberOwner
from application.people.scanned_views import PlaceView, ScannedPersonView, ScannedSheetView
from domain.common.text import code_key, strip_leading_zeros
from domain.people.patient import KEPT_SEPARATORS, NUMBERS_OF_SHAPE, number_shape, number_spellings

_KEY = patients.c.record_key.type
_IDENTIFIES = patient_identifiers.c.system == literal_column("'record_number'")
_SPELLINGS = ("as_read", "upper", "lower", "swapped")

_IS_KNOWN = select(
    or_(
        exists().where(RECORD_WITHOUT_ZEROS.in_(bindparam("bare", expanding=True, type_=_KEY))),
        exists().where(_IDENTIFIES, patient_identifiers.c.value_key.in_(bindparam("keys", expanding=True, type_=_KEY))),
        exists().where(sheets.c.visit_number.in_(bindparam("spellings", expanding=True))),
    )
)
# As in ``SqlPatientKeys.are_known``, for stored codes. A GTIN has leading zeros.
_NOTED_BARE = func.ltrim(func.rtrim(unknown_codes.c.code_key, literal_column("'*'")), literal_column("'*0'"))
IS_PATIENTS = or_(
    exists().where(_NOTED_BARE == RECORD_WITHOUT_ZEROS),
    exists().where(_IDENTIFIES, patient_identifiers.c.value_key == unknown_codes.c.code_key),
    exists().where(sheets.c.visit_number == unknown_codes.c.code),
)


class SqlPatientKeys:
    """Texts that may be a patient's number or name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def are_known(self, numbers: Sequence[str]) -> bool:
        """Return whether one is a record number, former one or visit number."""
        all_spellings = [number_spellings(number) for number in numbers]
        keys = [code_key(spellings[0]) for spellings in all_spellings]
        params = {
            "bare": [strip_leading_zeros(key) for key in keys],
            "keys": keys,
            "spellings": list(dict.fromkeys(it for spellings in all_spellings for it in spellings)),
        }
        found = self._connection.execute(_IS_KNOWN, params).one_or_none()
        return bool(found and found[0])

    def have_shape(self, shapes: Collection[str]) -> bool:
        """Return whether one of the latest record numbers has such a shape."""
        rows = self._connection.execute(_LATEST_NUMBERS)
        return any(number_shape(number) in shapes for (number,) in rows)

    def is_name(self, words: Sequence[str]) -> bool:
        """Return whether a patient's name has all these words."""
        having = (_NAMES.like(f"% {escape_like(word)} %", escape="\\") for word in words)
        return bool(self._connection.execute(select(exists().where(*having))).scalar_one())


_NAMES = literal_column("' '", String) + patients.c.sort_folded + literal_column("' '")
_LATEST_NUMBERS = (
    select(patients.c.record_number)
    .where(patients.c.record_key.is_not(None))
    .order_by(patients.c.id.desc())
    .limit(literal_column(str(NUMBERS_OF_SHAPE)))
)

_NO_SHEET = cast(null(), BigInteger)
_GOES_ON = func.coalesce(patients.c.merged_into, patients.c.id).label("patient_id")
_OF_PATIENT = select(_GOES_ON, _NO_SHEET.label("sheet_id"))
_OF_SHEET = select(sheets.c.patient_id, sheets.c.id.label("sheet_id"))
_HAVING = union(
    _OF_PATIENT.where(patients.c.record_key == bindparam("exactly", type_=_KEY)),
    _OF_PATIENT.where(patients.c.id.in_(HAD_RECORD_NUMBER)),
    _OF_SHEET.where(sheets.c.visit_number.in_([bindparam(name) for name in _SPELLINGS])),
)


def _record_code() -> Any:
    code: Any = patients.c.record_key
    for sign in KEPT_SEPARATORS:
        code = func.replace(code, literal_column(f"'{sign}'"), literal_column("''"))
    return code


# The pattern of first and last character is cheap, and leaves few rows to compare.
_HAVING_CODE = _OF_PATIENT.where(
    patients.c.record_key.like(bindparam("edges"), escape="\\"), _record_code() == bindparam("code", type_=_KEY)
)
_OF_PATIENT_ID = _OF_PATIENT.where(patients.c.id == bindparam("patient_id"))
_OF_SHEET_ID = _OF_SHEET.where(sheets.c.id == bindparam("sheet_id"))
_PERSON = RowShape[ScannedPersonView](
    ScannedPersonView,
    patients,
    # Set below, from the owners of the number and by another statement.
    names={"sheet_id": Computed(lambda: None), "sheets": Computed(list)},
)
_PEOPLE = select(*_PERSON.columns).where(patients.c.id.in_(bindparam("ids", expanding=True))).order_by(patients.c.id)
_OPEN_SHEET = RowShape[ScannedSheetView](
    ScannedSheetView, sheets, names={"room": RowShape[PlaceView](PlaceView, rooms)}
)
_OPEN_SHEETS = (
    select(*_OPEN_SHEET.columns, sheets.c.patient_id)
    .join_from(sheets, rooms)
    .where(sheets.c.patient_id.in_(bindparam("ids", expanding=True)), IS_OPEN)
    .order_by(sheets.c.admission_date.desc(), sheets.c.id.desc())
)


class SqlPatientNumbers:
    """Owners of scanned numbers and labels."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def owners_of(self, number: str) -> list[NumberOwner]:
        """Return owners of a record number, former one or visit number."""
        spellings = dict(zip(_SPELLINGS, number_spellings(number), strict=True))
        return self._owners(_HAVING, {"exactly": code_key(number), **spellings})

    def having_code(self, code: str) -> list[NumberOwner]:
        """Return owners of a record number that is given without separators."""
        edges = f"{escape_like(code[:1])}%{escape_like(code[1:][-1:])}"
        return self._owners(_HAVING_CODE, {"code": code, "edges": edges})

    def of_patient(self, patient_id: int) -> list[NumberOwner]:
        """Return that patient."""
        return self._owners(_OF_PATIENT_ID, {"patient_id": patient_id})

    def of_sheet(self, sheet_id: int) -> list[NumberOwner]:
        """Return the patient of a sheet."""
        return self._owners(_OF_SHEET_ID, {"sheet_id": sheet_id})

    def people(self, owners: Collection[NumberOwner]) -> list[ScannedPersonView]:
        """Return these patients without duplicates, by id."""
        ids = sorted({owner.patient_id for owner in owners})
        open_sheets: dict[int, list[ScannedSheetView]] = {id_: [] for id_ in ids}
        for row in self._connection.execute(_OPEN_SHEETS, {"ids": ids}):
            open_sheets[row.patient_id].append(_OPEN_SHEET.read(row))
        people = [_PERSON.read(row) for row in self._connection.execute(_PEOPLE, {"ids": ids})]
        for one in people:
            of_sheets = (owner.sheet_id for owner in owners if owner.patient_id == one["id"] and owner.sheet_id)
            one["sheet_id"] = next(of_sheets, None)
            one["sheets"] = open_sheets[one["id"]]
        return people

    def _owners(self, statement: Any, params: dict[str, Any]) -> list[NumberOwner]:
        return [NumberOwner(*row) for row in self._connection.execute(statement, params)]
