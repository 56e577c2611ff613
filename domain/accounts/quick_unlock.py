"""Which roles may unlock their sessions by PIN and badge."""

from dataclasses import dataclass

from domain.common.policy import Role


@dataclass(frozen=True, slots=True)
class QuickUnlock:
    """The hospital's setting.

    With ``badge_alone`` a badge unlocks; otherwise it only names the person whose PIN is asked for.
    """

    roles: frozenset[Role] = frozenset({Role.USER, Role.SUPERVISOR})
    badge_alone: bool = False

    def allows(self, role: Role) -> bool:
        """Return whether the role may use a PIN or a badge."""
        return role in self.roles
