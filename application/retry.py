"""Retries: repeat use cases after a deadlock or transaction conflict.

The user is not notified.
"""

import logging
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from inspect import ismethod
from typing import Any

from application.ports.unit_of_work import TransactionConflict
from application.use_cases import UseCases

log = logging.getLogger("consumo.retry")

MAX_RETRIES = 3


def with_retries(use_cases: UseCases) -> UseCases:
    """Return the use cases with up to three retries of each call.

    A retry is safe because a use case writes only in one unit of work, the last one that it begins. Anything that
    cannot be undone, such as sending mail, happens after it. Earlier reads are repeated.
    """
    again: dict[str, Any] = {field.name: _Retried(getattr(use_cases, field.name)) for field in fields(use_cases)}
    return replace(use_cases, **again)


class _Retried:
    """A use case whose calls are retried."""

    def __init__(self, use_case: Any) -> None:
        self.__wrapped__ = use_case

    def __call__(self, *given: Any, **named: Any) -> Any:
        return _try_again(self.__wrapped__.__call__, *given, **named)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.__wrapped__, name)
        return partial(_try_again, found) if ismethod(found) else found


def _try_again(call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    for _ in range(MAX_RETRIES):
        try:
            return call(*given, **named)
        except TransactionConflict:
            log.info("%s conflicted with another transaction and is retried", call.__qualname__)
    return call(*given, **named)
