"""The hospital's settings: what applies, who wins, and what is audited."""

from dataclasses import replace
from datetime import time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from adapters.files.images import read_logo
from adapters.hospital.current_hospital import CurrentHospital, OfHospital
from application.hospital.settings import (
    ChangeHospitalSettings,
    PreviewHospitalSettings,
    ReadHospitalSettings,
    RemoveHospitalLogo,
    SetHospitalLogo,
)
from domain.common.errors import Code, Refused, VersionConflict
from domain.common.policy import Actor, Role
from domain.hospital.settings import HospitalSettings, NumberFormat, StoredHospital, from_letterhead
from tests.builders import ZONE, SettableClock, a_hospital_draft, an_image
from tests.stores import InMemoryStore
from tests.use_cases.stored import Kept

ADMIN = Actor(user_id=1, role=Role.ADMIN, staff_id=None)
DRAFT = a_hospital_draft(time_zone="UTC", currency="USD")


class Office:
    """The use cases of the settings, on a store in memory."""

    def __init__(self, environment: HospitalSettings = HospitalSettings()) -> None:  # noqa: B008 - immutable
        self.store = InMemoryStore(ZONE)
        self.hospital = CurrentHospital(environment)
        clock = SettableClock()
        self.read = ReadHospitalSettings(self.store.begin_read_only, self.hospital)
        self.change = ChangeHospitalSettings(self.store.begin, clock, self.hospital)
        self.preview = PreviewHospitalSettings(self.store.begin_read_only, self.hospital)
        self.set_logo = SetHospitalLogo(self.store.begin, clock, self.hospital, read_logo)
        self.remove_logo = RemoveHospitalLogo(self.store.begin, clock, self.hospital)

    def entries(self) -> list[tuple[str, dict[str, Any]]]:
        return [(one.action, one.changes) for one in reversed(Kept(self.store).audit_log)]


def reasons(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str, str | None]]:
    return [(reason.code, reason.field) for reason in refused.value.reasons]


def test_a_change_applies_without_a_restart() -> None:
    office = Office()
    saved = office.change(
        ADMIN,
        replace(
            DRAFT,
            name="  Hospital  San José ",
            address=("Av. Amazonas 123", " ", "Quito"),
            tax_number="RUC 1790",
            letterhead=("Tel. 2 345",),
            time_zone="America/Guayaquil",
            currency="MXN",
            number_format="point",
            idle_minutes=0,
            ask_above_total=Decimal("99.5"),
            shift_starts=("19:30", "07:30"),
        ),
        frozenset({0}),
    )
    assert saved["version"] == 1
    now = office.hospital.settings
    assert now.lines == ("Hospital San José", "Av. Amazonas 123", "Quito", "RUC 1790", "Tel. 2 345")
    assert (now.zone, now.currency, now.number_format) == (ZoneInfo("America/Guayaquil"), "MXN", NumberFormat.POINT)
    assert (now.idle_minutes, now.ask_above_total) == (0, Decimal("99.50"))
    assert now.shift_starts == (time(7, 30), time(19, 30))
    assert office.hospital.profile.letterhead == now.lines
    assert office.read(ADMIN) == saved


def test_what_the_server_sets_wins_and_cannot_be_changed() -> None:
    office = Office(HospitalSettings(time_zone="America/Bogota"))
    assert office.read(ADMIN)["fixed"] == ["time_zone"]
    # What was read may be sent back, or left out.
    for zone in ("America/Bogota", None):
        office.change(ADMIN, replace(DRAFT, time_zone=zone, name=f"H {zone}"))
    with pytest.raises(Refused) as refused:
        office.change(ADMIN, replace(DRAFT, time_zone="America/Lima"))
    assert reasons(refused) == [(Code.SETTING_FIXED, "time_zone")]
    office.hospital.apply(StoredHospital(settings=HospitalSettings(time_zone="Europe/Madrid"), version=9))
    assert office.hospital.settings.time_zone == "America/Bogota"


