"""Retries: what the store ended because of a deadlock or a collision is done once more, and nobody is told."""

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
    """The use cases, each of which is called again, up to three times, when its unit of work collided with another.

    That is right because a use case keeps things in one unit of work alone, the last one that it begins, and does only
    after it what cannot be undone, such as mailing. What was looked up before is looked up anew.
    """
    again: dict[str, Any] = {field.name: _Retried(getattr(use_cases, field.name)) for field in fields(use_cases)}
    return replace(use_cases, **again)


class _Retried:
    """A use case whose calls are made again."""

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
            log.info("%s collided with somebody else and is done again", call.__qualname__)
    return call(*given, **named)
