"""List, rename and remove passkeys."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from application.accounts.sessions.confirmed import lock_confirmed_session
from application.accounts.sessions.identify import SignedIn
from application.accounts.sign_in.register_passkey import passkey_view
from application.accounts.users.save_account import remove_passkeys
from application.accounts.views import PasskeysView, PasskeyView
from application.accounts.work import Begin, BeginReadOnly, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailMessage
from application.common.use_case import permitted
from domain.accounts.passkey import PASSKEY_NAME_LENGTH, Passkey, SecondFactorRule
from domain.accounts.user import User
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class ListPasskeys:
    """List the passkeys of the own account or of a managed one."""

    begin_read_only: BeginReadOnly

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor, user_id: int) -> PasskeysView:
        """Return the passkeys, the oldest first.

        Raise ``NotFound`` for an account that the actor does not manage.
        """
        with self.begin_read_only() as work:
            user = work.users.get(user_id)
            if user is None or user.deleted or (user.id != actor.user_id and not actor.can_manage(user.role)):
                raise NotFound
            return PasskeysView(items=[passkey_view(one) for one in work.passkeys.of_user(user_id)])


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyName(Draft):
    """The name of a passkey."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class RenamePasskey:
    """Rename a passkey of the own account."""

    begin: Begin
    clock: Clock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor, user_id: int, passkey_id: int, draft: PasskeyName) -> PasskeyView:
        if user_id != actor.user_id:
            raise Refused(Reason(Code.USER_NOT_OWN))
        checks = Validator(draft.parse_errors)
        name = checks.required_line("name", draft.name, longest=PASSKEY_NAME_LENGTH)
        checks.raise_if_invalid()
        with self.begin() as work:
            user = lock_account(work, actor, user_id)
            [passkey] = chosen(work, user, [passkey_id])
            renamed = replace(passkey, name=name)
            if renamed != passkey:
                work.passkeys.save(renamed)
                noted = {"passkey": name}
                action = AuditAction.PASSKEY_RENAMED
                work.audit_log.append(entry(actor, self.clock(), action, before=user, after=user, **noted))
        return passkey_view(renamed)


@dataclass(frozen=True, slots=True)
class RemovePasskey:
    """Remove a passkey of the own account or of a managed one.

    The last one stays where the role needs one.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo
    second_factor: SecondFactorRule
    mailer: Mailer

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(
        self,
        signed_in: SignedIn,
        user_id: int,
        passkey_id: int,
        address: str = "",
        client: str = "",
        language: str = "es",
    ) -> None:
        """Remove the passkey. For the own account the session is confirmed."""
        actor = signed_in.actor
        actor.must_reach_account(user_id)
        now = self.clock()
        with self.begin() as work:
            user = lock_account(work, actor, user_id)
            [passkey] = chosen(work, user, [passkey_id])
            if user_id == actor.user_id:
                lock_confirmed_session(work, signed_in, now)
            is_needed = self.second_factor.is_in_force(user.role, day_of(now, self.zone))
            if is_needed and len(work.passkeys.of_user(user.id)) == 1:
                raise Refused(Reason(Code.PASSKEY_LAST))
            remove_passkeys(work, actor, user, [passkey], now, address=address, client=client)
        self.mailer.send(MailMessage(user.email, "passkey_removed", language, now))


def lock_account(work: UnitOfWork, actor: Actor, user_id: int) -> User:
    """Return the own account or a managed one, locked."""
    user = work.users.lock(user_id)
    if user is None or user.deleted:
        raise NotFound
    if user.id != actor.user_id:
        user.ensure_managed_by(actor)
    return user


def chosen(work: UnitOfWork, user: User, ids: Sequence[int]) -> list[Passkey]:
    """Return these passkeys of a user. Raise ``NotFound`` if one is not."""
    known = {passkey.id: passkey for passkey in work.passkeys.of_user(user.id)}
    if not known.keys() >= set(ids):
        raise NotFound
    return [known[number] for number in dict.fromkeys(ids)]
