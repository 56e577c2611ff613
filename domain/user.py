"""Who signs in."""

from dataclasses import dataclass, field

from domain.policy import Actor, Role
from domain.refusal import Forbidden


@dataclass(slots=True, kw_only=True)
class User:
    """An account: an email to sign in with, a role, and the staff profile of the person behind it."""

    id: int = 0
    email: str
    role: Role
    password_hash: str = field(repr=False)
    staff_id: int | None = None

    def assign_profile(self, staff_id: int | None, *, by: Actor) -> None:
        """Link this account to a staff profile, or to none.

        Someone who manages accounts of this role does it, and nobody to the own account (specification, section 6).
        """
        by.must_manage(self.role)
        if by.user_id == self.id:
            raise Forbidden
        self.staff_id = staff_id


def is_email(text: str) -> bool:
    """Whether it can be an email address: one @ with something around it, a dot behind it and no blanks.

    Whether a letter arrives there only a letter can tell.
    """
    local, at, host = text.rpartition("@")
    return bool(local and at and "@" not in local and "." in host.strip(".")) and not any(c.isspace() for c in text)
