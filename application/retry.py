"""Whoever collides with somebody else is not told so: what the store ended for that is done once more."""

import logging
from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from inspect import isfunction
from typing import Any, TypeVar

from application.ports import Collided
from application.use_cases import UseCases

log = logging.getLogger("consumo.retry")

AGAIN = 3

UseCase = TypeVar("UseCase", bound=Any)


def retried(use_cases: UseCases) -> UseCases:
    """The use cases, each of which is called again, up to three times, when its unit of work collided with another.

    That is right because a use case keeps things in one unit of work alone, the last one that it begins, and does only
    after it what cannot be undone, such as mailing. What was looked up before is looked up anew.
    """
    return replace(use_cases, **{field.name: _retried(getattr(use_cases, field.name)) for field in fields(use_cases)})


def _retried(use_case: UseCase) -> UseCase:
    """The same use case, as one of a class whose calls are made again."""
    kind: type[Any] = type(use_case)
    calls = {name: call for name, call in vars(kind).items() if isfunction(call)}
    ours = {name: _trying_again(call) for name, call in calls.items() if name == "__call__" or name[0] != "_"}
    kind_that_tries_again = type(kind.__name__, (kind,), {"__slots__": (), "__module__": kind.__module__, **ours})
    again: UseCase = kind_that_tries_again(**{it.name: getattr(use_case, it.name) for it in fields(use_case)})
    return again


def _trying_again(call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def try_again(*given: Any, **named: Any) -> Any:
        for _ in range(AGAIN):
            try:
                return call(*given, **named)
            except Collided:
                log.info("%s collided with somebody else and is done again", call.__qualname__)
        return call(*given, **named)

    return try_again
