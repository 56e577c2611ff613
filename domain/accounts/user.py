"""User accounts, password links and email addresses."""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from string import ascii_lowercase, ascii_uppercase

from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import HUMAN_ROLES, Actor, Permission, Role

EMAIL_LENGTH = 320
# What files and other programs write around an address, and the characters that separate addresses.
_BEFORE_EMAIL, _BEHIND_EMAIL, _MAILTO = " \t\r\n\"'“”,;", " \t\r\n\"'“”,;.", "mailto:"
_IN_BRACKETS = re.compile(r"[^<>]*<([^<>]*)>")
_IN_NO_EMAIL = frozenset(' @<>()[]{},;:\\"“”')
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)

# Long enough for a new colleague to come to work, short enough that a lost letter soon becomes worthless.
PASSWORD_LINK_TTL = timedelta(hours=72)
SETUP_LINK_TTL = timedelta(hours=1)


@dataclass(slots=True, kw_only=True)
class User:
    """An account: an email for signing in, a role and a staff profile.

    Without a password (None) the user cannot sign in and has yet to choose one. A deleted user cannot sign in either,
    but the name stays on what the user recorded.
    """

    id: int = 0
    email: str
    role: Role
    password_hash: str | None = field(repr=False)
    staff_id: int | None = None
    deleted: bool = False
    # The area in which the user works. Without one it is the whole hospital, or the user has not been asked yet.
    ward_area_id: int | None = None
    whole_hospital: bool = False
    # The account at the hospital's identity provider. A deleted account keeps it, so that signing in there does not
    # create it again.
    oidc_issuer: str | None = field(default=None, repr=False)
    oidc_subject: str | None = field(default=None, repr=False)
    # The user chose the email, so that it does not prove at the provider whose account it is.
    email_is_own_choice: bool = field(default=False, repr=False)
    # When the provider last said that the person may not use Consumo, until it says otherwise.
    oidc_refused_at: datetime | None = field(default=None, repr=False)

    @property
    def is_linked(self) -> bool:
        """Whether the person may sign in at the hospital's identity provider."""
        return self.oidc_subject is not None

    # By which passkeys name the account: random, so that a device learns nothing about it.
    passkey_handle: bytes | None = field(default=None, repr=False)

    @property
    def is_administrator(self) -> bool:
        """Whether this is an administrator who is able to sign in.

        One who has yet to choose a password does not count, nor one whom the identity provider refused.
        """
        return (
            self.role is Role.ADMIN
            and not self.deleted
            and self.password_hash is not None
            and self.oidc_refused_at is None
        )

    def assign_profile(self, staff_id: int | None, *, by: Actor) -> None:
        """Link a staff profile to the account, or remove it (None).

        Users cannot do this to their own account.
        """
        self.ensure_managed_by(by)
        self.staff_id = staff_id

    def change_role(self, role: Role, *, by: Actor) -> None:
        """Change the role of another user's account.

        The actor has to manage both the old and the new role.
        """
        self.ensure_managed_by(by)
        if not by.can_manage(role):
            raise Refused(Reason(Code.ROLE_FOR_ADMINISTRATION, "role"))
        self.role = role

    def delete(self, *, by: Actor) -> None:
        """Delete the account and free its profile for another one.

        Users cannot delete their own account.
        """
        self.ensure_managed_by(by)
        self.deleted = True
        self.staff_id = None
        self.password_hash = None

    def link(self, issuer: str, subject: str) -> None:
        """Link the account at the hospital's identity provider."""
        self.oidc_issuer, self.oidc_subject, self.oidc_refused_at = issuer, subject, None

    def unlink(self) -> None:
        """Remove the link to the account at the identity provider."""
        self.oidc_issuer = self.oidc_subject = self.oidc_refused_at = None

    def ensure_managed_by(self, by: Actor) -> None:
        """Raise ``Refused`` for the actor's own account or an unmanaged role.

        Raise ``NotFound`` for the account of a program, which is not a user.
        """
        by.require(Permission.MANAGE_USERS)
        if self.role not in HUMAN_ROLES:
            raise NotFound
        if by.user_id == self.id:
            raise Refused(Reason(Code.USER_OWN))
        by.require_can_manage(self.role)

    def is_same_account(self, other: "User") -> bool:
        """Return whether only the place of work or the first passkey differs."""
        return (
            replace(
                self,
                ward_area_id=other.ward_area_id,
                whole_hospital=other.whole_hospital,
                passkey_handle=other.passkey_handle,
            )
            == other
        )


@dataclass(frozen=True, slots=True)
class PasswordLink:
    """A link for choosing a password, valid once.

    Only a digest of the secret is stored. ``made_by`` is the user who created it. It is None if the user requested the
    link or the operator created it on the command line.
    """

    digest: str
    user_id: int
    expires_at: datetime
    made_by: int | None = None


@dataclass(frozen=True, slots=True)
class SetupLink:
    """The link for creating the first administrator, valid once.

    Only a digest of the secret is stored.
    """

    digest: str
    expires_at: datetime


def normalize_email(text: str | None) -> str:
    """Normalize an email address, also for signing in.

    Letters that differ only in their encoding become the same (NFKC). What programs write around an address is removed:
    ``Ana Ríos <ana@hospital.test>;`` and ``mailto:ana@hospital.test`` are ``ana@hospital.test``.
    """
    address = _bare(unicodedata.normalize("NFKC", text or ""))
    within = _IN_BRACKETS.fullmatch(address)
    address = _bare(within[1]) if within else address
    is_link = address[: len(_MAILTO)].lower() == _MAILTO
    return _bare(address[len(_MAILTO) :].partition("?")[0]) if is_link else address


def _bare(address: str) -> str:
    return address.lstrip(_BEFORE_EMAIL).rstrip(_BEHIND_EMAIL)


def is_same_email(one: str, other: str) -> bool:
    """Return whether two addresses are equal except for ASCII capitals.

    An address that only looks like another one, or folds to it, may be another person's: ß and ss, or a ligature.
    """
    return one.translate(_ASCII_LOWER) == other.translate(_ASCII_LOWER)


def is_email(text: str) -> bool:
    """Return whether the text can be an email address.

    It needs one @ with text on both sides, a dot after it, and no characters that separate addresses. Only sending a
    message shows whether the address exists.
    """
    local, _, host = text.rpartition("@")
    parts = (*local.split("."), *host.split("."))
    return bool("." in host and all(parts)) and text.isprintable() and _IN_NO_EMAIL.isdisjoint(text.replace("@", "", 1))
