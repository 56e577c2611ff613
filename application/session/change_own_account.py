"""Change the own account."""

from dataclasses import dataclass, field, replace

from application.audit import entry
from application.ports import Begin, Clock, Passwords
from application.users.draft import check_email
from application.views import UserView
from domain.checks import Checks
from domain.password import check_password
from domain.policy import Actor, Permission
from domain.refusal import Code, NotSignedIn, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountDraft:
    """What is filled in on the own account form. Without a new password it stays as it is."""

    email: str | None = None
    password: str | None = field(default=None, repr=False)
    password_confirmation: str | None = field(default=None, repr=False)
    current_password: str | None = field(default=None, repr=False)
    unreadable: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeOwnAccount:
    """Change the own email or, with the current one, the own password, which ends all own sessions.

    Neither the own role nor the own profile can be changed here (contract, section 5).
    """

    begin: Begin
    clock: Clock
    passwords: Passwords

    def __call__(self, actor: Actor, draft: AccountDraft) -> UserView:
        actor.must(Permission.KEEP_OWN_ACCOUNT)
        keeps = not draft.password and all(reason.field != "password" for reason in draft.unreadable)
        # Browsers fill in the current password by themselves: without a new one it is not looked at.
        checks = Checks(reason for reason in draft.unreadable if not (keeps and reason.field == "current_password"))
        with self.begin() as work:
            known = work.users.get(actor.user_id)
        if known is None:
            raise NotSignedIn
        if keeps:
            if draft.password_confirmation:
                checks.refuse(Code.PASSWORD_MISMATCH, "password_confirmation")
        else:
            check_password(checks, "password", draft.password, email=draft.email or known.email)
            if draft.password != draft.password_confirmation:
                checks.refuse(Code.PASSWORD_MISMATCH, "password_confirmation")
            if not draft.current_password:
                checks.refuse(Code.REQUIRED, "current_password")
            elif not self.passwords.match(draft.current_password, known.password_hash):
                checks.refuse(Code.PASSWORD_WRONG, "current_password")
        with self.begin() as work:
            email = check_email(work, checks, draft.email, id=actor.user_id)
        checks.done()
        password_hash = self.passwords.hash(draft.password) if draft.password else known.password_hash
        now = self.clock()
        with self.begin() as work:
            before = work.users.lock(actor.user_id)
            # Whoever was deleted or got another password meanwhile is not signed in any more.
            if before is None or before.deleted or before.password_hash != known.password_hash:
                raise NotSignedIn
            user = replace(before, email=email, password_hash=password_hash)
            if user != before:
                work.users.save(user)
            if draft.password:
                work.sessions.end_all(user.id)
                work.links.drop_all(user.id)
                work.trail.append(entry(actor, now, "user.password_changed", "user", before=before, after=user))
            elif user != before:
                work.trail.append(entry(actor, now, "user.account_changed", "user", before=before, after=user))
            view = work.views.users.one(user.id)
        assert view is not None, "it was saved just now"
        return view
