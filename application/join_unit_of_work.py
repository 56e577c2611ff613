"""Doing many things as one: use cases that join a unit of work instead of beginning their own."""

from contextlib import nullcontext
from dataclasses import replace
from inspect import unwrap
from typing import Any, TypeVar

from application.ports.unit_of_work import UnitOfWork

UseCase = TypeVar("UseCase", bound=Any)


def joined(use_case: UseCase, work: UnitOfWork) -> UseCase:
    """The same use case, within that unit of work: kept with it, undone with it, and not done again on its own."""
    joining: UseCase = replace(unwrap(use_case), begin=lambda: nullcontext(work))
    return joining
