"""Audit entries of changes: user, time, old and new values, no secrets."""

from collections.abc import Callable
from dataclasses import asdict
from decimal import Decimal

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.look_up_product import Lookup
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.people.patients import PatientDraft
from application.people.staff import StaffDraft
from application.session.change_own_account import AccountDraft
from application.session.sign_in import Credentials
from application.sheets.reopen_sheet import ReopenDraft
from application.users.draft import UserDraft
from application.users.password_links import digest_of
from application.views.details import DetailQuery
from application.views.sheets import SheetQuery
from domain.policy import GRANTS, Actor, Role
from tests.builders import PASSWORD, QuickPasswords, Ward
from tests.use_cases.accounts import NEW_PASSWORD, ask_for_letter, choose, secret_of
from tests.use_cases.stored import audit_log


def do_everything(ward: Ward) -> None:
    """Run one of each change of sheets and details."""
    use_cases, admin = ward.use_cases, ward.admin
    sheet_id = ward.sheet()["id"]
    ward.clock.advance(minutes=1)
    use_cases.sheets.update(ward.nurse, sheet_id, ward.sheet_draft(doctor="Dr. Sol"))
    detail_id = ward.detail(sheet_id, "2", by=ward.nurse)["id"]
    use_cases.details.edit(ward.supervisor, detail_id, ward.detail_draft("3", area_id=ward.area_id))
    use_cases.sheets.close(ward.nurse, sheet_id)
    use_cases.sheets.reopen(admin, sheet_id, ReopenDraft(reason="Sobraba una gasa"))
    use_cases.details.delete(admin, detail_id)
    use_cases.sheets.delete(ward.supervisor, sheet_id)
    newcomer = ward.register("new@consumo.test", Role.USER)
    use_cases.session.sign_in(Credentials(email="new@consumo.test", password=PASSWORD))
    use_cases.account.complete_profile(newcomer, StaffDraft(name="Luz", first_surname="Gil"))
    use_cases.account.complete_profile(newcomer, StaffDraft(name="Luz", first_surname="Gil", job_title="Enfermera"))
    use_cases.users.assign_profile(admin, newcomer.user_id, None)
    ward.staff("Luis", "Sanz")
    keep_accounts(ward, newcomer)
    keep_up(ward)


def keep_accounts(ward: Ward, newcomer: Actor) -> None:
    """Run one of each change of accounts."""
    use_cases, admin = ward.use_cases, ward.admin
    invited = use_cases.users.invite(ward.supervisor, UserDraft(email="luz@consumo.test", role=1), "es")
    choose(ward, invited.activation)
    use_cases.users.update(admin, newcomer.user_id, UserDraft(email="newer@consumo.test", role=2))
    use_cases.account.change(newcomer, AccountDraft(email="newest@consumo.test", current_password=PASSWORD))
    new_password = AccountDraft(
        email="newest@consumo.test",
        password=NEW_PASSWORD,
        password_confirmation=NEW_PASSWORD,
        current_password=PASSWORD,
    )
    use_cases.account.change(newcomer, new_password)
    use_cases.users.create_reset_link(ward.supervisor, newcomer.user_id)
    ask_for_letter(ward, "newest@consumo.test")
    ask_for_letter(ward, "unknown@consumo.test")
    use_cases.users.delete(admin, newcomer.user_id)


def keep_up(ward: Ward) -> None:
    """Update and delete one of each thing that sheets and details refer to."""
    use_cases, admin = ward.use_cases, ward.admin
    use_cases.patients.update(ward.nurse, ward.patient_id, PatientDraft(name="Ana", first_surname="Ríos Mora"))
    use_cases.patients.delete(ward.supervisor, ward.patient_id)
    use_cases.rooms.update(admin, ward.room_id, RoomDraft(name="102", status=2, type=1, area_id=ward.area_id))
    use_cases.rooms.delete(admin, ward.room_id)
    use_cases.areas.update(admin, ward.area_id, AreaDraft(name="UCI"))
    use_cases.areas.delete(admin, ward.area_id)
    gauze = ProductDraft(name="Gasa", price=Decimal(1), category_id=ward.category_id)
    use_cases.products.update(admin, ward.product_id, gauze)
    use_cases.products.delete(admin, ward.product_id)
    use_cases.categories.update(admin, ward.category_id, CategoryDraft(code="X", name="Otra"))
    use_cases.categories.delete(admin, ward.category_id)
    person = ward.staff("Inés", "Vega")
    use_cases.staff.update(admin, person.id, StaffDraft(name="Inés", first_surname="Vera"))
    use_cases.staff.delete(admin, person.id)


def test_every_change_writes_one_entry(ward: Ward) -> None:
    before = audit_log(ward)
    do_everything(ward)
    assert [(entry.action, entry.entity) for entry in before] == [
        ("user.registered", "user"),
        ("user.registered", "user"),
        ("user.registered", "user"),
        ("profile.completed", "staff"),
        ("area.created", "area"),
        ("category.created", "category"),
        ("room.created", "room"),
        ("patient.created", "patient"),
        ("product.created", "product"),
    ]
    assert [(entry.action, entry.entity) for entry in audit_log(ward)[len(before) :]] == [
        ("sheet.opened", "consumption_sheet"),
        ("sheet.updated", "consumption_sheet"),
        ("detail.added", "consumption_detail"),
        ("detail.edited", "consumption_detail"),
        ("sheet.closed", "consumption_sheet"),
        ("sheet.reopened", "consumption_sheet"),
        ("detail.voided", "consumption_detail"),
        ("detail.deleted", "consumption_detail"),
        ("sheet.deleted", "consumption_sheet"),
        ("user.registered", "user"),
        ("session.signed_in", "user"),
        ("profile.completed", "staff"),
        ("profile.updated", "staff"),
        ("user.profile_assigned", "user"),
        ("staff.created", "staff"),
        ("user.invited", "user"),
        ("user.password_chosen", "user"),
        ("user.updated", "user"),
        ("user.account_changed", "user"),
        ("user.password_changed", "user"),
        ("user.reset_link_handed_out", "user"),
        ("user.reset_link_mailed", "user"),
        ("user.reset_requested", "user"),
        ("user.deleted", "user"),
        ("patient.updated", "patient"),
        ("patient.deleted", "patient"),
        ("room.updated", "room"),
        ("room.deleted", "room"),
        ("area.updated", "area"),
        ("area.deleted", "area"),
        ("product.updated", "product"),
        ("product.deleted", "product"),
        ("category.updated", "category"),
        ("category.deleted", "category"),
        ("staff.created", "staff"),
        ("staff.updated", "staff"),
        ("staff.deleted", "staff"),
    ]


