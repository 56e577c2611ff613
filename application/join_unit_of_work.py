"""Use cases that join an existing unit of work."""

from contextlib import nullcontext
from dataclasses import replace
from inspect import unwrap
from typing import Any, TypeVar

from application.ports.unit_of_work import UnitOfWork

UseCase = TypeVar("UseCase", bound=Any)


def bind_to(use_case: UseCase, work: UnitOfWork) -> UseCase:
    """Return the use case bound to a unit of work.

    It commits and rolls back with that unit of work, and is not retried on its own.
    """
    joining: UseCase = replace(unwrap(use_case), begin=lambda: nullcontext(work))
    return joining
