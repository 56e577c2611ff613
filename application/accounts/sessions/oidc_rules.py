"""The hospital's rules for sign-ins at its identity provider."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from application.accounts.ports.identity_provider import ProvenIdentity
from domain.common.policy import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcRules:
    """Who may sign in by the provider, and with which role.

    ``roles`` maps the provider's groups. Without it, roles are set in Consumo, and new accounts get ``new_role``.
    Without ``creates``, people need an account first. With ``trusts_emails``, the provider owns its addresses and need
    not say that they are verified. With ``only``, passwords are for administrators alone. With
    ``signs_out_there``, signing out goes on at the provider. A session ends after ``sessions_last``, also in use.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    new_role: Role | None = Role.USER
    creates: bool = True
    trusts_emails: bool = False
    only: bool = False
    signs_out_there: bool = False
    sessions_last: timedelta = timedelta(hours=12)

    def role_of(self, groups: Iterable[str]) -> Role | None:
        """Return the highest role of these groups; None if none is mapped."""
        return max((self.roles[group] for group in groups if group in self.roles), default=None)

    def is_near(self, group: str) -> bool:
        """Return whether a group is a mapped one in another form.

        Providers write paths (``/nurses``), capitals, and several in one text.
        """
        known = {_plain(one) for one in self.roles}
        return any(_plain(part) in known for part in re.split("[,; ]", group))

    def verified_email(self, identity: ProvenIdentity) -> str | None:
        """Return the email if it proves whose account it is."""
        return identity.email if identity.email_verified or self.trusts_emails else None


def _plain(group: str) -> str:
    return group.rpartition("/")[2].strip().casefold()
