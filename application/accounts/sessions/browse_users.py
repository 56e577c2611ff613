"""List and read users.

Actors see the users whose roles they manage.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from application.accounts.views import USER_SORTS, UserQuery, UserView
from application.common.entities import USER
from application.common.paging import Page
from application.records.list_reader import ListReader
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission, Role


class ListUsers(ListReader[UserView, UserQuery]):
    """The users, by their email."""

    kind = USER
    permission = Permission.MANAGE_USERS
    item_type = UserView
    sorts = USER_SORTS


class ListOwnAccount(ListUsers):
    """The users, for reading the own account."""

    permission = Permission.EDIT_OWN_ACCOUNT


@dataclass(frozen=True, slots=True)
class BrowseUsers:
    """List and read the users that the actor manages, and the own account."""

    users: ListUsers
    accounts: ListOwnAccount

    def page(self, actor: Actor, query: UserQuery) -> Page[UserView]:
        """Read a page of the users."""
        return self.users.page(actor, self._managed(actor, query))

    def iterate(self, actor: Actor, query: UserQuery) -> Iterator[UserView]:
        """Iterate over all users."""
        return self.users.iterate(actor, self._managed(actor, query))

    def one(self, actor: Actor, user_id: int) -> UserView:
        """Read one user.

        The own account is always allowed. Raise ``NotFound`` for a user that the actor does not manage.
        """
        user = self.accounts.one(actor, user_id)
        if user["id"] != actor.user_id and not actor.can_manage(Role(int(user["role"]))):
            raise NotFound
        return user

    def changed(self, actor: Actor, user_id: int) -> UserView:
        """Read a user that the actor has just changed, without logging."""
        return self.users.changed(actor, user_id)

    def _managed(self, actor: Actor, query: UserQuery) -> UserQuery:
        return replace(query, roles=frozenset(int(role) for role in actor.managed_roles))
