"""The hospital's settings as they apply in this process now."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo
from typing import Generic, TypeVar

from adapters.hospital.profile import HospitalProfile, profile_of
from application.work import Begin
from domain.hospital.settings import EffectiveSettings, HospitalSettings, StoredHospital, effective

Built = TypeVar("Built")


class CurrentHospital:
    """Holds what the environment sets, over what is stored.

    A worker refreshes it every few seconds, and at once when it saved a change itself.
    """

    def __init__(self, environment: HospitalSettings) -> None:
        self.environment = environment
        self._is_demonstration: bool | None = None
        self.apply(StoredHospital())

    def apply(self, stored: StoredHospital) -> None:
        """Let what is stored apply from now on."""
        settings = effective(self.environment, stored.settings)
        # Replaced as one object, because other threads read it meanwhile.
        profile = profile_of(settings, stored.logo, stored.logo_version)
        self._now = (stored, settings, replace(profile, is_demonstration=bool(self._is_demonstration)))

    def refresh(self, begin_read_only: Begin, is_demonstration: Callable[[Begin], bool | None]) -> None:
        """Read what is stored if it has changed: usually one statement.

        ``is_demonstration`` tells whether the data is that of the demonstration, and is called until it is known.
        """
        if self._is_demonstration is None:
            self._is_demonstration = is_demonstration(begin_read_only)
            if self._is_demonstration:
                self.apply(self.stored)
        with begin_read_only() as work:
            if work.hospital_settings.version() != self.stored.version:
                self.apply(work.hospital_settings.get())

    @property
    def stored(self) -> StoredHospital:
        """Return what administrators have set."""
        return self._now[0]

    @property
    def settings(self) -> EffectiveSettings:
        """Return the settings that apply now."""
        return self._now[1]

    @property
    def profile(self) -> HospitalProfile:
        """Return the hospital's data for paper and files."""
        return self._now[2]

    def zone(self) -> tzinfo:
        """Return the time zone that applies now."""
        return self.profile.zone


class OfHospital(Generic[Built]):
    """A value that is built again when the hospital's settings have changed."""

    def __init__(self, hospital: CurrentHospital, build: Callable[[], Built]) -> None:
        self._hospital, self._build = hospital, build
        self._lock = threading.Lock()
        self._built: tuple[EffectiveSettings, Built] | None = None

    def __call__(self) -> Built:
        settings, built = self._hospital.settings, self._built
        if built is None or built[0] is not settings:
            with self._lock:
                built = self._built
                if built is None or built[0] is not settings:
                    built = self._built = settings, self._build()
        return built[1]
