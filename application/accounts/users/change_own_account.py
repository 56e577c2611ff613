"""Change the user's own account."""

from dataclasses import dataclass, field, replace

from application.accounts.ports.identity import PasswordChecker, Passwords
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.throttle import Attempt, count_password_try
from application.accounts.users.draft import check_email
from application.accounts.users.new_password import check_password, guessable_words
from application.accounts.users.notifications import emails_about_change
from application.accounts.users.save_account import save_account
from application.accounts.views import UserView
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.mail import Mailer
from application.common.use_case import permitted
from domain.accounts.user import User, is_same_email, normalize_email
from domain.common.errors import Code, Unauthenticated
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountDraft(Draft):
    """The form for the own account. Without a new password it stays as it is."""

    email: str | None = None
    password: str | None = field(default=None, repr=False)
    password_confirmation: str | None = field(default=None, repr=False)
    current_password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ChangeOwnAccount:
    """Change the own email or password, which requires the current password.

    Otherwise a stranger at an open session could have a link mailed to another address. The old address gets a notice.
    A new password ends all sessions of the user. The own role and profile cannot be changed here.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords
    judge: PasswordChecker
    mailer: Mailer

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(
        self, actor: Actor, draft: AccountDraft, address: str = "", language: str = "es", client: str = ""
    ) -> UserView:
        """Change the account.

        A wrong current password is logged like a failed sign-in. Raise ``TooManyAttempts`` after too many of them,
        before the password is hashed.
        """
        keeps_password = not draft.password and all(reason.field != "password" for reason in draft.parse_errors)
        with self.begin() as work:
            known = work.users.get(actor.user_id)
            about = guessable_words(work, known) if known else []
        if known is None or known.deleted:
            raise Unauthenticated
        changes_nothing = keeps_password and normalize_email(draft.email) == known.email
        # Browsers fill in the current password automatically, so it is ignored if nothing changes.
        checks = Validator(
            reason for reason in draft.parse_errors if not (changes_nothing and reason.field == "current_password")
        )
        if not keeps_password:
            check_password(checks, self.judge, draft.password, [*about, draft.email or ""])
        if (draft.password or "") != (draft.password_confirmation or ""):
            checks.add_error(Code.PASSWORD_MISMATCH, "password_confirmation")
        tried = None if changes_nothing else self._try_current(checks, draft.current_password, known, address, client)
        with self.begin() as work:
            if tried:
                tried.succeeded(work)
            email = check_email(work, checks, draft.email, id=actor.user_id)
        checks.raise_if_invalid()
        password_hash = self.passwords.hash(draft.password) if draft.password else known.password_hash
        now = self.clock()
        with self.begin() as work:
            before = work.users.lock(actor.user_id)
            # A user who was deleted or got another password meanwhile is no longer signed in.
            if before is None or before.deleted or before.password_hash != known.password_hash:
                raise Unauthenticated
            chooses_email = before.email_is_own_choice or not is_same_email(email, before.email)
            user = replace(before, email=email, email_is_own_choice=chooses_email, password_hash=password_hash)
            if user != before:
                save_account(work, actor, before, user, now)
            if draft.password:
                work.audit_log.append(entry(actor, now, AuditAction.USER_PASSWORD_CHANGED, before=before, after=user))
            elif user != before:
                work.audit_log.append(entry(actor, now, AuditAction.USER_ACCOUNT_CHANGED, before=before, after=user))
            view = work.views.users.one(user.id)
        for message in emails_about_change(before, user, now, language):
            self.mailer.send(message)
        assert view is not None, "it was saved just now"
        return view

    def _try_current(
        self, checks: Validator, current: str | None, user: User, address: str, client: str
    ) -> Attempt | None:
        """Return the counted attempt if the current password is right."""
        if not current:
            checks.add_error(Code.REQUIRED, "current_password")
            return None
        with self.begin() as work:
            tried = count_password_try(work, user.email, address, self.clock(), is_known=True)
        if self.passwords.match(current, user.password_hash):
            return tried
        with self.begin() as work:
            action = AuditAction.SIGN_IN_FAILED
            record_failure(work, self.clock(), action, user.id, address=address, client=client)
        checks.add_error(Code.PASSWORD_WRONG, "current_password")
        return None
