"""Stores of entities, including the audit log and imports."""

from datetime import datetime
from typing import Protocol

from application.common.stores import Store
from domain.accounts.api_key import ApiKey
from domain.accounts.user import User


class Users(Store[User], Protocol):
    def has_people(self) -> bool:
        """Return whether a person has ever had an account."""

    def administrators(self) -> list[User]:
        """Return all administrators who can sign in, the oldest first."""

    def find_linked(self, issuer: str, subject: str) -> User | None:
        """Return the user who is linked to that account at the provider.

        A deleted user is returned too.
        """

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """Return the user and all administrators, locked.

        The locks last until this unit of work ends.
        """


class ApiKeys(Store[ApiKey], Protocol):
    def record_refusal(self, id: int, address: str, at: datetime) -> None:
        """Set the time and address of the last use from outside the networks."""

    def record_use(self, id: int, at: datetime) -> None:
        """Store the time of a use."""
