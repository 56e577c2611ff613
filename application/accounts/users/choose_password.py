"""Choose a password by a personal link."""

from dataclasses import dataclass, field, replace

from application.accounts.ports.identity import PasswordChecker, Passwords, SignInMethod
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.users.new_password import check_password, guessable_words
from application.accounts.users.notifications import emails_about_change
from application.accounts.users.password_links import digest_of, holder_of
from application.accounts.users.save_account import save_account
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.mail import Mailer
from application.common.use_case import retried
from domain.accounts.password import check_length
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPassword(Draft):
    """The form on the page of the link."""

    token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    password_confirmation: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ChoosePassword:
    """Set the password of the link's user, and sign the user in.

    The link is valid once. All earlier sessions of the user end, and the user gets a notice by email. The session of a
    new account that an administrator invited may register its first passkey.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords
    judge: PasswordChecker
    mailer: Mailer
    begin_session: BeginSession

    @retried
    def __call__(self, chosen: ChosenPassword, address: str = "", client: str = "", language: str = "es") -> str:
        """Set the password, and return the access token of a new session.

        Raise ``SecondFactorAsked`` if the account has a passkey.
        """
        checks = Validator(chosen.parse_errors)
        token = checks.required_line("token", chosen.token)
        check_length(checks, "password", chosen.password)
        if chosen.password != chosen.password_confirmation:
            checks.add_error(Code.PASSWORD_MISMATCH, "password_confirmation")
        checks.raise_if_invalid()
        # An invalid link costs no hash. It is not counted either: 32 random bytes are not guessed.
        with self.begin() as work:
            holder = holder_of(work, work.password_links.get(digest_of(token)), self.clock(), self.begin_session)
            about = guessable_words(work, holder)
        check_password(checks, self.judge, chosen.password, about)
        checks.raise_if_invalid()
        password_hash = self.passwords.hash(chosen.password or "")
        now = self.clock()
        with self.begin() as work:
            link = work.password_links.consume(digest_of(token))
            before = holder_of(work, link, now, self.begin_session)
            if before.email != holder.email:
                raise Refused(Reason(Code.LINK_INVALID, "token"))
            user = replace(before, password_hash=password_hash)
            actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
            save_account(work, actor, before, user, now)
            work.audit_log.append(entry(actor, now, AuditAction.USER_PASSWORD_CHOSEN, before=before, after=user))
            is_activation = before.password_hash is None and link is not None and link.made_by is not None
            how = SignInMethod.ACTIVATION if is_activation else SignInMethod.PASSWORD
            begun = self.begin_session(work, user, now, how=how, address=address, client=client)
        for message in emails_about_change(before, user, now, language):
            self.mailer.send(message)
        return self.begin_session.token_of(begun)
