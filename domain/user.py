"""Who signs in."""

import unicodedata
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from domain.errors import Code, NotFound, Reason, Refused
from domain.policy import HUMAN_ROLES, Actor, Permission, Role

EMAIL_LENGTH = 320

# Long enough for a new colleague to come to work, short enough that a lost letter is soon worthless.
PASSWORD_LINK_TTL = timedelta(hours=72)


@dataclass(slots=True, kw_only=True)
class User:
    """An account: an email to sign in with, a role, and the staff profile of the person behind it.

    Without a password (None) nobody signs in: the person has yet to choose one. A deleted user signs in no more; the
    name stays on what they recorded.
    """

    id: int = 0
    email: str
    role: Role
    password_hash: str | None = field(repr=False)
    staff_id: int | None = None
    deleted: bool = False

    @property
    def is_administrator(self) -> bool:
        """Whether this is somebody who signs in and administers: who has yet to choose a password does not."""
        return self.role is Role.ADMIN and not self.deleted and self.password_hash is not None

    def assign_profile(self, staff_id: int | None, *, by: Actor) -> None:
        """Link this account to a staff profile, or to none: never one's own."""
        self.ensure_managed_by(by)
        self.staff_id = staff_id

    def change_role(self, role: Role, *, by: Actor) -> None:
        """Give another role, to someone else, and none that the giver may not give."""
        self.ensure_managed_by(by)
        if not by.can_manage(role):
            raise Refused(Reason(Code.ROLE_FOR_ADMINISTRATION, "role"))
        self.role = role

    def delete(self, *, by: Actor) -> None:
        """Sign in no more. The profile is free for another account. Nobody deletes the own account."""
        self.ensure_managed_by(by)
        self.deleted = True
        self.staff_id = None
        self.password_hash = None

    def ensure_managed_by(self, by: Actor) -> None:
        """Raise ``Refused`` for the own account and for one of a role that this person does not manage.

        Raise ``NotFound`` for a program's account, which is none of a user.
        """
        by.must(Permission.MANAGE_USERS)
        if self.role not in HUMAN_ROLES:
            raise NotFound
        if by.user_id == self.id:
            raise Refused(Reason(Code.USER_OWN))
        by.require_can_manage(self.role)


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """Lets whoever holds its secret choose a user's password, once. Of the secret only a digest is kept.

    ``made_by`` is who handed it out; None where the user asked for it, or who runs the machine made it.
    """

    digest: str
    user_id: int
    expires_at: datetime
    made_by: int | None = None


def normalize_email(text: str | None) -> str:
    """The one way in which an email is written, to sign in too: letters that only look otherwise are the same."""
    return unicodedata.normalize("NFKC", text or "").strip()


def is_email(text: str) -> bool:
    """Whether it can be an email address: one @ with something around it, a dot behind it and nothing unseen.

    Whether a letter arrives there only a letter can tell.
    """
    local, at, host = text.rpartition("@")
    return bool(local and at and "@" not in local and "." in host.strip(".")) and text.isprintable() and " " not in text