def test_an_entry_has_user_and_time(ward: Ward) -> None:
    ward.clock.advance(hours=5)
    sheet = ward.use_cases.sheets.open(ward.nurse, ward.sheet_draft()).answer
    entry = audit_log(ward)[-1]
    assert (entry.user_id, entry.at, entry.entity_id) == (ward.nurse.user_id, ward.clock.now, sheet["id"])


def test_the_entry_of_an_addition_has_all_values(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2.5", by=ward.nurse)
    assert audit_log(ward)[-1].changes == {
        "sheet_id": (None, sheet_id),
        "product_id": (None, ward.product_id),
        "staff_id": (None, ward.nurse.staff_id),
        "user_id": (None, ward.nurse.user_id),
        "quantity": (None, "2.500"),
        "unit_price": (None, "12.50"),
        "total": (None, "31.25"),
        "created_at": (None, "2091-05-03T12:00:00+00:00"),
        "day": (None, "2091-05-03"),
        "room_id": (None, ward.room_id),
    }


def test_the_entry_of_a_change_has_only_old_and_new_values(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail = ward.detail(sheet_id, "2")
    ward.use_cases.details.edit(ward.admin, detail["id"], ward.detail_draft("3"))
    assert audit_log(ward)[-1].changes == {"quantity": ("2.000", "3.000"), "total": ("25.00", "37.50")}
    ward.use_cases.sheets.update(ward.admin, sheet_id, ward.sheet_draft(doctor="Dr. Sol"))
    assert audit_log(ward)[-1].changes == {"doctor": ("Dra. Vega", "Dr. Sol")}


def test_the_entry_of_a_deletion_has_all_values(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], "2.5", by=ward.nurse)
    added = audit_log(ward)[-1]
    ward.use_cases.details.delete(ward.admin, detail["id"])
    deleted = audit_log(ward)[-1]
    assert deleted.changes == {field: (after, before) for field, (before, after) in added.changes.items()}
    assert deleted.user_id == ward.admin.user_id


def test_the_first_registration_has_no_user(ward: Ward) -> None:
    assert audit_log(ward)[0].user_id is None


def test_no_entry_has_a_password_a_hash_or_a_token(ward: Ward) -> None:
    do_everything(ward)
    token = ward.use_cases.session.sign_in(Credentials(email="user@consumo.test", password=PASSWORD))
    session_id = ward.use_cases.session.identify(token).session_id
    reported = repr([asdict(entry) for entry in audit_log(ward)])
    password_links = [secret_of(letter.url) for letter in ward.postbox.letters if letter.url]
    assert len(password_links) == 2
    hashes = [QuickPasswords().hash(password) for password in (PASSWORD, NEW_PASSWORD)]
    for secret in (
        PASSWORD,
        NEW_PASSWORD,
        *hashes,
        token,
        session_id,
        *password_links,
        *map(digest_of, password_links),
    ):
        assert secret not in reported


READS_AS_A_PROGRAM: dict[str, Callable[[Ward, Actor, int], object]] = {
    "consumption_sheet.read": lambda ward, program, sheet_id: ward.use_cases.sheets.reader.one(program, sheet_id),
    "consumption_sheet.listed": lambda ward, program, _: ward.use_cases.sheets.reader.page(program, SheetQuery()),
    "consumption_sheet.exported": lambda ward, program, sheet_id: list(
        ward.use_cases.details.reader.iterate(program, DetailQuery(consumption_sheet_id=sheet_id))
    ),
    "patient.read": lambda ward, program, _: ward.use_cases.patients.reader.one(program, ward.patient_id),
    "sheet.printed": lambda ward, program, sheet_id: ward.use_cases.sheets.print(program, sheet_id),
    "sheet.copied_from": lambda ward, program, sheet_id: ward.use_cases.sheets.list_repeatable(
        program, sheet_id, from_sheet=ward.sheet()["id"]
    ),
    "unknown_code.ignored": lambda ward, program, _: ward.use_cases.products.ignore_unknown_code(
        program, "code", "ZZ-1"
    ),
}


@pytest.mark.parametrize("action", READS_AS_A_PROGRAM)
def test_reads_prints_and_decisions_of_a_program_name_its_key(ward: Ward, action: str) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.products.look_up(ward.nurse, Lookup(scan="ZZ-1"))
    program = Actor(
        user_id=9, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=GRANTS[Role.SERVICE_ACCOUNT], api_key_id=4
    )
    READS_AS_A_PROGRAM[action](ward, program, sheet_id)
    entries = [entry for entry in audit_log(ward) if entry.action == action]
    assert entries
    assert {(entry.user_id, entry.api_key_id) for entry in entries} == {(9, 4)}
