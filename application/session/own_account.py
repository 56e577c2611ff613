"""The signed-in user's own account and staff profile."""

from dataclasses import dataclass
from datetime import date

from application.ports.unit_of_work import BeginReadOnly
from application.ports.views import Read
from application.redaction import redact_for
from application.views.people import StaffView
from application.views.users import ManagedRoleView, OwnAccountView
from domain.errors import Unauthenticated
from domain.passkey import SecondFactorRule
from domain.policy import GRANTS, Actor, Limit, Permission, Role


@dataclass(frozen=True, slots=True)
class ReadOwnAccount:
    """Read the own account with its permissions."""

    read: Read
    begin_read_only: BeginReadOnly
    second_factor: SecondFactorRule

    def __call__(self, actor: Actor) -> OwnAccountView:
        actor.require(Permission.EDIT_OWN_ACCOUNT)
        with self.read() as views:
            user = views.users.one(actor.user_id)
            ward = views.own_ward(actor.user_id)
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
            second_factor_required=Limit.SECOND_FACTOR in actor.limits,
            passkey_due_on=self._passkey_due_on(actor.user_id, actor.role),
        )
        return redact_for(actor, account, OwnAccountView)

    def _passkey_due_on(self, user_id: int, role: Role) -> date | None:
        due_on = self.second_factor.due_on(role)
        if due_on is None:
            return None
        with self.begin_read_only() as work:
            return None if work.passkeys.of_user(user_id) else due_on


@dataclass(frozen=True, slots=True)
class ReadOwnProfile:
    """Read the own staff profile, or None if there is none."""

    read: Read

    def __call__(self, actor: Actor) -> StaffView | None:
        actor.require(Permission.MANAGE_OWN_PROFILE)
        if actor.staff_id is None:
            return None
        with self.read() as views:
            return views.staff.one(actor.staff_id)
