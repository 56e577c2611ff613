"""Updating another user's account."""

from dataclasses import replace

import pytest

from application.accounts.users.draft import UserDraft
from application.common.mail import MailMessage
from domain.common.errors import Code, NotFound, Reason
from domain.common.policy import Actor, Role
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.accounts.signed_in import choose, sign_in, user_of, works
from tests.use_cases.stored import audit_log, nothing_written

DRAFT = UserDraft(email="luz@consumo.test", role=1)


@pytest.fixture
def luz(ward: Ward) -> Actor:
    return ward.register("luz@consumo.test", Role.USER)


@pytest.fixture
def chief(ward: Ward) -> Actor:
    """Return a second administrator."""
    return ward.register("chief@consumo.test", Role.ADMIN)


def test_email_role_and_profile_are_changed_in_one_entry(ward: Ward, luz: Actor) -> None:
    person = ward.staff("Luz", "Gil")
    draft = UserDraft(email=" Luz.Gil@consumo.test ", role=2, staff_id=person.id)
    ward.clock.advance(minutes=1)
    before = len(audit_log(ward))
    changed = ward.use_cases.users.update(ward.supervisor, luz.user_id, draft)
    assert (changed.email, changed.role, changed.staff_id) == ("Luz.Gil@consumo.test", Role.SUPERVISOR, person.id)
    assert user_of(ward, luz.user_id) == changed
    (entry,) = audit_log(ward)[before:]
    assert (entry.action, entry.entity_id, entry.user_id) == ("user.updated", luz.user_id, ward.supervisor.user_id)
    assert entry.at == ward.clock.now
    assert entry.changes == {
        "email": ("luz@consumo.test", "Luz.Gil@consumo.test"),
        "role": (1, 2),
        "staff_id": (None, person.id),
    }


def test_an_update_without_changes_is_not_logged(ward: Ward, luz: Actor) -> None:
    token = sign_in(ward, "luz@consumo.test")
    with nothing_written(ward):
        ward.use_cases.users.update(ward.admin, luz.user_id, DRAFT)
    assert works(ward, token)


def test_a_new_role_ends_the_sessions_at_once(ward: Ward, luz: Actor) -> None:
    token, others = sign_in(ward, "luz@consumo.test"), sign_in(ward, "user@consumo.test")
    ward.use_cases.users.update(ward.admin, luz.user_id, replace(DRAFT, role=2))
    assert not works(ward, token)
    assert works(ward, others)
    assert ward.use_cases.session.identify(sign_in(ward, "luz@consumo.test")).actor.role is Role.SUPERVISOR


def test_a_new_email_or_profile_does_not_end_sessions(ward: Ward, luz: Actor) -> None:
    token = sign_in(ward, "luz@consumo.test")
    person = ward.staff("Luz", "Gil")
    ward.use_cases.users.update(ward.admin, luz.user_id, replace(DRAFT, email="gil@consumo.test", staff_id=person.id))
    assert ward.use_cases.session.identify(token).actor.staff_id == person.id
    assert sign_in(ward, "gil@consumo.test")


@pytest.mark.parametrize("staff_id", [0, None])
def test_a_draft_without_a_profile_removes_the_profile(ward: Ward, staff_id: int | None) -> None:
    draft = UserDraft(email="user@consumo.test", role=1, staff_id=staff_id)
    assert ward.use_cases.users.update(ward.admin, ward.nurse.user_id, draft).staff_id is None
    assert ward.use_cases.staff.reader.one(ward.admin, ward.nurse.staff_id or 0)["user_id"] is None


def test_a_user_can_keep_their_email_and_profile(ward: Ward) -> None:
    draft = UserDraft(email="USER@consumo.test", role=1, staff_id=ward.nurse.staff_id)
    changed = ward.use_cases.users.update(ward.admin, ward.nurse.user_id, draft)
    assert (changed.email, changed.staff_id) == ("USER@consumo.test", ward.nurse.staff_id)


def test_the_password_is_not_changed(ward: Ward, luz: Actor) -> None:
    ward.use_cases.users.update(ward.admin, luz.user_id, replace(DRAFT, email="gil@consumo.test", password="x" * 20))
    assert sign_in(ward, "gil@consumo.test")


def test_all_errors_of_a_user_are_reported_at_once(ward: Ward, luz: Actor) -> None:
    draft = UserDraft(
        email="admin@consumo.test", role=0, staff_id=99, parse_errors=(Reason(Code.TEXT_EXPECTED, "note"),)
    )
    with (
        nothing_written(ward),
        refused(
            (Code.TEXT_EXPECTED, "note"),
            (Code.TAKEN, "email"),
            (Code.CHOICE_UNKNOWN, "role"),
            (Code.REFERENCE_UNKNOWN, "staff_id"),
        ),
    ):
        ward.use_cases.users.update(ward.admin, luz.user_id, draft)


