"""Changing one's own email and password; both need the current password."""

from dataclasses import replace

import pytest

from application.accounts.users.change_own_account import AccountDraft
from application.common.mail import MailMessage
from domain.common.errors import Code, InvalidCredentials, Reason, TooManyAttempts, Unauthenticated
from domain.common.policy import Actor, Role
from tests.assertions import refused
from tests.builders import PASSWORD, Ward
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, choose, sign_in, user_of, works
from tests.use_cases.stored import audit_log, nothing_written

NURSE = "user@consumo.test"
EMAIL = AccountDraft(email=" Nuria@consumo.test ", current_password=PASSWORD)
NEW = AccountDraft(email=NURSE, password=NEW_PASSWORD, password_confirmation=NEW_PASSWORD, current_password=PASSWORD)


def test_changing_the_email_changes_nothing_else(ward: Ward) -> None:
    token, before = sign_in(ward, NURSE), user_of(ward, ward.nurse.user_id)
    account = ward.use_cases.account.change(ward.nurse, EMAIL)
    assert (account["email"], account["role"], account["staff_id"]) == ("Nuria@consumo.test", "1", ward.nurse.staff_id)
    assert user_of(ward, ward.nurse.user_id) == replace(before, email="Nuria@consumo.test", email_is_own_choice=True)
    assert works(ward, token)
    assert sign_in(ward, "nuria@consumo.test")
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE)


def test_a_changed_email_is_logged(ward: Ward) -> None:
    ward.clock.advance(minutes=1)
    ward.use_cases.account.change(ward.nurse, EMAIL)
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.entity_id, entry.user_id) == (
        "user.account_changed",
        ward.nurse.user_id,
        ward.nurse.user_id,
    )
    assert (entry.at, entry.changes) == (ward.clock.now, {"email": (NURSE, "Nuria@consumo.test")})


def test_a_save_without_changes_is_not_logged(ward: Ward) -> None:
    with nothing_written(ward):
        ward.use_cases.account.change(ward.nurse, AccountDraft(email=NURSE))


def test_a_new_password_ends_all_own_sessions(ward: Ward) -> None:
    tokens, others = [sign_in(ward, NURSE) for _ in range(2)], sign_in(ward, "admin@consumo.test")
    ward.use_cases.account.change(ward.nurse, NEW)
    assert [works(ward, token) for token in (*tokens, others)] == [False, False, True]
    assert ward.use_cases.session.identify(sign_in(ward, NURSE, NEW_PASSWORD)).actor == ward.nurse
    with pytest.raises(InvalidCredentials):
        sign_in(ward, NURSE)


def test_a_new_password_ends_existing_links(ward: Ward) -> None:
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    ward.use_cases.account.change(ward.nurse, NEW)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, link)


def test_a_new_password_is_logged_without_passwords(ward: Ward) -> None:
    ward.use_cases.account.change(ward.nurse, replace(NEW, email="nuria@consumo.test"))
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.changes) == ("user.password_changed", {"email": (NURSE, "nuria@consumo.test")})


@pytest.mark.parametrize(
    ("changed", "reasons"),
    [
        ({"email": None}, [(Code.REQUIRED, "email")]),
        ({"email": "  "}, [(Code.REQUIRED, "email")]),
        ({"email": "nuria"}, [(Code.EMAIL_INVALID, "email")]),
        ({"email": "ADMIN@consumo.test"}, [(Code.TAKEN, "email")]),
        ({"password": None}, [(Code.PASSWORD_MISMATCH, "password_confirmation")]),
        ({"password": "", "current_password": None}, [(Code.PASSWORD_MISMATCH, "password_confirmation")]),
        (
            {
                "parse_errors": (Reason(Code.TEXT_EXPECTED, "password"),),
                "password": None,
                "password_confirmation": None,
                "current_password": None,
            },
            [(Code.TEXT_EXPECTED, "password"), (Code.REQUIRED, "current_password")],
        ),
        ({"password_confirmation": None}, [(Code.PASSWORD_MISMATCH, "password_confirmation")]),
        ({"password_confirmation": NEW_PASSWORD.upper()}, [(Code.PASSWORD_MISMATCH, "password_confirmation")]),
        ({"current_password": None}, [(Code.REQUIRED, "current_password")]),
        ({"current_password": PASSWORD + " "}, [(Code.PASSWORD_WRONG, "current_password")]),
        ({"current_password": NEW_PASSWORD}, [(Code.PASSWORD_WRONG, "current_password")]),
        ({"password": "x" * 11, "password_confirmation": "x" * 11}, [(Code.PASSWORD_TOO_SHORT, "password")]),
        ({"password": NURSE, "password_confirmation": NURSE}, [(Code.PASSWORD_PERSONAL, "password")]),
        (
            {"email": "", "password": "x", "password_confirmation": "y", "current_password": "z"},
            [
                (Code.PASSWORD_TOO_SHORT, "password"),
                (Code.PASSWORD_MISMATCH, "password_confirmation"),
                (Code.PASSWORD_WRONG, "current_password"),
                (Code.REQUIRED, "email"),
            ],
        ),
        (
            {"parse_errors": (Reason(Code.TEXT_EXPECTED, "email"),), "email": None, "current_password": None},
            [(Code.TEXT_EXPECTED, "email"), (Code.REQUIRED, "current_password")],
        ),
    ],
)
def test_all_errors_are_reported_at_once_and_nothing_changes(
    ward: Ward, changed: dict[str, object], reasons: list[tuple[Code, str]]
) -> None:
    token = sign_in(ward, NURSE)
    with nothing_written(ward), refused(*reasons):
        ward.use_cases.account.change(ward.nurse, replace(NEW, **changed))  # type: ignore[arg-type]
    assert works(ward, token)


