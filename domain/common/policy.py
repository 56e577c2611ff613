"""Authorization by roles (RBAC): the only table of permissions.

See docs/contract.md, "Roles and permissions". Use cases check it regardless of the caller. The profile answer lists a
user's permissions for the client, which has no rules of its own.

A call needs a permission. Without it, ``require`` raises ``Forbidden``, and clients end the session. If the call is
allowed in general but not for this object or value, ``Refused`` is raised, which says what to do.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from domain.common.errors import Code, Forbidden, Reason, Refused


class Role(IntEnum):
    """The role of an account.

    1 is ward staff with restricted rights, 2 supervises, and 10 administers. 30 is a program, which authenticates with
    an API key.
    """

    USER = 1
    SUPERVISOR = 2
    ADMIN = 10
    SERVICE_ACCOUNT = 30


class Permission(StrEnum):
    """One thing that a role may do."""

    MANAGE_OWN_PROFILE = "profile.own"
    SEE_PROFILE_LINK = "profile.link"
    EDIT_OWN_ACCOUNT = "account.own"
    UNLOCK_SESSION = "session.unlock"

    READ_SHEETS = "sheets.read"
    OPEN_SHEETS = "sheets.open"
    EDIT_SHEETS = "sheets.edit"
    CLOSE_SHEETS = "sheets.close"
    REOPEN_SHEETS = "sheets.reopen"
    DELETE_EMPTY_SHEETS = "sheets.delete_empty"
    DELETE_OPEN_SHEETS = "sheets.delete_open"
    DELETE_CLOSED_SHEETS = "sheets.delete_closed"
    READ_SHEET_HISTORY = "sheets.history"
    READ_AUDIT_LOG = "audit.read"

    ADD_DETAILS = "details.add"
    RECORD_FOR_ANY_STAFF = "details.record_for_any_staff"
    BACKDATE_DETAILS = "details.record_of_any_day"
    EDIT_DETAILS = "details.edit"
    DELETE_OWN_DETAILS = "details.delete_own"
    DELETE_ANY_DETAIL = "details.delete_any"
    MOVE_OWN_DETAILS = "details.move_own"
    MOVE_ANY_DETAIL = "details.move_any"
    RETURN_DETAILS = "details.return"
    MANAGE_LATE_ENTRIES = "late_entries.manage"
    MANAGE_OWN_KITS = "kits.own"
    MANAGE_KITS = "kits.manage"

    SEE_PRICES = "prices.see"

    READ_CATALOGUE = "catalogue.read"
    MANAGE_CATALOGUE = "catalogue.manage"
    MANAGE_RECALLS = "recalls.manage"
    READ_IMPLANTS = "implants.read"
    RESTOCK = "restock.close"
    READ_PATIENTS = "patients.read"
    WRITE_PATIENTS = "patients.save"
    DELETE_PATIENTS = "patients.delete"
    READ_ACCESS_LOG = "patients.readers"
    MERGE_PATIENTS = "patients.merge"
    UNMERGE_PATIENTS = "patients.unmerge"
    UNMERGE_ANY_PATIENTS = "patients.unmerge_any"
    MANAGE_STAFF = "staff.manage"
    MANAGE_USERS = "users.manage"
    IMPORT = "imports.run"
    UNDO_IMPORTS = "imports.undo"
    READ_REPORTS = "reports.read"
    CLOSE_MONTHS = "months.close"

    READ_MESSAGES = "messages.read"
    RESOLVE_MESSAGES = "messages.decide"
    READ_FHIR = "fhir.read"
    MANAGE_SERVICE_ACCOUNTS = "service_accounts.manage"
    READ_OWN_KEY = "keys.own"
    READ_STATUS = "status.read"
    MANAGE_HOSPITAL = "hospital.manage"


_EVERYONE = frozenset({Permission.MANAGE_OWN_PROFILE, Permission.EDIT_OWN_ACCOUNT, Permission.UNLOCK_SESSION})

_WARD = _EVERYONE | {
    Permission.READ_SHEETS,
    Permission.OPEN_SHEETS,
    Permission.EDIT_SHEETS,
    Permission.CLOSE_SHEETS,
    Permission.DELETE_EMPTY_SHEETS,
    Permission.ADD_DETAILS,
    Permission.DELETE_OWN_DETAILS,
    Permission.MOVE_OWN_DETAILS,
    Permission.RETURN_DETAILS,
    Permission.MANAGE_OWN_KITS,
    Permission.READ_CATALOGUE,
    Permission.RESTOCK,
    Permission.READ_PATIENTS,
    Permission.WRITE_PATIENTS,
    Permission.READ_REPORTS,
    Permission.READ_FHIR,
}

_SUPERVISION = _WARD | {
    Permission.DELETE_OPEN_SHEETS,
    Permission.READ_SHEET_HISTORY,
    Permission.RECORD_FOR_ANY_STAFF,
    Permission.BACKDATE_DETAILS,
    Permission.EDIT_DETAILS,
    Permission.DELETE_ANY_DETAIL,
    Permission.MOVE_ANY_DETAIL,
    Permission.MANAGE_LATE_ENTRIES,
    Permission.MANAGE_KITS,
    Permission.SEE_PRICES,
    Permission.MANAGE_CATALOGUE,
    Permission.MANAGE_RECALLS,
    Permission.READ_IMPLANTS,
    Permission.DELETE_PATIENTS,
    Permission.READ_ACCESS_LOG,
    Permission.MERGE_PATIENTS,
    Permission.UNMERGE_PATIENTS,
    Permission.MANAGE_STAFF,
    Permission.MANAGE_USERS,
    Permission.IMPORT,
    Permission.UNDO_IMPORTS,
    Permission.CLOSE_MONTHS,
    Permission.READ_MESSAGES,
}

# What every API key may do, without naming it.
OF_EVERY_KEY = frozenset({Permission.READ_OWN_KEY})

GRANTS: dict[Role, frozenset[Permission]] = {
    Role.USER: _WARD | {Permission.SEE_PROFILE_LINK},
    Role.SUPERVISOR: _SUPERVISION | {Permission.SEE_PROFILE_LINK},
    # The administrator has no profile link.
    Role.ADMIN: _SUPERVISION
    | {
        Permission.REOPEN_SHEETS,
        Permission.DELETE_CLOSED_SHEETS,
        Permission.UNMERGE_ANY_PATIENTS,
        Permission.READ_AUDIT_LOG,
        Permission.RESOLVE_MESSAGES,
        Permission.MANAGE_SERVICE_ACCOUNTS,
        Permission.READ_STATUS,
        Permission.MANAGE_HOSPITAL,
    },
    # The maximum for a program. Each API key names the part that it may use.
    Role.SERVICE_ACCOUNT: _SUPERVISION
    - _EVERYONE
    - {
        Permission.MANAGE_USERS,
        Permission.IMPORT,
        Permission.UNDO_IMPORTS,
        Permission.MANAGE_OWN_KITS,
        Permission.UNMERGE_PATIENTS,
    }
    | {Permission.REOPEN_SHEETS, Permission.READ_AUDIT_LOG}
    | OF_EVERY_KEY,
}


class Limit(StrEnum):
    """Why a person may do less than the role allows; the code of the refusal."""

    LOCKED = "session_locked"
    SECOND_FACTOR = "second_factor_required"
    PROFILE = "profile_required"


# What each limit leaves. A locked screen still sends the entries that wait on the device, and they are recorded as they
# would be without the lock: for the chosen staff, and with an earlier time of use. Whatever else one of these
# permissions allows, especially reading, has to require another one as well.
_LEFT_BY: dict[Limit, frozenset[Permission]] = {
    Limit.LOCKED: frozenset(
        {
            Permission.ADD_DETAILS,
            Permission.RECORD_FOR_ANY_STAFF,
            Permission.BACKDATE_DETAILS,
            Permission.UNLOCK_SESSION,
        }
    ),
    Limit.SECOND_FACTOR: _EVERYONE,
    Limit.PROFILE: _EVERYONE,
}

# Permission to delete any open sheet includes empty ones. A key need not name both.
_INCLUDED = {Permission.DELETE_OPEN_SHEETS: Permission.DELETE_EMPTY_SHEETS}

# Permission to change an object includes reading it, because the answer to a change is the object. The key is the part
# of the permission before the dot.
_IMPLIED_READS = {
    "sheets": Permission.READ_SHEETS,
    "details": Permission.READ_SHEETS,
    "late_entries": Permission.READ_SHEETS,
    "patients": Permission.READ_PATIENTS,
    "catalogue": Permission.READ_CATALOGUE,
    "kits": Permission.READ_CATALOGUE,
    "recalls": Permission.READ_CATALOGUE,
    "restock": Permission.READ_SHEETS,
    "messages": Permission.READ_MESSAGES,
    "months": Permission.READ_REPORTS,
}


def with_implied_reads(scopes: Iterable[Permission]) -> frozenset[Permission]:
    """Return the permissions plus the read permissions that they imply."""
    chosen = frozenset(scopes)
    return chosen | {
        _IMPLIED_READS[noun] for noun in (scope.partition(".")[0] for scope in chosen) if noun in _IMPLIED_READS
    }


# Roles of people. Programs have API keys and no password.
HUMAN_ROLES = frozenset(Role) - {Role.SERVICE_ACCOUNT}

# The roles whose accounts a role may manage, and which it may therefore grant or withdraw.
MANAGED_ROLES: dict[Role, frozenset[Role]] = {
    Role.USER: frozenset(),
    Role.SUPERVISOR: frozenset({Role.USER, Role.SUPERVISOR}),
    Role.ADMIN: HUMAN_ROLES,
    Role.SERVICE_ACCOUNT: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """The current user with role and staff profile, or a program.

    A program may do what its key allows in ``scopes``. ``api_key_id`` is set if it used a key. ``session_limits`` are
    those of the session, in the order of ``Limit``.
    """

    user_id: int
    role: Role
    staff_id: int | None
    scopes: frozenset[Permission] = frozenset()
    api_key_id: int | None = None
    session_limits: tuple[Limit, ...] = ()

    @property
    def profile_required(self) -> bool:
        """Whether ward staff must complete their profile before anything else."""
        return self.role is Role.USER and self.staff_id is None

    @property
    def is_locked(self) -> bool:
        """Whether the screen is locked, so that the token may be a stranger's."""
        return Limit.LOCKED in self.session_limits

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limits that apply now, the first to be lifted first."""
        return (*self.session_limits, Limit.PROFILE) if self.profile_required else self.session_limits

    @property
    def permissions(self) -> frozenset[Permission]:
        """The permissions that apply now."""
        granted = GRANTS[self.role]
        if self.role is Role.SERVICE_ACCOUNT:
            included = {_INCLUDED[scope] for scope in self.scopes & _INCLUDED.keys()}
            return granted & (self.scopes | included | (OF_EVERY_KEY if self.api_key_id is not None else frozenset()))
        for limit in self.limits:
            granted &= _LEFT_BY[limit]
        return granted

    def can(self, permission: Permission) -> bool:
        """Return whether the actor has the permission now."""
        return permission in self.permissions

    @property
    def sees_months(self) -> bool:
        """Whether the actor may know of closed months and their papers."""
        return self.permissions >= {Permission.READ_REPORTS, Permission.SEE_PRICES}

    def require(self, permission: Permission) -> None:
        """Raise ``Forbidden`` unless the actor has the permission now."""
        if permission in self.permissions:
            return
        if permission in OF_EVERY_KEY:
            raise Forbidden("only_for_keys")
        if permission not in GRANTS[self.role]:
            raise Forbidden
        limiting = (limit for limit in self.limits if permission not in _LEFT_BY[limit])
        raise Forbidden(next(limiting, "forbidden"))

    def require_second_factor(self) -> None:
        """Raise ``Forbidden`` while the session owes its second factor.

        For what the own account allows and a stolen password must not reach.
        """
        if Limit.SECOND_FACTOR in self.session_limits:
            raise Forbidden(Limit.SECOND_FACTOR)

    def must_reach_account(self, user_id: int) -> None:
        """Raise ``Refused`` for another user's account without MANAGE_USERS."""
        self.require(Permission.EDIT_OWN_ACCOUNT)
        if user_id != self.user_id and not self.can(Permission.MANAGE_USERS):
            raise Refused(Reason(Code.USER_NOT_OWN))

    @property
    def managed_roles(self) -> frozenset[Role]:
        """The roles whose accounts the actor may manage, grant or withdraw."""
        return MANAGED_ROLES[self.role] if self.can(Permission.MANAGE_USERS) else frozenset()

    def can_manage(self, role: Role) -> bool:
        """Return whether the actor may manage accounts of that role."""
        return role in self.managed_roles

    def require_can_manage(self, role: Role) -> None:
        """Raise ``Forbidden`` or ``Refused`` unless the actor manages that role.

        ``Forbidden`` is raised if the actor manages no accounts, ``Refused`` if only those of other roles.
        """
        self.require(Permission.MANAGE_USERS)
        if not self.can_manage(role):
            raise Refused(Reason(Code.USER_FOR_ADMINISTRATION))
