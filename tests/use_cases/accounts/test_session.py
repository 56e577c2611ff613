"""Signing in and out, tokens, and reading one's own account."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import jwt
import pytest

from adapters.security.tokens import JwtTokens
from application.accounts.ports.identity import Session
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.choose_own_ward import OwnWardDraft
from application.accounts.users.draft import UserDraft
from application.people.staff import StaffDraft
from domain.common.errors import Code, InvalidCredentials, Unauthenticated
from domain.common.policy import Actor, Permission, Role
from tests.assertions import refused
from tests.builders import NOON, PASSWORD, QuickPasswords, Ward, a_ward
from tests.use_cases.accounts.signed_in import ask_for_letter, choose, sign_in, user_of
from tests.use_cases.stored import audit_log, kept, nothing_written

NURSE = Credentials(email="user@consumo.test", password=PASSWORD)


def test_a_token_identifies_the_user_who_signed_in(ward: Ward) -> None:
    assert ward.use_cases.session.identify(ward.use_cases.session.sign_in(NURSE)).actor == ward.nurse


@pytest.mark.parametrize("email", ["USER@consumo.TEST", "  user@consumo.test "])
def test_an_email_is_the_same_ignoring_case(ward: Ward, email: str) -> None:
    assert ward.use_cases.session.sign_in(Credentials(email=email, password=PASSWORD))


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("user@consumo.test", PASSWORD + " "),
        ("user@consumo.test", PASSWORD.upper()),
        ("user@consumo.test", "x"),
        ("unknown@consumo.test", PASSWORD),
        ("not an email", PASSWORD),
    ],
)
def test_a_wrong_password_and_an_unknown_email_look_the_same(ward: Ward, email: str, password: str) -> None:
    with nothing_written(ward), pytest.raises(InvalidCredentials) as refusal:
        ward.use_cases.session.sign_in(Credentials(email=email, password=password))
    assert refusal.value.args == ()


@dataclass(frozen=True)
class _Slow(QuickPasswords):
    """Passwords whose check runs ``meanwhile``, as if another request ran."""

    meanwhile: list[Callable[[], object]] = field(default_factory=list)

    def match(self, password: str, password_hash: str | None) -> bool:
        while self.meanwhile:
            self.meanwhile.pop()()
        return super().match(password, password_hash)


def test_choosing_a_ward_during_hashing_does_not_matter() -> None:
    passwords = _Slow()
    ward = a_ward(passwords=passwords)
    passwords.meanwhile.append(lambda: ward.use_cases.account.choose_ward(ward.nurse, OwnWardDraft()))
    assert ward.use_cases.session.sign_in(NURSE)
    assert passwords.meanwhile == []


@pytest.mark.parametrize("change", ["password", "deletion", "role"])
def test_a_user_changed_during_hashing_cannot_sign_in(change: str) -> None:
    passwords = _Slow()
    ward = a_ward(passwords=passwords)
    changes: dict[str, Callable[[], object]] = {
        "password": lambda: choose(ward, ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)),
        "deletion": lambda: ward.use_cases.users.delete(ward.admin, ward.nurse.user_id),
        "role": lambda: ward.use_cases.users.update(
            ward.admin, ward.nurse.user_id, UserDraft(email="user@consumo.test", role=2)
        ),
    }
    passwords.meanwhile.append(changes[change])
    with pytest.raises(InvalidCredentials):
        ward.use_cases.session.sign_in(NURSE)
    assert passwords.meanwhile == []
    # A chosen password begins a session of its own.
    begun = 1 if change == "password" else 0
    assert len(kept(ward).sessions) == begun
    assert [entry.action for entry in audit_log(ward)].count("session.signed_in") == begun


def test_blanks_count_in_a_password(ward: Ward) -> None:
    blanks = "  dos vendas y media  "
    ward.register("luz@consumo.test", Role.USER, blanks)
    assert ward.use_cases.session.sign_in(Credentials(email="luz@consumo.test", password=blanks))
    with pytest.raises(InvalidCredentials):
        ward.use_cases.session.sign_in(Credentials(email="luz@consumo.test", password=blanks.strip()))


def test_missing_email_and_password_are_reported_at_once(ward: Ward) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "email"), (Code.REQUIRED, "password")):
        ward.use_cases.session.sign_in(Credentials(email=" ", password=""))


def test_the_repr_of_credentials_hides_the_password() -> None:
    assert PASSWORD not in repr(NURSE)


def test_signing_in_is_logged(ward: Ward) -> None:
    ward.use_cases.session.sign_in(NURSE)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.user_id, entry.at) == ("session.signed_in", ward.nurse.user_id, ward.clock.now)


# --- tokens ----------------------------------------------------------------------------------------------------------


def test_signing_out_invalidates_only_its_own_token(ward: Ward) -> None:
    here, elsewhere = ward.use_cases.session.sign_in(NURSE), ward.use_cases.session.sign_in(NURSE)
    ward.use_cases.session.sign_out(ward.use_cases.session.identify(here))
    with pytest.raises(Unauthenticated):
        ward.use_cases.session.identify(here)
    assert ward.use_cases.session.identify(elsewhere).actor == ward.nurse


def test_an_unused_session_expires(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(NURSE)
    ward.clock.advance(hours=11, minutes=59, seconds=59)
    assert ward.use_cases.session.identify(token).actor == ward.nurse
    ward.clock.advance(seconds=1)
    with pytest.raises(Unauthenticated):
        ward.use_cases.session.identify(token)


def test_a_token_has_the_users_current_permissions(ward: Ward) -> None:
    newcomer = ward.register("new@consumo.test", Role.USER)
    token = ward.use_cases.session.sign_in(Credentials(email="new@consumo.test", password=PASSWORD))
    assert not ward.use_cases.session.identify(token).actor.can(Permission.READ_SHEETS)
    profile = ward.use_cases.account.complete_profile(newcomer, StaffDraft(name="Luz", first_surname="Gil"))
    assert ward.use_cases.session.identify(token).actor.staff_id == profile["id"]
    ward.use_cases.users.assign_profile(ward.admin, newcomer.user_id, None)
    assert ward.use_cases.session.identify(token).actor.profile_required


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "9" * 400}, {"sub": "-1"}, {"sub": "1.5"}, {"sub": "\u0661"}, {"sub": ""}, {"sub": "0"}, {"sub": 1},
        {"sub": None}, {"sub": ["1"]}, {"sid": "x" * 5_000}, {"sid": "a\0b"}, {"sid": ""}, {"sid": {}},
        {"exp": "x"}, {"exp": None},
    ],
    ids=str,
)  # fmt: skip
def test_a_signed_token_with_invalid_claims_is_unauthenticated(claims: dict[str, Any]) -> None:
    """The key may have leaked, or may be used for other tokens."""
    key = "the key of our own, and long enough"
    usual = {"sid": "a-session", "sub": "1", "exp": NOON + timedelta(days=1)}
    tokens = JwtTokens(key, clock=lambda: NOON)
    assert tokens.read(jwt.encode(usual, key, algorithm="HS256")) == ("a-session", 1)
    with pytest.raises(Unauthenticated):
        tokens.read(jwt.encode(usual | claims, key, algorithm="HS256"))


def test_a_session_of_another_user_is_unauthenticated(ward: Ward) -> None:
    token = ward.use_cases.session.sign_in(NURSE)
    session_id = ward.use_cases.session.identify(token).session_id
    forged = Session(id=session_id, user_id=ward.admin.user_id, expires_at=ward.clock.advance(hours=1))
    with pytest.raises(Unauthenticated):
        ward.use_cases.session.identify(ward.use_cases.session.sign_in.begin_session.tokens.issue(forged))


# --- one's own account -----------------------------------------------------------------------------------------------


def test_the_own_account_has_role_profile_and_permissions(ward: Ward) -> None:
    account = ward.use_cases.account.read(ward.nurse)
    assert (account["id"], account["email"], account["role"]) == (ward.nurse.user_id, "user@consumo.test", "1")
    assert (account["staff_id"], account["profile_required"]) == (ward.nurse.staff_id, False)
    assert account["permissions"] == sorted(ward.nurse.permissions)
    assert ward.use_cases.account.read(ward.admin)["role"] == "10"


def test_the_own_account_has_the_roles_the_user_manages(ward: Ward) -> None:
    user, supervisor = ({"role": role, "has_profile": True} for role in ("1", "2"))
    reported = [ward.use_cases.account.read(who)["managed_roles"] for who in (ward.nurse, ward.supervisor, ward.admin)]
    assert reported == [[], [user, supervisor], [user, supervisor, {"role": "10", "has_profile": False}]]


def test_ward_staff_without_a_profile_have_two_permissions(ward: Ward) -> None:
    account = ward.use_cases.account.read(ward.register("new@consumo.test", Role.USER))
    assert (account["profile_required"], account["profile"]) == (True, None)
    assert account["permissions"] == ["account.own", "profile.own", "session.unlock"]


def test_the_own_profile_is_optional(ward: Ward) -> None:
    profile = ward.use_cases.account.read_profile(ward.nurse)
    assert profile is not None
    assert (profile["id"], profile["name"], profile["user_id"]) == (ward.nurse.staff_id, "Nuria", ward.nurse.user_id)
    assert ward.use_cases.account.read_profile(ward.admin) is None


def test_a_deleted_user_has_no_account(ward: Ward) -> None:
    with pytest.raises(Unauthenticated):
        ward.use_cases.account.read(Actor(user_id=99, role=Role.ADMIN, staff_id=None))


def test_full_width_letters_in_an_email_are_normalized(ward: Ward) -> None:
    wide = "ｌｕｚ＠ｃｏｎｓｕｍｏ．ｔｅｓｔ"
    luz = ward.register(wide, Role.USER)
    assert user_of(ward, luz.user_id).email == "luz@consumo.test"
    for email in (wide, "luz@consumo.test"):
        assert sign_in(ward, email)
        ask_for_letter(ward, email)
    assert [letter.to for letter in ward.postbox.letters] == ["luz@consumo.test"] * 2
    with refused((Code.TAKEN, "email")):
        ward.register("Luz@consumo．test", Role.USER)
