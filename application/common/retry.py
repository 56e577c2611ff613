"""Retries: repeat use cases after a deadlock or transaction conflict.

The user is not notified.
"""

import logging
from collections.abc import Callable
from functools import wraps
from inspect import getmembers, isfunction
from typing import Any, TypeVar

from application.ports.unit_of_work import TransactionConflict

log = logging.getLogger("consumo.retry")

UseCase = TypeVar("UseCase")

MAX_RETRIES = 3

_PLAIN = "__without_retries__"


def with_retries(use_case: type[UseCase]) -> type[UseCase]:
    """Return a subclass whose public methods are retried up to three times.

    A retry is safe because a use case writes only in one unit of work, the last one that it begins. Anything that
    cannot be undone, such as sending mail, happens after it. Earlier reads are repeated.
    """
    public = {
        name: retried(method)
        for name, method in getmembers(use_case, isfunction)
        if name == "__call__" or not name.startswith("_")
    }
    subclass: type[UseCase] = type(use_case.__name__, (use_case,), {"__slots__": (), _PLAIN: use_case, **public})
    return subclass


def without_retries(use_case: type[UseCase]) -> type[UseCase]:
    """Return the class that ``with_retries`` was called with."""
    plain: type[UseCase] = use_case.__dict__.get(_PLAIN, use_case)
    return plain


def retried(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method with retries; it has to be safe to repeat."""

    @wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        for _ in range(MAX_RETRIES):
            try:
                return method(*given, **named)
            except TransactionConflict:
                log.info("%s conflicted with another transaction and is retried", method.__qualname__)
        return method(*given, **named)

    return call
