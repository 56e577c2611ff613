"""Signing in and out, and what a token is worth meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import jwt
import pytest

from adapters.security.tokens import JwtTokens
from application.ports.identity import Session
from application.session.sign_in import Credentials
from application.staff import StaffDraft
from application.users.draft import UserDraft
from domain.errors import Code, InvalidCredentials, Unauthenticated
from domain.policy import Actor, Permission, Role
from tests.assertions import refused
from tests.builders import NOON, PASSWORD, QuickPasswords, Ward, a_ward
from tests.use_cases.accounts import ask_for_letter, choose, sign_in, user_of
from tests.use_cases.stored import audit_log, kept, nothing_written

NURSE = Credentials(email="user@consumo.test", password=PASSWORD)


def test_who_signs_in_is_known_by_the_token(ward: Ward) -> None:
    assert ward.use_cases.identify(ward.use_cases.sign_in(NURSE)).actor == ward.nurse


@pytest.mark.parametrize("email", ["USER@consumo.TEST", "  user@consumo.test "])
def test_an_email_is_the_same_whatever_its_case(ward: Ward, email: str) -> None:
    assert ward.use_cases.sign_in(Credentials(email=email, password=PASSWORD))


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("user@consumo.test", PASSWORD + " "),
        ("user@consumo.test", PASSWORD.upper()),
        ("user@consumo.test", "x"),
        ("nobody@consumo.test", PASSWORD),
        ("not an email", PASSWORD),
    ],
)
def test_a_wrong_password_and_an_unknown_email_are_refused_alike(ward: Ward, email: str, password: str) -> None:
    with nothing_written(ward), pytest.raises(InvalidCredentials) as refusal:
        ward.use_cases.sign_in(Credentials(email=email, password=password))
    assert refusal.value.args == ()


@dataclass(frozen=True)
class _Slow(QuickPasswords):
    """Hashing takes its time: this is what happens meanwhile."""

    meanwhile: list[Callable[[], object]] = field(default_factory=list)

    def match(self, password: str, password_hash: str | None) -> bool:
        while self.meanwhile:
            self.meanwhile.pop()()
        return super().match(password, password_hash)


@pytest.mark.parametrize("change", ["password", "deletion", "role"])
def test_who_was_changed_while_the_password_was_hashed_does_not_come_in(change: str) -> None:
    passwords = _Slow()
    ward = a_ward(passwords=passwords)
    changes: dict[str, Callable[[], object]] = {
        "password": lambda: choose(ward, ward.use_cases.hand_out_reset_link(ward.admin, ward.nurse.user_id)),
        "deletion": lambda: ward.use_cases.delete_user(ward.admin, ward.nurse.user_id),
        "role": lambda: ward.use_cases.update_user(
            ward.admin, ward.nurse.user_id, UserDraft(email="user@consumo.test", role=2)
        ),
    }
    passwords.meanwhile.append(changes[change])
    with pytest.raises(InvalidCredentials):
        ward.use_cases.sign_in(NURSE)
    assert passwords.meanwhile == []
    assert kept(ward).sessions == {}
    assert "session.signed_in" not in {entry.action for entry in audit_log(ward)}


def test_a_password_counts_as_it_was_typed_blanks_included(ward: Ward) -> None:
    blanks = "  dos vendas y media  "
    ward.register("luz@consumo.test", Role.USER, blanks)
    assert ward.use_cases.sign_in(Credentials(email="luz@consumo.test", password=blanks))
    with pytest.raises(InvalidCredentials):
        ward.use_cases.sign_in(Credentials(email="luz@consumo.test", password=blanks.strip()))


def test_email_and_password_are_missed_at_once(ward: Ward) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "email"), (Code.REQUIRED, "password")):
        ward.use_cases.sign_in(Credentials(email=" ", password=""))


def test_credentials_are_not_printed() -> None:
    assert PASSWORD not in repr(NURSE)


def test_signing_in_leaves_a_trail(ward: Ward) -> None:
    ward.use_cases.sign_in(NURSE)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.user_id, entry.at) == ("session.signed_in", ward.nurse.user_id, ward.clock.now)


# --- what a token is worth -------------------------------------------------------------------------------------------


def test_a_token_is_dead_at_once_after_signing_out_and_others_are_not(ward: Ward) -> None:
    here, elsewhere = ward.use_cases.sign_in(NURSE), ward.use_cases.sign_in(NURSE)
    ward.use_cases.sign_out(ward.use_cases.identify(here))
    with pytest.raises(Unauthenticated):
        ward.use_cases.identify(here)
    assert ward.use_cases.identify(elsewhere).actor == ward.nurse


def test_a_session_that_is_not_used_ends_at_its_hour(ward: Ward) -> None:
    token = ward.use_cases.sign_in(NURSE)
    ward.clock.advance(hours=11, minutes=59, seconds=59)
    assert ward.use_cases.identify(token).actor == ward.nurse
    ward.clock.advance(seconds=1)
    with pytest.raises(Unauthenticated):
        ward.use_cases.identify(token)


def test_a_token_is_worth_what_its_user_is_at_that_moment(ward: Ward) -> None:
    newcomer = ward.register("new@consumo.test", Role.USER)
    token = ward.use_cases.sign_in(Credentials(email="new@consumo.test", password=PASSWORD))
    assert not ward.use_cases.identify(token).actor.can(Permission.READ_SHEETS)
    profile = ward.use_cases.complete_profile(newcomer, StaffDraft(name="Luz", first_surname="Gil"))
    assert ward.use_cases.identify(token).actor.staff_id == profile["id"]
    ward.use_cases.assign_profile(ward.admin, newcomer.user_id, None)
    assert ward.use_cases.identify(token).actor.profile_required


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "é", "eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4Iiwic3ViIjoiMSJ9."])
def test_what_is_no_token_signs_nobody_in(ward: Ward, token: str) -> None:
    with pytest.raises(Unauthenticated):
        ward.use_cases.identify(token)


def test_a_token_that_another_key_signed_signs_nobody_in(ward: Ward) -> None:
    ours = ward.use_cases.identify(ward.use_cases.sign_in(NURSE))
    session = Session(id=ours.session_id, user_id=ward.nurse.user_id, expires_at=ward.clock.now)
    with pytest.raises(Unauthenticated):
        ward.use_cases.identify(JwtTokens("the key of someone else, long enough").issue(session))


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "9" * 400}, {"sub": "-1"}, {"sub": "1.5"}, {"sub": "\u0661"}, {"sub": ""}, {"sub": "0"}, {"sub": 1},
        {"sub": None}, {"sub": ["1"]}, {"sid": "x" * 5_000}, {"sid": "a\0b"}, {"sid": ""}, {"sid": {}},
        {"exp": "x"}, {"exp": None},
    ],
    ids=str,
)  # fmt: skip
def test_a_token_of_ours_that_says_absurd_things_signs_nobody_in(claims: dict[str, Any]) -> None:
    """Somebody got hold of the key, or it was used for something else."""
    key = "the key of our own, and long enough"
    usual = {"sid": "a-session", "sub": "1", "exp": NOON + timedelta(days=1)}
    tokens = JwtTokens(key, clock=lambda: NOON)
    assert tokens.read(jwt.encode(usual, key, algorithm="HS256")) == ("a-session", 1)
    with pytest.raises(Unauthenticated):
        tokens.read(jwt.encode(usual | claims, key, algorithm="HS256"))


def test_a_session_is_its_users_and_nobody_elses(ward: Ward) -> None:
    token = ward.use_cases.sign_in(NURSE)
    session_id = ward.use_cases.identify(token).session_id
    forged = Session(id=session_id, user_id=ward.admin.user_id, expires_at=ward.clock.advance(hours=1))
    with pytest.raises(Unauthenticated):
        ward.use_cases.identify(ward.use_cases.sign_in.tokens.issue(forged))


# --- the own account -------------------------------------------------------------------------------------------------


def test_the_own_account_tells_who_one_is_and_what_one_may_do(ward: Ward) -> None:
    account = ward.use_cases.read_own_account(ward.nurse)
    assert (account["id"], account["email"], account["role"]) == (ward.nurse.user_id, "user@consumo.test", "1")
    assert (account["staff_id"], account["profile_required"]) == (ward.nurse.staff_id, False)
    assert account["permissions"] == sorted(ward.nurse.permissions)
    assert ward.use_cases.read_own_account(ward.admin)["role"] == "10"


def test_the_own_account_tells_which_roles_one_may_give(ward: Ward) -> None:
    user, supervisor = ({"role": role, "has_profile": True} for role in ("1", "2"))
    told = [ward.use_cases.read_own_account(who)["managed_roles"] for who in (ward.nurse, ward.supervisor, ward.admin)]
    assert told == [[], [user, supervisor], [user, supervisor, {"role": "10", "has_profile": False}]]


def test_ward_staff_without_a_profile_are_told_what_is_left_to_them(ward: Ward) -> None:
    account = ward.use_cases.read_own_account(ward.register("new@consumo.test", Role.USER))
    assert (account["profile_required"], account["profile"]) == (True, None)
    assert account["permissions"] == ["account.own", "profile.own"]


def test_the_own_profile_is_there_or_it_is_not(ward: Ward) -> None:
    profile = ward.use_cases.read_own_profile(ward.nurse)
    assert profile is not None
    assert (profile["id"], profile["name"], profile["user_id"]) == (ward.nurse.staff_id, "Nuria", ward.nurse.user_id)
    assert ward.use_cases.read_own_profile(ward.admin) is None


def test_who_is_no_user_any_more_has_no_account(ward: Ward) -> None:
    with pytest.raises(Unauthenticated):
        ward.use_cases.read_own_account(Actor(user_id=99, role=Role.ADMIN, staff_id=None))


def test_an_email_is_the_same_whatever_its_letters_look_like(ward: Ward) -> None:
    wide = "ｌｕｚ＠ｃｏｎｓｕｍｏ．ｔｅｓｔ"
    luz = ward.register(wide, Role.USER)
    assert user_of(ward, luz.user_id).email == "luz@consumo.test"
    for email in (wide, "luz@consumo.test"):
        assert sign_in(ward, email)
        ask_for_letter(ward, email)
    assert [letter.to for letter in ward.postbox.letters] == ["luz@consumo.test"] * 2
    with refused((Code.TAKEN, "email")):
        ward.register("Luz@consumo．test", Role.USER)