def test_a_profile_belongs_to_one_user(ward: Ward, luz: Actor) -> None:
    with nothing_written(ward), refused((Code.PROFILE_TAKEN, "staff_id")):
        ward.use_cases.users.update(ward.admin, luz.user_id, replace(DRAFT, staff_id=ward.nurse.staff_id))


def test_a_missing_or_deleted_user_is_not_found(ward: Ward, luz: Actor) -> None:
    ward.use_cases.users.delete(ward.admin, luz.user_id)
    for user_id in (luz.user_id, 99):
        with nothing_written(ward), pytest.raises(NotFound):
            ward.use_cases.users.update(ward.admin, user_id, DRAFT)
        with nothing_written(ward), pytest.raises(NotFound):
            ward.use_cases.users.assign_profile(ward.admin, user_id, None)


def test_a_supervisor_cannot_create_or_change_administrators(ward: Ward, luz: Actor) -> None:
    with nothing_written(ward), refused((Code.ROLE_FOR_ADMINISTRATION, "role")):
        ward.use_cases.users.update(ward.supervisor, luz.user_id, replace(DRAFT, role=10))
    with nothing_written(ward), refused(Code.USER_FOR_ADMINISTRATION):
        ward.use_cases.users.update(ward.supervisor, ward.admin.user_id, UserDraft(email="x@consumo.test", role=1))


# --- the last administrator ------------------------------------------------------------------------------------------


def test_an_administrator_is_demoted_if_there_is_another(ward: Ward, chief: Actor) -> None:
    token = sign_in(ward, "chief@consumo.test")
    ward.use_cases.users.update(ward.admin, chief.user_id, UserDraft(email="chief@consumo.test", role=2))
    assert not works(ward, token)


def test_the_last_administrator_cannot_be_demoted(ward: Ward, chief: Actor) -> None:
    """The actor was an administrator when the request began."""
    ward.use_cases.users.update(chief, ward.admin.user_id, UserDraft(email="admin@consumo.test", role=2))
    for role in (1, 2):
        with nothing_written(ward), refused((Code.LAST_ADMINISTRATOR, "role")):
            ward.use_cases.users.update(ward.admin, chief.user_id, UserDraft(email="chief@consumo.test", role=role))
    expected = [(Code.REQUIRED, "email"), (Code.LAST_ADMINISTRATOR, "role")]
    with nothing_written(ward), refused(*expected):
        ward.use_cases.users.update(ward.admin, chief.user_id, UserDraft(role=1))


def test_the_email_of_the_last_administrator_can_be_changed(ward: Ward, chief: Actor) -> None:
    ward.use_cases.users.update(chief, ward.admin.user_id, UserDraft(email="admin@consumo.test", role=2))
    draft = UserDraft(email="boss@consumo.test", role=10)
    assert ward.use_cases.users.update(ward.admin, chief.user_id, draft).email == "boss@consumo.test"


def test_a_deleted_administrator_does_not_count(ward: Ward, chief: Actor) -> None:
    third = ward.register("third@consumo.test", Role.ADMIN)
    ward.use_cases.users.delete(chief, ward.admin.user_id)
    ward.use_cases.users.delete(chief, third.user_id)
    with nothing_written(ward), refused((Code.LAST_ADMINISTRATOR, "role")):
        ward.use_cases.users.update(third, chief.user_id, UserDraft(email="chief@consumo.test", role=1))


def test_an_invited_administrator_counts_after_choosing_password(ward: Ward, chief: Actor) -> None:
    invited = ward.use_cases.users.invite(ward.admin, UserDraft(email="new@consumo.test", role=10), "es")
    ward.use_cases.users.delete(ward.admin, chief.user_id)
    newcomer = Actor(user_id=invited.user["id"], role=Role.ADMIN, staff_id=None)
    choose(ward, invited.activation)
    ward.use_cases.users.delete(newcomer, ward.admin.user_id)
    with nothing_written(ward), refused(Code.LAST_ADMINISTRATOR):
        ward.use_cases.users.delete(chief, newcomer.user_id)


def test_a_new_email_is_reported_to_the_old_address(ward: Ward) -> None:
    luz = ward.register("luz@consumo.test", Role.USER)
    ward.use_cases.users.update(ward.supervisor, luz.user_id, DRAFT, "en")
    assert ward.postbox.letters == []
    ward.use_cases.users.update(ward.supervisor, luz.user_id, replace(DRAFT, email="gil@consumo.test"), "en")
    assert ward.postbox.letters == [MailMessage("luz@consumo.test", "email_changed", "en", ward.clock.now)]
