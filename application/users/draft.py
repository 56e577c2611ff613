"""What is filled in for a user by those who manage users."""

from dataclasses import dataclass, field

from application.ports.unit_of_work import UnitOfWork
from domain.checks import Checks
from domain.policy import PEOPLE, Actor, Role
from domain.refusal import Code, Reason
from domain.text import unique_key
from domain.user import EMAIL_LENGTH, is_email, normal_email

# ``role`` is a string on the wire; a number is taken too.
MAY_BE_TEXT = {"may_be_text": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserDraft:
    """What is filled in for a user. 0 as ``staff_id`` means none. A password is for the command line alone."""

    email: str | None = None
    role: int | None = field(default=None, metadata=MAY_BE_TEXT)
    staff_id: int | None = None
    password: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


def check_email(work: UnitOfWork, checks: Checks, email: str | None, *, id: int) -> str:
    """An email address that no other user signs in with."""
    address = checks.text("email", normal_email(email), longest=EMAIL_LENGTH)
    if address and not is_email(address):
        checks.refuse(Code.EMAIL_INVALID, "email")
    twin = work.users.find("email", unique_key(address)) if address else None
    if twin and twin.id != id:
        checks.refuse(Code.TAKEN, "email", what="users.email", value=address)
    return address


def check_role(checks: Checks, actor: Actor | None, role: int | None) -> Role:
    """A role that this person may give."""
    chosen = checks.choice("role", role, sorted(PEOPLE))
    if actor is not None and role in PEOPLE and not actor.manages(Role(role)):
        checks.refuse(Code.ROLE_FOR_ADMINISTRATION, "role")
    return chosen
