"""What each change leaves in the trail: who, when, what, before and after, and no secrets."""

from dataclasses import asdict

from application.session.sign_in import Credentials
from application.sheets.reopen_sheet import ReopenDraft
from application.staff import StaffDraft
from domain.policy import Role
from tests.builders import PASSWORD, QuickPasswords, Ward
from tests.use_cases.kept import trail


def do_everything(ward: Ward) -> None:
    """One of everything that changes something."""
    use_cases, admin = ward.use_cases, ward.admin
    sheet_id = ward.sheet()["id"]
    ward.clock.advance(minutes=1)
    use_cases.update_sheet(ward.nurse, sheet_id, ward.sheet_draft(doctor="Dr. Sol"))
    detail_id = ward.detail(sheet_id, "2", by=ward.nurse)["id"]
    use_cases.edit_detail(ward.supervisor, detail_id, ward.detail_draft("3", area_id=ward.area_id))
    use_cases.close_sheet(ward.nurse, sheet_id)
    use_cases.reopen_sheet(admin, sheet_id, ReopenDraft(reason="Sobraba una gasa"))
    use_cases.delete_detail(admin, detail_id)
    use_cases.delete_sheet(ward.supervisor, sheet_id)
    newcomer = ward.register("new@consumo.test", Role.USER)
    use_cases.sign_in(Credentials(email="new@consumo.test", password=PASSWORD))
    use_cases.complete_profile(newcomer, StaffDraft(name="Luz", first_surname="Gil"))
    use_cases.complete_profile(newcomer, StaffDraft(name="Luz", first_surname="Gil", job_title="Enfermera"))
    use_cases.assign_profile(admin, newcomer.user_id, None)
    ward.staff("Luis", "Sanz")


def test_every_change_leaves_one_entry_that_tells_what_was_done(ward: Ward) -> None:
    before = trail(ward)
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
    assert [(entry.action, entry.entity) for entry in trail(ward)[len(before) :]] == [
        ("sheet.opened", "consumption_sheet"),
        ("sheet.updated", "consumption_sheet"),
        ("detail.added", "consumption_detail"),
        ("detail.edited", "consumption_detail"),
        ("sheet.closed", "consumption_sheet"),
        ("sheet.reopened", "consumption_sheet"),
        ("detail.deleted", "consumption_detail"),
        ("sheet.deleted", "consumption_sheet"),
        ("user.registered", "user"),
        ("session.signed_in", "user"),
        ("profile.completed", "staff"),
        ("profile.updated", "staff"),
        ("user.profile_assigned", "user"),
        ("staff.created", "staff"),
    ]


def test_an_entry_tells_who_did_it_and_when(ward: Ward) -> None:
    ward.clock.advance(hours=5)
    sheet = ward.use_cases.open_sheet(ward.nurse, ward.sheet_draft()).answer
    entry = trail(ward)[-1]
    assert (entry.user_id, entry.at, entry.entity_id) == (ward.nurse.user_id, ward.clock.now, sheet["id"])


def test_an_addition_tells_all_that_was_added(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2.5", by=ward.nurse)
    assert trail(ward)[-1].changes == {
        "sheet_id": (None, sheet_id),
        "product_id": (None, ward.product_id),
        "staff_id": (None, ward.nurse.staff_id),
        "user_id": (None, ward.nurse.user_id),
        "quantity": (None, "2.500"),
        "unit_price": (None, "12.50"),
        "total": (None, "31.25"),
        "created_at": (None, "2091-05-03T12:00:00+00:00"),
        "day": (None, "2091-05-03"),
    }


def test_a_correction_tells_what_was_before_and_what_is_after_and_nothing_else(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail = ward.detail(sheet_id, "2")
    ward.use_cases.edit_detail(ward.admin, detail["id"], ward.detail_draft("3"))
    assert trail(ward)[-1].changes == {"quantity": ("2.000", "3.000"), "total": ("25.00", "37.50")}
    ward.use_cases.update_sheet(ward.admin, sheet_id, ward.sheet_draft(doctor="Dr. Sol"))
    assert trail(ward)[-1].changes == {"doctor": ("Dra. Vega", "Dr. Sol")}


def test_a_deletion_tells_all_that_was_deleted(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], "2.5", by=ward.nurse)
    added = trail(ward)[-1]
    ward.use_cases.delete_detail(ward.admin, detail["id"])
    deleted = trail(ward)[-1]
    assert deleted.changes == {field: (after, before) for field, (before, after) in added.changes.items()}
    assert deleted.user_id == ward.admin.user_id


def test_who_is_registered_by_nobody_is_registered_by_nobody(ward: Ward) -> None:
    assert trail(ward)[0].user_id is None


def test_no_entry_holds_a_password_its_hash_or_a_token(ward: Ward) -> None:
    do_everything(ward)
    token = ward.use_cases.sign_in(Credentials(email="user@consumo.test", password=PASSWORD))
    session_id = ward.use_cases.identify(token).session_id
    told = repr([asdict(entry) for entry in trail(ward)])
    for secret in (PASSWORD, QuickPasswords().hash(PASSWORD), token, session_id):
        assert secret not in told
