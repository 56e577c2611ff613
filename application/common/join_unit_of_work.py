"""Use cases that join an existing unit of work."""

from contextlib import nullcontext
from dataclasses import fields
from typing import Any, TypeVar

from application.common.retry import without_retries
from application.ports.unit_of_work import UnitOfWork

UseCase = TypeVar("UseCase", bound=Any)


def bind_to(use_case: UseCase, work: UnitOfWork) -> UseCase:
    """Return the use case bound to a unit of work.

    It commits and rolls back with that unit of work, and is not retried on its own.
    """
    values = {field.name: getattr(use_case, field.name) for field in fields(use_case)}
    joining: UseCase = without_retries(type(use_case))(**values | {"begin": lambda: nullcontext(work)})
    return joining
