"""Recognition of patients' numbers and names, in memory."""

from collections.abc import Collection, Sequence

from adapters.memory.data import MemoryData
from application.ports.readers.people import NumberOwner
from application.views.sheets import PlaceView, ScannedPersonView, ScannedSheetView
from domain.patient import NUMBERS_OF_SHAPE, Patient, number_code, number_shape, number_spellings
from domain.text import code_key, sort_name, strip_leading_zeros


class MemoryPatientKeys:
    """Recognizes texts that may be a patient's number or name."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def is_known(self, number: str) -> bool:
        """Return whether it is a current or former record or visit number."""
        spellings = number_spellings(number)
        key = code_key(spellings[0])
        records = (one.record_number for one in self._data.patients.values() if one.record_number)
        return (
            any(strip_leading_zeros(record) == strip_leading_zeros(key) for record in records)
            or key in self._data.former_record_numbers
            or any(one.visit_number in spellings for one in self._data.sheets.values() if one.visit_number)
        )

    def has_shape(self, shape: str) -> bool:
        """Return whether one of the latest record numbers has that shape."""
        numbers = [one.record_number for one in self._data.patients.values() if one.record_number]
        return any(number_shape(number) == shape for number in numbers[-NUMBERS_OF_SHAPE:])

    def is_name(self, words: Sequence[str]) -> bool:
        """Return whether one patient's names contain all these whole words."""
        names = (sort_name(one.name, one.first_surname, one.second_surname) for one in self._data.patients.values())
        return any(set(words) <= set(name.split()) for name in names)


class MemoryPatientNumbers:
    """Finds the patients of scanned wristbands and labels."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def owners_of(self, number: str) -> list[NumberOwner]:
        """List patients by record number, former record number or visit number."""
        key, spellings = code_key(number), number_spellings(number)
        former, _ = self._data.former_record_numbers.get(key, (0, ""))
        having = [
            _owner(one)
            for one in self._data.patients.values()
            if one.id == former or (one.record_number is not None and code_key(one.record_number) == key)
        ]
        visits = [
            NumberOwner(one.patient_id, one.id) for one in self._data.sheets.values() if one.visit_number in spellings
        ]
        return having + visits

    def having_code(self, code: str) -> list[NumberOwner]:
        """List patients whose record number equals the code without separators."""
        return [
            _owner(one)
            for one in self._data.patients.values()
            if one.record_number is not None and number_code(one.record_number) == code
        ]

    def of_patient(self, patient_id: int) -> list[NumberOwner]:
        """Return that patient."""
        patient = self._data.patients.get(patient_id)
        return [_owner(patient)] if patient else []

    def of_sheet(self, sheet_id: int) -> list[NumberOwner]:
        """Return the patient of that sheet."""
        sheet = self._data.sheets.get(sheet_id)
        return [NumberOwner(sheet.patient_id, sheet.id)] if sheet else []

    def people(self, owners: Collection[NumberOwner]) -> list[ScannedPersonView]:
        """Return these patients, each once, by id."""
        return [
            ScannedPersonView(
                id=id_,
                name=self._data.patients[id_].name,
                first_surname=self._data.patients[id_].first_surname,
                second_surname=self._data.patients[id_].second_surname,
                record_number=self._data.patients[id_].record_number,
                date_of_birth=self._data.patients[id_].date_of_birth,
                sheet_id=next((owner.sheet_id for owner in owners if owner[0] == id_ and owner.sheet_id), None),
                sheets=self._open_sheets_of(id_),
            )
            for id_ in sorted({owner.patient_id for owner in owners})
        ]

    def _open_sheets_of(self, patient_id: int) -> list[ScannedSheetView]:
        of_patient = [one for one in self._data.sheets.values() if one.patient_id == patient_id and not one.closed]
        return [
            ScannedSheetView(
                id=one.id,
                room=PlaceView(id=one.room_id, name=self._data.rooms[one.room_id].name),
                admission_date=one.admission_date,
            )
            for one in sorted(of_patient, key=lambda one: (one.admission_date, one.id), reverse=True)
        ]


def _owner(patient: Patient) -> NumberOwner:
    return NumberOwner(patient.merged_into or patient.id, None)
