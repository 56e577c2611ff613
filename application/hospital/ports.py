"""The hospital's settings: stored, and as they apply in this process."""

from typing import Protocol

from domain.hospital.settings import EffectiveSettings, HospitalSettings, StoredHospital


class HospitalSettingsStore(Protocol):
    """The settings and the logo that administrators set."""

    def version(self) -> int:
        """Return the number of the last change; 0 if there is none."""

    def get(self) -> StoredHospital: ...

    def lock(self) -> StoredHospital:
        """Return the settings, locked until this unit of work ends."""

    def save(self, stored: StoredHospital) -> None: ...


class CurrentHospital(Protocol):
    """The settings that apply in this process."""

    @property
    def environment(self) -> HospitalSettings:
        """Return what the server sets: it wins over what is stored."""

    @property
    def settings(self) -> EffectiveSettings:
        """Return the settings that apply now."""

    def apply(self, stored: StoredHospital) -> None:
        """Let what is stored apply from now on."""
