"""Which texts may be a patient's number, from memory."""

from adapters.memory.data import MemoryData
from domain.patient import number_spellings
from domain.text import unique_key, without_zeros


class MemoryPatientKeys:
    """Which texts may be a patient's number."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def is_known(self, number: str) -> bool:
        """Tell whether it is a record number, one of a record that was merged, or a visit's number."""
        spellings = number_spellings(number)
        key = unique_key(spellings[0])
        records = (one.record_number for one in self._data.patients.values() if one.record_number)
        return (
            any(without_zeros(record) == without_zeros(key) for record in records)
            or key in self._data.former_record_numbers
            or any(one.visit_number in spellings for one in self._data.sheets.values() if one.visit_number)
        )
