"""Choose a password on a link that was handed out or mailed."""

from dataclasses import dataclass, field, replace

from application.audit import entry
from application.ports import Begin, Clock, Passwords
from application.users.password_links import digest_of
from domain.checks import Checks
from domain.password import check_password
from domain.policy import Actor
from domain.refusal import Code, Reason, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPassword:
    """What is filled in on the page behind the link."""

    token: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    password_confirmation: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoosePassword:
    """Set the password of the user whose link it is. The link works once; all sessions of the user end."""

    begin: Begin
    clock: Clock
    passwords: Passwords

    def __call__(self, chosen: ChosenPassword) -> None:
        checks = Checks(chosen.unreadable)
        token = checks.text("token", chosen.token)
        check_password(checks, "password", chosen.password, email="")
        if chosen.password != chosen.password_confirmation:
            checks.refuse(Code.PASSWORD_MISMATCH, "password_confirmation")
        checks.done()
        password_hash = self.passwords.hash(chosen.password or "")
        now = self.clock()
        with self.begin() as work:
            link = work.links.take(digest_of(token))
            before = work.users.lock(link.user_id) if link else None
            if link is None or link.expires_at <= now or before is None or before.deleted:
                raise Refused(Reason(Code.LINK_INVALID, "token"))
            check_password(checks, "password", chosen.password, email=before.email)
            checks.done()
            user = replace(before, password_hash=password_hash)
            work.users.save(user)
            work.links.drop_all(user.id)
            work.sessions.end_all(user.id)
            actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
            work.trail.append(entry(actor, now, "user.password_chosen", "user", before=before, after=user))
