"""Links by which the owner of a lost passkey registers another one."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from application.accounts.ports.passkeys import Passkeys
from application.accounts.sessions.challenges import raise_if_unavailable
from application.accounts.sessions.sessions import end
from application.accounts.sign_in.manage_passkeys import chosen
from application.accounts.users.password_links import PasswordResetLink, digest_of, revoke_links
from application.accounts.users.save_account import remove_passkeys
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailMessage
from application.common.use_case import permitted, retried
from domain.accounts.passkey import PASSKEY_LINK_TTL, PasskeySecret, SecretPurpose
from domain.accounts.user import User, normalize_email
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import HUMAN_ROLES, Actor, Permission
from domain.common.text import unique_key
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class LostPasskeys(Draft):
    """The ids of the lost passkeys, which are removed."""

    removed_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HandOutPasskeyLink:
    """Create a link by which a user registers a passkey.

    The user's sessions end, the lost passkeys are removed, and the user is notified by email.
    """

    begin: Begin
    clock: Clock
    passkeys: Passkeys
    mailer: Mailer

    @permitted(Permission.MANAGE_USERS)
    def __call__(
        self,
        actor: Actor,
        user_id: int,
        lost: LostPasskeys,
        address: str = "",
        client: str = "",
        language: str = "es",
    ) -> PasswordResetLink:
        """Create the link for another user, to be handed to that person."""
        checks = Validator(lost.parse_errors)
        checks.raise_if_invalid()
        raise_if_unavailable(self.passkeys)
        now = self.clock()
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or user.deleted:
                raise NotFound
            user.ensure_managed_by(actor)
            removed = chosen(work, user, lost.removed_ids or ())
            remove_passkeys(work, actor, user, removed, now, address=address, client=client)
            sessions = work.views.sessions(user.id, now)
            end(work, actor, user, sessions, now, address=address, client=client)
            link = self._new_link(work, actor, user, now)
        self.mailer.send(MailMessage(user.email, "passkey_link", language, now))
        return link

    @retried
    def on_server(self, email: str, language: str = "es") -> PasswordResetLink:
        """Create the link on the command line, for the last administrator.

        Passkeys and sessions stay. Raise ``NotFound`` for an unknown email.
        """
        raise_if_unavailable(self.passkeys)
        now = self.clock()
        with self.begin() as work:
            found = work.users.find("email", unique_key(normalize_email(email)))
            user = work.users.lock(found.id) if found else None
            if user is None or user.deleted or user.role not in HUMAN_ROLES:
                raise NotFound
            link = self._new_link(work, None, user, now)
        self.mailer.send(MailMessage(user.email, "passkey_link", language, now))
        return link

    def _new_link(self, work: UnitOfWork, actor: Actor | None, user: User, at: datetime) -> PasswordResetLink:
        """Create the only valid link of a user."""
        if user.password_hash is None:
            raise Refused(Reason(Code.PASSWORD_NOT_CHOSEN))
        secret = secrets.token_urlsafe(32)
        expires_at = at + PASSKEY_LINK_TTL
        made_by = actor.user_id if actor else None
        revoke_links(work, user.id)
        work.passkey_secrets.add(
            PasskeySecret(digest_of(secret), SecretPurpose.LINK, user.id, expires_at, made_by=made_by)
        )
        action = AuditAction.USER_PASSKEY_LINK_HANDED_OUT
        work.audit_log.append(entry(actor, at, action, before=user, after=user))
        return PasswordResetLink(f"{self.passkeys.origin}/auth/passkey?token={secret}", expires_at)
