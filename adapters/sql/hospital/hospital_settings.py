"""The hospital's settings and logo: one row."""

from datetime import time
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.hospital.tables import hospital_settings
from domain.hospital.settings import HospitalSettings, Logo, NumberFormat, StoredHospital
from domain.hospital.use_reason import UseReason

_ID = HospitalSettings.id
_VERSION = select(hospital_settings.c.version)
_ROW = select(hospital_settings)
_LOCKED_ROW = _ROW.with_for_update()
_SAVE = hospital_settings.update()
# Without a row there would be nothing to lock.
_EMPTY = {"id": _ID, "version": 0, "logo_version": 0}
_ENSURE_ROW = {
    "postgresql": postgresql.insert(hospital_settings).on_conflict_do_nothing(),
    "sqlite": sqlite.insert(hospital_settings).on_conflict_do_nothing(),
}


class SqlHospitalSettings:
    """The settings and the logo that administrators set."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def version(self) -> int:
        """Return the number of the last change; 0 if there is none."""
        return self._connection.execute(_VERSION).scalar() or 0

    def get(self) -> StoredHospital:
        """Return the settings."""
        return _stored(self._connection.execute(_ROW).one_or_none())

    def lock(self) -> StoredHospital:
        """Return the settings, locked until this unit of work ends."""
        self._connection.execute(_ENSURE_ROW[self._connection.dialect.name], _EMPTY)
        return _stored(self._connection.execute(_LOCKED_ROW).one())

    def save(self, stored: StoredHospital) -> None:
        """Store the settings, whose row is locked."""
        settings, logo = stored.settings, stored.logo
        starts = settings.shift_starts
        row = settings.given | {
            "shift_starts": None if starts is None else tuple(f"{start:%H:%M}" for start in starts),
            "version": stored.version,
            "logo_version": stored.logo_version,
            "logo": logo and logo.image,
            "logo_type": logo and logo.media_type,
            "logo_width": logo and logo.width,
            "logo_height": logo and logo.height,
        }
        self._connection.execute(_SAVE, row)


def _stored(row: Row[Any] | None) -> StoredHospital:
    if row is None:
        return StoredHospital()
    starts = row.shift_starts
    settings = HospitalSettings(
        name=row.name,
        address=row.address,
        tax_number=row.tax_number,
        letterhead=row.letterhead,
        time_zone=row.time_zone,
        currency=row.currency,
        number_format=None if row.number_format is None else NumberFormat(row.number_format),
        idle_minutes=row.idle_minutes,
        ask_above_total=row.ask_above_total,
        shift_starts=None if starts is None else tuple(time.fromisoformat(start) for start in starts),
        billed_waste=None if row.billed_waste is None else tuple(map(UseReason, row.billed_waste)),
    )
    logo = None if row.logo is None else Logo(bytes(row.logo), row.logo_type, row.logo_width, row.logo_height)
    return StoredHospital(settings=settings, logo=logo, logo_version=row.logo_version, version=row.version)
