"""The form of a user, for supervisors and administrators."""

from dataclasses import dataclass, field

from application.accounts.work import UnitOfWork
from application.common.draft import Draft
from domain.accounts.user import EMAIL_LENGTH, is_email, normalize_email
from domain.common.errors import Code
from domain.common.policy import HUMAN_ROLES, Actor, Role
from domain.common.text import unique_key
from domain.common.validation import Validator

# ``role`` is a string in requests. A number is accepted too.
ACCEPT_STRING = {"may_be_text": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserDraft(Draft):
    """The form of a user. 0 as ``staff_id`` means none.

    Only the command line sets a password.
    """

    email: str | None = None
    role: int | None = field(default=None, metadata=ACCEPT_STRING)
    staff_id: int | None = None
    password: str | None = field(default=None, repr=False)


def check_email(work: UnitOfWork, checks: Validator, email: str | None, *, id: int) -> str:
    """Validate an email address, which must be unused by other users."""
    address = checks.required_line("email", normalize_email(email), longest=EMAIL_LENGTH)
    if address and not is_email(address):
        checks.add_error(Code.EMAIL_INVALID, "email")
    twin = work.users.find("email", unique_key(address)) if address else None
    if twin and twin.id != id:
        checks.add_error(Code.TAKEN, "email", what="users.email", value=address)
    return address


def check_role(checks: Validator, actor: Actor | None, role: int | None) -> Role:
    """Validate a role that the actor may grant."""
    chosen = checks.int_enum("role", role, sorted(HUMAN_ROLES))
    if actor is not None and role in HUMAN_ROLES and not actor.can_manage(Role(role)):
        checks.add_error(Code.ROLE_FOR_ADMINISTRATION, "role")
    return chosen
