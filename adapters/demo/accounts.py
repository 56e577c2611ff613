"""The accounts with which the demonstration hospital is looked at."""

from typing import NamedTuple

from domain.policy import Role

# It protects nothing: the documentation tells it to everyone.
PASSWORD = "consumo-demo-2026"  # noqa: S105


class Account(NamedTuple):
    """A demonstration account, and in a few words what it is good for."""

    email: str
    role: Role
    about: str


ADMINISTRATOR = Account("admin@consumo.test", Role.ADMIN, "administrator")
SUPERVISOR = Account("supervisor@consumo.test", Role.SUPERVISOR, "supervisor")
NURSE = Account("user@consumo.test", Role.USER, "ward staff")
NEWCOMER = Account("new@consumo.test", Role.USER, "ward staff who still have to complete their profile")

ACCOUNTS = (ADMINISTRATOR, SUPERVISOR, NURSE, NEWCOMER)
