"""Choose a password on a link that was handed out or mailed."""

from dataclasses import dataclass, field, replace

from application.audit import entry
from application.ports import Begin, Clock, Mailer, Passwords, UnitOfWork
from application.session.throttle import count_link_try
from application.users.letters import letters_about_change
from application.users.password_links import digest_of
from domain.checks import Checks
from domain.password import check_password
from domain.policy import MANAGED_ROLES, Actor
from domain.refusal import Code, Reason, Refused
from domain.user import PasswordLink, User


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPassword:
    """What is filled in on the page behind the link."""

    token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    password_confirmation: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoosePassword:
    """Set the password of the user whose link it is, who is told by letter.

    The link works once; all sessions of the user end.
    """

    begin: Begin
    clock: Clock
    passwords: Passwords
    mailer: Mailer

    def __call__(self, chosen: ChosenPassword, address: str = "", language: str = "es") -> None:
        """Raise ``TooManyTries`` for who follows one wrong link after the other, before any password is hashed."""
        checks = Checks(chosen.unreadable)
        token = checks.text("token", chosen.token)
        check_password(checks, "password", chosen.password, email="")
        if chosen.password != chosen.password_confirmation:
            checks.refuse(Code.PASSWORD_MISMATCH, "password_confirmation")
        checks.done()
        # A link that leads nowhere costs no hash, and one that works is not counted among the tries.
        with self.begin() as work:
            tried = count_link_try(work, address, self.clock())
        with self.begin() as work:
            holder = self._holder(work, work.links.get(digest_of(token)))
            tried.succeeded(work)
        check_password(checks, "password", chosen.password, email=holder.email)
        checks.done()
        password_hash = self.passwords.hash(chosen.password or "")
        now = self.clock()
        with self.begin() as work:
            before = self._holder(work, work.links.take(digest_of(token)))
            if before.email != holder.email:
                raise Refused(Reason(Code.LINK_INVALID, "token"))
            user = replace(before, password_hash=password_hash)
            work.users.save(user)
            work.links.drop_all(user.id)
            work.sessions.end_all(user.id)
            actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
            work.trail.append(entry(actor, now, "user.password_chosen", "user", before=before, after=user))
        for letter in letters_about_change(before, user, now, language):
            self.mailer.send(letter)

    def _holder(self, work: UnitOfWork, link: PasswordLink | None) -> User:
        """Whose link it is. Raise ``Refused`` for one that does not work any more."""
        user = work.users.lock(link.user_id) if link else None
        if link is None or user is None or user.deleted or link.expires_at <= self.clock():
            raise Refused(Reason(Code.LINK_INVALID, "token"))
        if link.made_by is not None:
            # Whoever could not make such a link now, must not get in by one made before.
            maker = work.users.get(link.made_by)
            if maker is None or maker.deleted or user.role not in MANAGED_ROLES[maker.role]:
                raise Refused(Reason(Code.LINK_INVALID, "token"))
        return user
