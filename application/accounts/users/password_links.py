"""Links for choosing a password, created for others or requested by email."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sessions.throttle import count_email
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry, failed_attempt_entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailMessage
from application.common.use_case import permitted, retried
from domain.accounts.passkey import PasskeySecret, SecretPurpose
from domain.accounts.user import EMAIL_LENGTH, PASSWORD_LINK_TTL, PasswordLink, User, normalize_email
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import MANAGED_ROLES, Actor, Permission
from domain.common.text import unique_key
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class PasswordResetLink:
    """A link to the page for choosing a password, and its expiry."""

    url: str
    expires_at: datetime


def digest_of(secret: str) -> str:
    """Return the digest of a link's secret for storage."""
    return hashlib.sha256(secret.encode()).hexdigest()


def revoke_links(work: UnitOfWork, user_id: int) -> None:
    """Delete the links of a user, for a password and for a passkey."""
    work.password_links.revoke_all(user_id)
    work.passkey_secrets.revoke_all(user_id, SecretPurpose.LINK)


def new_link(
    work: UnitOfWork, address: str, user_id: int, at: datetime, *, made_by: Actor | None = None
) -> PasswordResetLink:
    """Create the only valid link of a user.

    ``address`` is the public address of the application. For an id without a user, the same statements are executed,
    but nothing is stored.
    """
    secret = secrets.token_urlsafe(32)
    expires_at = at + PASSWORD_LINK_TTL
    # Earlier links may have been seen by others.
    revoke_links(work, user_id)
    work.password_links.add(PasswordLink(digest_of(secret), user_id, expires_at, made_by.user_id if made_by else None))
    return PasswordResetLink(f"{address}/auth/reset-password?token={secret}", expires_at)


def holder_of(
    work: UnitOfWork, link: PasswordLink | PasskeySecret | None, at: datetime, begin_session: BeginSession
) -> User:
    """Return the user of a link for a password or a passkey, locked.

    Raise ``Refused`` for a link that is invalid or has expired, or if the account takes neither.
    """
    user = work.users.lock(link.user_id) if link and link.user_id else None
    if link is None or user is None or link.expires_at <= at or not begin_session.accepts(user):
        raise Refused(Reason(Code.LINK_INVALID, "token"))
    if link.made_by is not None:
        # If its creator is no longer allowed to create such a link, the link is not valid either.
        maker = work.users.get(link.made_by)
        if maker is None or maker.deleted or user.role not in MANAGED_ROLES[maker.role]:
            raise Refused(Reason(Code.LINK_INVALID, "token"))
    return user


@dataclass(frozen=True, slots=True)
class CreateResetLink:
    """Create a link by which another user chooses a new password.

    The actor hands it to that person.
    """

    begin: Begin
    clock: Clock
    public_address: str

    @permitted(Permission.MANAGE_USERS)
    def __call__(self, actor: Actor, user_id: int) -> PasswordResetLink:
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
class ResetRequest(Draft):
    """The form for a forgotten password."""

    email: str | None = None


@dataclass(frozen=True, slots=True)
class RequestedLetter:
    """A requested email, and the address of the request.

    ``is_due`` is False if too many emails were requested for that account.
    """

    email: str
    address: str
    is_due: bool


@dataclass(frozen=True, slots=True)
class RequestPasswordReset:
    """Mail a link to a user who has forgotten the password.

    The answer does not reveal whether the account exists. The request is only counted before the answer. ``send`` does
    the rest, when no request waits for it. Both execute the same statements and write the same number of rows whether
    or not the account exists, except for the link.
    """

    begin: Begin
    clock: Clock
    mailer: Mailer
    public_address: str
    begin_session: BeginSession

    @retried
    def __call__(self, request: ResetRequest, address: str = "") -> RequestedLetter:
        """Count the request, and return the data for ``send``.

        Raise ``TooManyAttempts`` above the limit of the address.
        """
        checks = Validator(request.parse_errors)
        email = checks.required_line("email", normalize_email(request.email), longest=EMAIL_LENGTH)
        checks.raise_if_invalid()
        with self.begin() as work:
            return RequestedLetter(email, address, is_due=count_email(work, email, address, self.clock()))

    @retried
    def send(self, letter: RequestedLetter, language: str) -> None:
        """Mail the link if the account exists and mail is configured.

        The audit log gets an entry about the link, or else about the request.
        """
        now = self.clock()
        with self.begin() as work:
            user = work.users.find("email", unique_key(letter.email))
            # Without mail the new link would be lost, and the earlier one replaced in vain.
            is_due = letter.is_due and self.mailer.delivers
            if user is not None and not (is_due and self.begin_session.accepts(user)):
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
