"""Contract of every store: the hospital's settings and its logo."""

from dataclasses import replace
from datetime import time
from decimal import Decimal

from domain.hospital.settings import HospitalSettings, Logo, NumberFormat, StoredHospital
from tests.builders import AnyStore

EVERYTHING = HospitalSettings(
    name="Hospital San José",
    address=("Av. Amazonas 123", "Quito"),
    tax_number="1790000000001",
    letterhead=(),
    time_zone="America/Guayaquil",
    currency="USD",
    number_format=NumberFormat.COMMA,
    idle_minutes=0,
    ask_above_total=Decimal("99.50"),
    shift_starts=(time(7, 30), time(19, 30)),
)


def test_nothing_is_stored_at_first(store: AnyStore) -> None:
    with store.begin_read_only() as work:
        assert work.hospital_settings.version() == 0
        assert work.hospital_settings.get() == StoredHospital()
    with store.begin() as work:
        assert work.hospital_settings.lock() == StoredHospital()


def test_settings_and_logo_are_read_as_they_were_saved(store: AnyStore) -> None:
    stored = StoredHospital(
        settings=EVERYTHING, logo=Logo(b"\x89PNG\x00", "image/png", 320, 80), logo_version=2, version=2
    )
    with store.begin() as work:
        work.hospital_settings.lock()
        work.hospital_settings.save(stored)
    with store.begin_read_only() as work:
        assert work.hospital_settings.version() == 2
        assert work.hospital_settings.get() == stored
    less = replace(stored, settings=HospitalSettings(name=""), logo=None, logo_version=3, version=3)
    with store.begin() as work:
        assert work.hospital_settings.lock() == stored
        work.hospital_settings.save(less)
    with store.begin_read_only() as work:
        assert work.hospital_settings.get() == less
