"""Store former record numbers, in memory."""

from adapters.memory.data import MemoryData
from domain.text import unique_key


class MemoryFormerRecordNumbers:
    """Record numbers of merged records."""

    def __init__(self, data: MemoryData) -> None:
        self._numbers = data.former_record_numbers

    def add(self, patient_id: int, number: str) -> None:
        """Let the number find that patient."""
        self._numbers[unique_key(number)] = (patient_id, number)

    def remove(self, number: str) -> None:
        """Let the number find no patient."""
        self._numbers.pop(unique_key(number), None)

    def of(self, patient_id: int) -> list[str]:
        """List the patient's former numbers, oldest first."""
        return [number for whose, number in self._numbers.values() if whose == patient_id]

    def whose(self, number: str) -> int | None:
        """Return the patient whom that number finds."""
        return self._numbers.get(unique_key(number), (None,))[0]


class MemoryNumberAuthorities:
    """Assigning authorities of record numbers."""

    def __init__(self, data: MemoryData) -> None:
        self._authorities = data.number_authorities

    def patients_by_authority(self, number: str) -> dict[str, int]:
        """Return the patient whom the number means, for each authority."""
        return {name: patient for (key, name), patient in self._authorities.items() if key == unique_key(number)}

    def set_patient(self, number: str, authority: str, patient_id: int) -> None:
        self._authorities[unique_key(number), authority] = patient_id
