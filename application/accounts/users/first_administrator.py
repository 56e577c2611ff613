"""Create the first administrator by a link, without a shell."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime

from application.accounts.ports.identity import PasswordChecker, Passwords, SignInMethod
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.users.draft import check_email
from application.accounts.users.new_password import check_password
from application.accounts.users.password_links import PasswordResetLink, digest_of
from application.accounts.work import Begin, BeginReadOnly, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import retried
from domain.accounts.user import SETUP_LINK_TTL, SetupLink, User
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Role
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstAdministratorDraft(Draft):
    """The form on the page of the setup link."""

    token: str | None = field(default=None, repr=False)
    email: str | None = None
    password: str | None = field(default=None, repr=False)
    password_confirmation: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CreateSetupLink:
    """Create the link for the first administrator when the server starts.

    It replaces an earlier one. Return None, and delete the link, if an account exists.
    """

    begin: Begin
    clock: Clock
    public_address: str

    @retried
    def __call__(self) -> PasswordResetLink | None:
        with self.begin() as work:
            if work.users.has_people():
                work.setup_links.revoke()
                return None
            secret = secrets.token_urlsafe(32)
            expires_at = self.clock() + SETUP_LINK_TTL
            work.setup_links.replace(SetupLink(digest_of(secret), expires_at))
        return PasswordResetLink(f"{self.public_address}/auth/first-administrator?token={secret}", expires_at)


@dataclass(frozen=True, slots=True)
class CheckSetup:
    """Return whether an account exists: then the setup is over."""

    begin_read_only: BeginReadOnly

    @retried
    def __call__(self) -> bool:
        with self.begin_read_only() as work:
            return work.users.has_people()


@dataclass(frozen=True, slots=True)
class CreateFirstAdministrator:
    """Create the first administrator, and sign in.

    The link is valid once, and only while no account exists.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords
    judge: PasswordChecker
    begin_session: BeginSession

    @retried
    def __call__(self, draft: FirstAdministratorDraft, address: str = "", client: str = "") -> str:
        """Return the access token of a new session.

        An invalid link costs no hash.
        """
        checks = Validator(draft.parse_errors)
        token = checks.required_line("token", draft.token)
        if not token:
            checks.raise_if_invalid()
        with self.begin() as work:
            _raise_if_invalid(work, work.setup_links.get(digest_of(token)), self.clock())
            email = check_email(work, checks, draft.email, id=0)
        check_password(checks, self.judge, draft.password, [email])
        if draft.password != draft.password_confirmation:
            checks.add_error(Code.PASSWORD_MISMATCH, "password_confirmation")
        checks.raise_if_invalid()
        user = User(email=email, role=Role.ADMIN, password_hash=self.passwords.hash(draft.password or ""))
        now = self.clock()
        with self.begin() as work:
            _raise_if_invalid(work, work.setup_links.consume(digest_of(token)), now)
            work.users.add(user)
            work.audit_log.append(entry(None, now, AuditAction.USER_REGISTERED, after=user, address=address))
            begun = self.begin_session(work, user, now, how=SignInMethod.ACTIVATION, address=address, client=client)
        return self.begin_session.token_of(begun)


def _raise_if_invalid(work: UnitOfWork, link: SetupLink | None, at: datetime) -> None:
    if link is None or link.expires_at <= at or work.users.has_people():
        raise Refused(Reason(Code.SETUP_LINK_INVALID, "token"))
