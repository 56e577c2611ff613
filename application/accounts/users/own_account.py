"""The signed-in user's own account and staff profile."""

from dataclasses import dataclass

from application.accounts.ports.passkeys import Passkeys
from application.accounts.ports.unlocking import UnlockState
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.views import ManagedRoleView, OwnAccountView, UnlockWay
from application.accounts.work import Read
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.people.views import StaffView
from domain.accounts.passkey import SecondFactorRule
from domain.accounts.quick_unlock import QuickUnlock
from domain.common.errors import Unauthenticated
from domain.common.policy import GRANTS, Actor, Limit, Permission


@dataclass(frozen=True, slots=True)
class ReadOwnAccount:
    """Read the own account with its permissions."""

    read: Read
    quick_unlock: QuickUnlock
    second_factor: SecondFactorRule
    passkeys: Passkeys
    begin_session: BeginSession

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor) -> OwnAccountView:
        with self.read() as views:
            user = views.users.one(actor.user_id)
            ward = views.own_ward(actor.user_id)
            state = views.unlock_state(actor.user_id)
        if user is None:
            raise Unauthenticated
        account = OwnAccountView(
            **user,
            ward=ward,
            permissions=sorted(actor.permissions),
            managed_roles=[
                ManagedRoleView(role=str(int(role)), has_profile=Permission.SEE_PROFILE_LINK in GRANTS[role])
                for role in sorted(actor.managed_roles)
            ],
            profile_required=actor.profile_required,
            unlock_by=self._unlock_by(actor, state),
            quick_unlock=self.quick_unlock.allows(actor.role),
            second_factor_required=Limit.SECOND_FACTOR in actor.limits,
            passkey_due_on=None if state.has_passkey else self.second_factor.due_on(actor.role),
        )
        return redact_for(actor, account, OwnAccountView)

    def _unlock_by(self, actor: Actor, state: UnlockState) -> list[UnlockWay]:
        is_allowed = self.quick_unlock.allows(actor.role)
        takes_own_proofs = self.begin_session.takes_own_proofs(actor.role)
        ways = {
            UnlockWay.PASSWORD: takes_own_proofs and state.has_password,
            UnlockWay.PIN: is_allowed and state.has_pin,
            UnlockWay.BADGE: is_allowed and self.quick_unlock.badge_alone and state.has_badge,
            UnlockWay.PASSKEY: takes_own_proofs and self.passkeys.available and state.has_passkey,
        }
        return [way for way, is_possible in ways.items() if is_possible]


@dataclass(frozen=True, slots=True)
class ReadOwnProfile:
    """Read the own staff profile, or None if there is none."""

    read: Read

    @permitted(Permission.MANAGE_OWN_PROFILE)
    def __call__(self, actor: Actor) -> StaffView | None:
        if actor.staff_id is None:
            return None
        with self.read() as views:
            return views.staff.one(actor.staff_id)
