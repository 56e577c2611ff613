"""Store former record numbers, in memory."""

from adapters.memory.data import MemoryData
from domain.text import code_key


class MemoryFormerRecordNumbers:
    """Record numbers of merged records."""

    def __init__(self, data: MemoryData) -> None:
        self._numbers = data.former_record_numbers

    def add(self, patient_id: int, number: str) -> None:
        """Let the number find that patient."""
        self._numbers[code_key(number)] = (patient_id, number)

    def remove(self, number: str) -> None:
        """Let the number find no patient."""
        self._numbers.pop(code_key(number), None)

    def of(self, patient_id: int) -> list[str]:
        """List the patient's former numbers, oldest first."""
        return [number for whose, number in self._numbers.values() if whose == patient_id]

    def whose(self, number: str) -> int | None:
        """Return the patient whom that number finds."""
        return self._numbers.get(code_key(number), (None,))[0]
