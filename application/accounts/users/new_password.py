"""Rules for new passwords."""

from collections.abc import Sequence

from application.accounts.ports.identity import PasswordChecker
from application.accounts.work import UnitOfWork
from domain.accounts.password import check_length
from domain.accounts.user import User
from domain.common.validation import Validator


def guessable_words(work: UnitOfWork, user: User) -> list[str]:
    """Return the words that an attacker may know: the email and the names."""
    staff = work.staff.get(user.staff_id) if user.staff_id else None
    names = (staff.name, staff.first_surname, staff.second_surname) if staff else ()
    return [user.email, *filter(None, names)]


def check_password(checks: Validator, judge: PasswordChecker, password: str | None, about: Sequence[str]) -> None:
    """Report a password that is too short, too long or too easy to guess."""
    if check_length(checks, "password", password) and password:
        judgement = judge.judge(password, about)
        if judgement.weakness:
            checks.add_error(judgement.weakness, "password")
