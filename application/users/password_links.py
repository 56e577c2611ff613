"""Links with which people choose a password: handed out by whoever manages users, or asked for by themselves."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from application.audit_log import entry, failed_attempt_entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.mail import Mailer, MailMessage
from application.ports.unit_of_work import Begin, UnitOfWork
from application.session.throttle import count_email
from domain.errors import Code, NotFound, Reason, Refused
from domain.policy import HUMAN_ROLES, MANAGED_ROLES, Actor, Permission
from domain.text import unique_key
from domain.user import EMAIL_LENGTH, PASSWORD_LINK_TTL, PasswordLink, User, normalize_email
from domain.validation import Validator


@dataclass(frozen=True, slots=True)
class PasswordResetLink:
    """A link to the page on which a password is chosen, and until when it works."""

    url: str
    expires_at: datetime


def digest_of(secret: str) -> str:
    """What is kept of a link's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_link(
    work: UnitOfWork, address: str, user_id: int, at: datetime, *, made_by: Actor | None = None
) -> PasswordResetLink:
    """Make the one link for that user that works from now on, at the address at which browsers reach us.

    For an id that no user has, the same statements are executed and nothing is stored.
    """
    secret = secrets.token_urlsafe(32)
    expires_at = at + PASSWORD_LINK_TTL
    # The ones before it may have got into the wrong hands.
    work.password_links.drop_all(user_id)
    work.password_links.add(PasswordLink(digest_of(secret), user_id, expires_at, made_by.user_id if made_by else None))
    return PasswordResetLink(f"{address}/auth/reset-password?token={secret}", expires_at)


def holder_of(work: UnitOfWork, link: PasswordLink | None, at: datetime) -> User:
    """Whose link it is, locked. Raise ``Refused`` for one that does not work any more."""
    user = work.users.lock(link.user_id) if link else None
    if link is None or user is None or user.deleted or link.expires_at <= at:
        raise Refused(Reason(Code.LINK_INVALID, "token"))
    if link.made_by is not None:
        # Whoever could not make such a link now, must not get in by one made before.
        maker = work.users.get(link.made_by)
        if maker is None or maker.deleted or user.role not in MANAGED_ROLES[maker.role]:
            raise Refused(Reason(Code.LINK_INVALID, "token"))
    return user


@dataclass(frozen=True, slots=True)
class CreateResetLink:
    """Make a link with which someone else chooses a new password, to be handed to that person."""

    begin: Begin
    clock: Clock
    public_address: str

    def __call__(self, actor: Actor, user_id: int) -> PasswordResetLink:
        actor.must(Permission.MANAGE_USERS)
        now = self.clock()
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or user.deleted:
                raise NotFound
            user.ensure_managed_by(actor)
            link = new_link(work, self.public_address, user.id, now, made_by=actor)
            work.audit_log.append(entry(actor, now, AuditAction.USER_RESET_LINK_HANDED_OUT, before=user, after=user))
        return link


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetRequest:
    """What is filled in by someone who has forgotten the password."""

    email: str | None = None
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestedLetter:
    """A letter that was asked for, and from where; not ``is_due`` if that email was written to often enough."""

    email: str
    address: str
    is_due: bool


@dataclass(frozen=True, slots=True)
class RequestPasswordReset:
    """Mail a link to someone who has forgotten the password, without telling anyone whether the account exists.

    Before the answer the request is only counted. ``send`` does the rest when no request waits for it. Both execute the
    same statements and write the same number of rows whether or not there is such an account, except for the link.
    """

    begin: Begin
    clock: Clock
    mailer: Mailer
    public_address: str

    def __call__(self, request: ResetRequest, address: str = "") -> RequestedLetter:
        """Return what is to be handed to ``send``. Raise ``TooManyAttempts``."""
        checks = Validator(request.unreadable)
        email = checks.required_line("email", normalize_email(request.email), longest=EMAIL_LENGTH)
        checks.raise_if_invalid()
        with self.begin() as work:
            return RequestedLetter(email, address, is_due=count_email(work, email, address, self.clock()))

    def send(self, letter: RequestedLetter, language: str) -> None:
        """Mail the link, if there is such an account and mail is set up; log the link, or else the request."""
        now = self.clock()
        with self.begin() as work:
            user = work.users.find("email", unique_key(letter.email))
            # Without mail the link that replaces the earlier one would be lost.
            if user is not None and not (letter.is_due and self.mailer.delivers and user.role in HUMAN_ROLES):
                user = None
            link = new_link(work, self.public_address, user.id if user else 0, now)
            if user is None:
                done = failed_attempt_entry(now, AuditAction.USER_RESET_REQUESTED, address=letter.address)
            else:
                action = AuditAction.USER_RESET_LINK_MAILED
                done = entry(None, now, action, before=user, after=user, address=letter.address)
            work.audit_log.append(done)
        if user is not None:
            self.mailer.send(MailMessage(user.email, "reset", language, link.expires_at, link.url))