def test_a_wrong_current_password_is_logged(ward: Ward) -> None:
    draft = replace(NEW, current_password="not the password")
    with refused((Code.PASSWORD_WRONG, "current_password")):
        ward.use_cases.account.change(ward.nurse, draft, "192.0.2.7")
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.entity_id) == ("session.sign_in_failed", ward.nurse.user_id)


@pytest.mark.parametrize("password", [None, ""])
@pytest.mark.parametrize("current", [None, "", "not the password", PASSWORD])
def test_without_changes_the_current_password_does_not_matter(
    ward: Ward, password: str | None, current: str | None
) -> None:
    token = sign_in(ward, NURSE)
    draft = AccountDraft(email=NURSE, password=password, password_confirmation=password, current_password=current)
    with nothing_written(ward):
        ward.use_cases.account.change(ward.nurse, draft)
        ward.use_cases.account.change(
            ward.nurse,
            replace(draft, current_password=None, parse_errors=(Reason(Code.TEXT_EXPECTED, "current_password"),)),
        )
    assert works(ward, token)


@pytest.mark.parametrize(
    ("current", "code"),
    [(None, Code.REQUIRED), ("", Code.REQUIRED), ("not the password", Code.PASSWORD_WRONG)],
)
def test_changing_the_email_needs_the_current_password(ward: Ward, current: str | None, code: Code) -> None:
    """Otherwise a person at an open session could have a link mailed to them."""
    with nothing_written(ward), refused((code, "current_password")):
        ward.use_cases.account.change(ward.nurse, replace(EMAIL, current_password=current))
    assert ward.postbox.letters == []


@pytest.mark.parametrize("draft", [EMAIL, NEW])
def test_guesses_at_the_current_password_are_throttled(ward: Ward, draft: AccountDraft) -> None:
    guess = replace(draft, current_password="not the password")
    for _ in range(10):
        with refused((Code.PASSWORD_WRONG, "current_password")):
            ward.use_cases.account.change(ward.nurse, guess, "192.0.2.1")
    with nothing_written(ward), pytest.raises(TooManyAttempts):
        ward.use_cases.account.change(ward.nurse, draft, "192.0.2.1")
    with pytest.raises(TooManyAttempts):
        sign_in(ward, NURSE, address="192.0.2.1")
    ward.use_cases.account.change(ward.nurse, draft, "192.0.2.2")


def test_the_right_current_password_clears_earlier_failures(ward: Ward) -> None:
    for number in range(12):
        with refused((Code.PASSWORD_WRONG, "current_password")):
            ward.use_cases.account.change(ward.nurse, replace(EMAIL, current_password="not the password"))
        draft = AccountDraft(email=f"nuria{number}@consumo.test", current_password=PASSWORD)
        ward.use_cases.account.change(ward.nurse, draft)


@pytest.mark.parametrize(
    ("draft", "occasions"),
    [
        (EMAIL, ["email_changed"]),
        (NEW, ["password_changed"]),
        (replace(NEW, email="nuria@consumo.test"), ["password_changed", "email_changed"]),
        (AccountDraft(email=NURSE), []),
    ],
)
def test_changes_are_reported_by_mail_to_the_old_address(ward: Ward, draft: AccountDraft, occasions: list[str]) -> None:
    ward.clock.advance(minutes=1)
    ward.use_cases.account.change(ward.nurse, draft, language="en")
    assert ward.postbox.letters == [MailMessage(NURSE, occasion, "en", ward.clock.now) for occasion in occasions]


def test_a_new_email_ends_the_links_sent_to_the_old_one(ward: Ward) -> None:
    link = ward.use_cases.users.create_reset_link(ward.admin, ward.nurse.user_id)
    ward.use_cases.account.change(ward.nurse, EMAIL)
    with nothing_written(ward), refused((Code.LINK_INVALID, "token")):
        choose(ward, link)


def test_the_new_password_cannot_be_the_new_email(ward: Ward) -> None:
    draft = replace(NEW, email="nuria.paz@consumo.test")
    draft = replace(draft, password=draft.email, password_confirmation=draft.email)
    with nothing_written(ward), refused((Code.PASSWORD_PERSONAL, "password")):
        ward.use_cases.account.change(ward.nurse, draft)


def test_every_role_changes_its_own_account_even_without_profile(ward: Ward) -> None:
    newcomer = ward.register("new@consumo.test", Role.USER)
    for number, who in enumerate((newcomer, ward.nurse, ward.supervisor, ward.admin)):
        draft = AccountDraft(email=f"u{number}@consumo.test", current_password=PASSWORD)
        account = ward.use_cases.account.change(who, draft)
        assert (account["id"], account["email"]) == (who.user_id, f"u{number}@consumo.test")


def test_a_deleted_user_cannot_change_the_account(ward: Ward) -> None:
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    for who in (ward.nurse, Actor(user_id=99, role=Role.ADMIN, staff_id=None)):
        with nothing_written(ward), pytest.raises(Unauthenticated):
            ward.use_cases.account.change(who, EMAIL)
