"""The hospital's settings, in memory."""

from adapters.memory.data import MemoryData
from domain.hospital import HospitalSettings, StoredHospital


class MemoryHospitalSettings:
    """The settings and the logo that administrators set."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def version(self) -> int:
        """Return the number of the last change; 0 if there is none."""
        return self.get().version

    def get(self) -> StoredHospital:
        """Return the settings."""
        return self._data.hospital_settings.get(HospitalSettings.id, StoredHospital())

    # There is one writer.
    lock = get

    def save(self, stored: StoredHospital) -> None:
        self._data.hospital_settings[HospitalSettings.id] = stored