def test_a_letterhead_of_the_server_is_the_whole_one() -> None:
    office = Office(from_letterhead(("San José", "Quito")))
    office.hospital.apply(StoredHospital(settings=HospitalSettings(address=("Elsewhere",)), version=1))
    assert office.hospital.settings.lines == ("San José", "Quito")
    assert office.read(ADMIN)["fixed"] == ["address", "letterhead", "name", "tax_number"]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "x" * 121, Code.TEXT_TOO_LONG),
        ("address", ("x" * 121,), Code.TEXT_TOO_LONG),
        ("letterhead", tuple("abcdef"), Code.LETTERHEAD_TOO_LONG),
        ("time_zone", "America/Nowhere", Code.TIME_ZONE_UNKNOWN),
        ("time_zone", "../../etc/passwd", Code.TIME_ZONE_UNKNOWN),
        ("time_zone", None, Code.REQUIRED),
        ("currency", "dollars", Code.CURRENCY_INVALID),
        ("number_format", "roman", Code.CHOICE_UNKNOWN),
        ("idle_minutes", -1, Code.NUMBER_OUT_OF_RANGE),
        ("idle_minutes", 1441, Code.NUMBER_OUT_OF_RANGE),
        ("ask_above_total", Decimal(-1), Code.NEGATIVE),
        ("shift_starts", ("06:00",), Code.SHIFTS_INVALID),
        ("shift_starts", ("06:00", "06:00"), Code.SHIFTS_INVALID),
        ("shift_starts", ("06:00", "24:00"), Code.SHIFTS_INVALID),
        ("shift_starts", (), Code.REQUIRED),
    ],
)
def test_an_invalid_setting_is_refused(field: str, value: Any, code: Code) -> None:
    office = Office()
    for use_case in (office.change, office.preview):
        with pytest.raises(Refused) as refused:
            use_case(ADMIN, replace(DRAFT, **{field: value}))
        assert reasons(refused) == [(code, field)]
    assert office.entries() == []
    assert office.hospital.stored == StoredHospital()


def test_two_administrators_do_not_overwrite_each_other() -> None:
    office = Office()
    office.change(ADMIN, DRAFT, frozenset({0}))
    with pytest.raises(VersionConflict):
        office.change(ADMIN, replace(DRAFT, name="Other"), frozenset({0}))
    with pytest.raises(VersionConflict):
        office.set_logo(ADMIN, an_image(), frozenset({0}))
    assert office.hospital.settings.name == "San José"


def test_the_audit_log_has_values_before_and_after() -> None:
    office = Office()
    office.change(ADMIN, DRAFT)
    office.change(ADMIN, replace(DRAFT, time_zone="America/Lima", ask_above_total=Decimal(300)))
    # Nothing changes, and nothing is noted.
    office.change(ADMIN, replace(DRAFT, time_zone="America/Lima", ask_above_total=Decimal(300)))
    assert office.entries() == [
        ("hospital.updated", {"time_zone": ("UTC", "America/Lima"), "ask_above_total": ("500.00", "300.00")}),
        ("hospital.updated", {"name": ("", "San José")}),
    ]
    assert office.hospital.stored.version == 2


def test_a_preview_stores_nothing() -> None:
    office = Office()
    assert office.preview(ADMIN, replace(DRAFT, name="Unsaved")).lines == ("Unsaved",)
    assert office.read(ADMIN)["name"] == ""


def test_a_logo_is_set_replaced_and_removed() -> None:
    office = Office()
    first = office.set_logo(ADMIN, an_image("PNG", (320, 80)))
    assert first["logo_version"] == 1
    logo = office.hospital.profile.logo
    assert logo is not None
    assert (logo.media_type, logo.width, logo.height) == ("image/png", 320, 80)
    assert office.set_logo(ADMIN, an_image("JPEG", (80, 80)))["logo_version"] == 2
    assert office.remove_logo(ADMIN)["logo_version"] is None
    assert office.hospital.profile.logo is None
    actions = [(action, changes["logo"][1] is None) for action, changes in office.entries()]
    assert actions == [("hospital.logo_changed", True), *[("hospital.logo_changed", False)] * 2]


def test_a_large_logo_is_reduced_in_proportion() -> None:
    office = Office()
    office.set_logo(ADMIN, an_image("PNG", (4000, 1000)))
    logo = office.hospital.profile.logo
    assert logo is not None
    assert (logo.width, logo.height) == (1200, 300)


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (b"", Code.REQUIRED),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", Code.LOGO_UNREADABLE),
        (an_image("GIF"), Code.LOGO_UNREADABLE),
        (an_image()[:60], Code.LOGO_UNREADABLE),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 100, Code.LOGO_UNREADABLE),
        # It would unpack to 25 megapixels.
        (an_image(size=(5000, 5000)), Code.LOGO_UNREADABLE),
        (b"x" * 200_001, Code.LOGO_TOO_LARGE),
    ],
)
def test_what_is_no_logo_is_refused(image: bytes, code: Code) -> None:
    office = Office()
    with pytest.raises(Refused) as refused:
        office.set_logo(ADMIN, image)
    assert reasons(refused) == [(code, "logo")]


def test_whether_this_is_a_demonstration_is_asked_until_known() -> None:
    store, hospital = Office().store, CurrentHospital(HospitalSettings())
    answers = iter([None, True])
    for known in (False, True, True):
        hospital.refresh(store.begin_read_only, lambda _: next(answers))
        assert hospital.profile.is_demonstration is known


def test_another_process_reads_a_change() -> None:
    office, other = Office(), CurrentHospital(HospitalSettings())
    built: list[str] = []
    value = OfHospital(other, lambda: built.append(other.settings.name))
    value()
    other.refresh(office.store.begin_read_only, lambda _: False)
    value()
    assert built == [""]
    office.change(ADMIN, DRAFT)
    other.refresh(office.store.begin_read_only, lambda _: False)
    value()
    value()
    assert built == ["", "San José"]
