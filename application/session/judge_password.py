"""Judge a password while it is typed, before it is chosen."""

from dataclasses import dataclass, field

from application.ports.clock import Clock
from application.ports.identity import Judgement, PasswordJudge
from application.ports.unit_of_work import Begin
from application.session.throttle import count_judgement, count_link_try
from application.users.new_password import known_about
from application.users.password_links import digest_of, holder_of
from domain.checks import Checks
from domain.password import check_length
from domain.policy import Actor, Permission
from domain.refusal import NotSignedIn, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedPassword:
    """What was typed up to now, and the email that the own account is to have."""

    email: str | None = None
    password: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordTypedOnLink:
    """What was typed up to now on the page behind a link."""

    token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgePassword:
    """Tell how hard a password is to guess, as it will be judged when it is chosen. Nothing of it is kept.

    Raise ``TooManyTries``: what is told hangs on what is known about the person.
    """

    begin: Begin
    clock: Clock
    judge: PasswordJudge

    def own(self, actor: Actor, typed: TypedPassword) -> Judgement:
        """For the own account."""
        actor.must(Permission.KEEP_OWN_ACCOUNT)
        checks = Checks(typed.unreadable)
        check_length(checks, "password", typed.password)
        checks.done()
        with self.begin() as work:
            user = work.users.get(actor.user_id)
            if user is None:
                raise NotSignedIn
            about = [*known_about(work, user), typed.email or ""]
            count_judgement(work, user.id, self.clock())
        return self.judge.judge(typed.password or "", about)

    def on_link(self, typed: PasswordTypedOnLink, address: str = "") -> Judgement:
        """For the account whose link it is."""
        checks = Checks(typed.unreadable)
        token = checks.text("token", typed.token)
        check_length(checks, "password", typed.password)
        checks.done()
        now = self.clock()
        with self.begin() as work:
            tried = count_link_try(work, address, now)
        with self.begin() as work:
            holder = holder_of(work, work.password_links.get(digest_of(token)), now)
            about = known_about(work, holder)
            tried.succeeded(work)
        with self.begin() as work:
            count_judgement(work, holder.id, now)
        return self.judge.judge(typed.password or "", about)
