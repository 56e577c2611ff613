"""The accounts of the demonstration hospital."""

from typing import NamedTuple

from domain.common.policy import Role

# This protects nothing: the documentation publishes it.
PASSWORD = "consumo-demo-2026"  # noqa: S105


class Account(NamedTuple):
    """A demonstration account and a short description."""

    email: str
    role: Role
    about: str


ADMINISTRATOR = Account("admin@consumo.test", Role.ADMIN, "administrator")
SUPERVISOR = Account("supervisor@consumo.test", Role.SUPERVISOR, "supervisor")
NURSE = Account("user@consumo.test", Role.USER, "ward staff")
NEWCOMER = Account("new@consumo.test", Role.USER, "ward staff who still have to complete their profile")

ACCOUNTS = (ADMINISTRATOR, SUPERVISOR, NURSE, NEWCOMER)
