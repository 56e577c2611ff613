"""Invite a user: register an account without a password."""

from dataclasses import dataclass
from datetime import datetime

from application.accounts.users.assign_profile import AssignProfile
from application.accounts.users.draft import UserDraft, check_email, check_role
from application.accounts.users.password_links import PasswordResetLink, new_link
from application.accounts.views import UserView
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailMessage
from application.common.use_case import permitted
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class Invitation:
    """A new user with an activation link.

    The user chooses a password by the link. ``mailed`` says whether it was sent by email too.
    """

    user: UserView
    activation: PasswordResetLink
    mailed: bool


@dataclass(frozen=True, slots=True)
class InviteUser:
    """Register a user, and return the activation link.

    It is mailed too, if mail is configured.
    """

    begin: Begin
    clock: Clock
    mailer: Mailer
    public_address: str
    assign_profile: AssignProfile

    @permitted(Permission.MANAGE_USERS)
    def __call__(self, actor: Actor, draft: UserDraft, language: str) -> Invitation:
        now = self.clock()
        with self.begin() as work:
            user = _add(work, self.assign_profile, actor, draft)
            link = new_link(work, self.public_address, user.id, now, made_by=actor)
            work.audit_log.append(entry(actor, now, AuditAction.USER_INVITED, after=user))
            view = work.views.users.one(user.id)
            assert view is not None, "it was added just now"
        self.mailer.send(MailMessage(user.email, "activation", language, link.expires_at, link.url))
        return Invitation(view, link, mailed=self.mailer.delivers)


def add_invited_user(
    begin: Begin,
    assign_profile: AssignProfile,
    actor: Actor,
    draft: UserDraft,
    at: datetime,
    *,
    area: Area | None = None,
) -> User:
    """Register a user without a password and without a link.

    ``area`` is where the user works.
    """
    actor.require(Permission.MANAGE_USERS)
    with begin() as work:
        user = _add(work, assign_profile, actor, draft, area=area)
        work.audit_log.append(entry(actor, at, AuditAction.USER_INVITED, after=user))
    return user


def _add(
    work: UnitOfWork, assign_profile: AssignProfile, actor: Actor, draft: UserDraft, *, area: Area | None = None
) -> User:
    """Validate the draft and add the user. Raise ``Refused`` with all errors."""
    checks = Validator(draft.parse_errors)
    email = check_email(work, checks, draft.email, id=0)
    role = check_role(checks, actor, draft.role)
    user = User(email=email, role=role, password_hash=None, ward_area_id=area.id if area else None)
    assign_profile.within(work, checks, user, draft.staff_id)
    checks.raise_if_invalid()
    work.users.add(user)
    return user
