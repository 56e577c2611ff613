"""Deleting a user: sign-in ends, and recorded details keep the name."""

import pytest

from application.accounts.users.draft import UserDraft
from application.accounts.views import UserQuery
from application.audit.views import AuditQuery
from application.people.views import StaffQuery
from domain.common.errors import Code, InvalidCredentials, NotFound, Unauthenticated
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.accounts.signed_in import choose, sign_in, user_of, works
from tests.use_cases.stored import audit_log, nothing_written

NURSE = "user@consumo.test"


def test_sessions_end_at_once_and_sign_in_is_refused(ward: Ward) -> None:
    tokens, others = [sign_in(ward, NURSE), sign_in(ward, NURSE)], sign_in(ward, "supervisor@consumo.test")
    ward.use_cases.users.delete(ward.supervisor, ward.nurse.user_id)
    assert [works(ward, token) for token in (*tokens, others)] == [False, False, True]
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE)


def test_links_of_a_deleted_user_are_invalid(ward: Ward) -> None:
    handed_out = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, handed_out)


def test_a_request_of_a_deleted_user_is_unauthenticated(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    with pytest.raises(Unauthenticated):
        ward.use_cases.account.read(ward.nurse)


def test_the_profile_is_free_for_another_user(ward: Ward) -> None:
    staff_id = ward.nurse.staff_id or 0
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    unassigned = ward.use_cases.staff.reader.page(ward.admin, StaffQuery(unassigned=True))["items"]
    assert [(person["id"], person["user_id"]) for person in unassigned] == [(staff_id, None)]
    draft = UserDraft(email="other@consumo.test", role=1, staff_id=staff_id)
    assert ward.use_cases.users.invite(ward.admin, draft, "es").user["staff_id"] == staff_id


def test_the_email_is_free_for_another_user(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    invited = ward.use_cases.users.invite(ward.admin, UserDraft(email=NURSE, role=2), "es")
    assert invited.user["id"] != ward.nurse.user_id
    choose(ward, invited.activation, "dos termómetros y una gasa")
    token = sign_in(ward, NURSE, "dos termómetros y una gasa")
    assert ward.use_cases.session.identify(token).actor.user_id == invited.user["id"]
    # Two deleted users may have had the same email.
    ward.use_cases.users.delete(ward.admin, invited.user["id"])
    ward.use_cases.users.invite(ward.admin, UserDraft(email=NURSE, role=1), "es")


def test_a_deleted_user_is_in_no_list_and_not_found(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    listed = [user["id"] for user in ward.use_cases.users.reader.page(ward.admin, UserQuery())["items"]]
    assert ward.nurse.user_id not in listed
    for again in (
        lambda: ward.use_cases.users.reader.one(ward.admin, ward.nurse.user_id),
        lambda: ward.use_cases.users.delete(ward.admin, ward.nurse.user_id),
        lambda: ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id),
    ):
        with nothing_written(ward), pytest.raises(NotFound):
            again()


def test_recorded_details_keep_the_users_name(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], by=ward.nurse)
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    kept_detail = ward.use_cases.details.reader.one(ward.admin, detail["id"])
    assert (kept_detail["user_id"], kept_detail["staff_id"]) == (ward.nurse.user_id, ward.nurse.staff_id)
    assert kept_detail["staff"]
    assert kept_detail["staff"]["name"] == "Nuria"
    reported = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(user_id=ward.nurse.user_id))["items"]
    assert {entry["action"] for entry in reported} == {"profile.completed", "detail.added"}
    assert [entry["user"] for entry in reported] == [{"id": ward.nurse.user_id, "email": NURSE}] * 2


def test_a_deletion_is_logged_without_the_hash(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.supervisor, ward.nurse.user_id)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.entity_id, entry.user_id) == (
        "user.deleted",
        ward.nurse.user_id,
        ward.supervisor.user_id,
    )
    assert entry.changes == {"staff_id": (ward.nurse.staff_id, None), "deleted": (False, True)}
    assert user_of(ward, ward.nurse.user_id).password_hash is None


def test_the_last_administrator_cannot_be_deleted(ward: Ward) -> None:
    """The actor was an administrator when the request began."""
    chief = ward.register("chief@consumo.test", Role.ADMIN)
    ward.use_cases.users.delete(chief, ward.admin.user_id)
    with nothing_written(ward), refused(Code.LAST_ADMINISTRATOR):
        ward.use_cases.users.delete(ward.admin, chief.user_id)


def test_deleting_a_missing_user_is_not_found(ward: Ward) -> None:
    for user_id in (99, 0):
        with nothing_written(ward), pytest.raises(NotFound):
            ward.use_cases.users.delete(ward.admin, user_id)


def test_a_deleted_user_cannot_get_a_profile(ward: Ward) -> None:
    deleted = ward.register("luz@consumo.test", Role.USER)
    ward.use_cases.users.delete(ward.admin, deleted.user_id)
    person = ward.staff("Luz", "Gil")
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.users.assign_profile(ward.admin, deleted.user_id, person.id)
