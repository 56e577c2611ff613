"""Check the strength of a password while the user types it."""

from dataclasses import dataclass, field

from application.accounts.ports.identity import PasswordChecker, PasswordScore
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sessions.throttle import count_strength_check
from application.accounts.users.new_password import guessable_words
from application.accounts.users.password_links import digest_of, holder_of
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.use_case import permitted, retried
from domain.accounts.password import check_length
from domain.common.errors import Unauthenticated
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPassword(Draft):
    """The password typed so far, and the new email of the own account."""

    email: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordTypedOnLink(Draft):
    """The password typed so far on the page of a link."""

    token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CheckPasswordStrength:
    """Score a password as it will be scored when it is chosen.

    Nothing is stored. Raise ``TooManyAttempts``, because the answer depends on data about the user.
    """

    begin: Begin
    clock: Clock
    judge: PasswordChecker
    begin_session: BeginSession

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def own(self, actor: Actor, typed: TypedPassword) -> PasswordScore:
        """Score a password for the own account."""
        checks = Validator(typed.parse_errors)
        check_length(checks, "password", typed.password)
        checks.raise_if_invalid()
        with self.begin() as work:
            user = work.users.get(actor.user_id)
            if user is None:
                raise Unauthenticated
            about = [*guessable_words(work, user), typed.email or ""]
            count_strength_check(work, user.id, self.clock())
        return self.judge.judge(typed.password or "", about)

    @retried
    def on_link(self, typed: PasswordTypedOnLink) -> PasswordScore:
        """Score a password for the account of a link."""
        checks = Validator(typed.parse_errors)
        token = checks.required_line("token", typed.token)
        check_length(checks, "password", typed.password)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            holder = holder_of(work, work.password_links.get(digest_of(token)), now, self.begin_session)
            about = guessable_words(work, holder)
            count_strength_check(work, holder.id, now)
        return self.judge.judge(typed.password or "", about)
