"""Use cases: who may call one, retries after a conflict, and joining another's unit of work."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from application.common.store_errors import TransactionConflict
from application.common.work import UnitOfWork
from domain.common.policy import Permission

log = logging.getLogger("consumo.retry")

Method = TypeVar("Method", bound=Callable[..., Any])
UseCase = TypeVar("UseCase", bound=Any)

MAX_RETRIES = 3


def permitted(*permissions: Permission) -> Callable[[Method], Method]:
    """Declare the permissions that a call requires, and retry conflicts.

    The first argument is the actor, or the session of the actor. The call raises ``Forbidden`` for any other.
    """

    def decorate(method: Method) -> Method:
        repeated = retried(method)

        @wraps(method)
        def call(self: Any, caller: Any, *given: Any, **named: Any) -> Any:
            actor = getattr(caller, "actor", caller)
            for permission in permissions:
                actor.require(permission)
            return repeated(self, caller, *given, **named)

        call.permissions = permissions  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorate


def retried(method: Method) -> Method:
    """Repeat a call after a deadlock or a transaction conflict.

    It is called up to four times.

    This is safe because a use case writes only in one unit of work, the last one that it begins. Anything that cannot
    be undone, such as sending mail, happens after it. Earlier reads are repeated. A call that joins another's unit of
    work is not repeated on its own.
    """

    @wraps(method)
    def call(self: Any, *given: Any, **named: Any) -> Any:
        retries = 0 if isinstance(getattr(self, "begin", None), _Joined) else MAX_RETRIES
        for _ in range(retries):
            try:
                return method(self, *given, **named)
            except TransactionConflict:
                log.info("%s conflicted with another transaction and is retried", method.__qualname__)
        return method(self, *given, **named)

    return call  # type: ignore[return-value]


def permissions_of(use_case: Any) -> tuple[Permission, ...]:
    """Return the permissions that a use case requires, or one of its methods."""
    declared: Permission | None = getattr(getattr(use_case, "rules", use_case), "permission", None)
    if declared:
        return (declared,)
    method: Any = use_case.__call__ if isinstance(use_case, type) else use_case
    permissions: tuple[Permission, ...] = method.permissions
    return permissions


@dataclass(frozen=True, slots=True)
class _Joined:
    work: UnitOfWork

    def __call__(self) -> AbstractContextManager[UnitOfWork]:
        return nullcontext(self.work)


def bind_to(use_case: UseCase, work: UnitOfWork) -> UseCase:
    """Return the use case bound to a unit of work.

    It commits and rolls back with that unit of work.
    """
    joining: UseCase = replace(use_case, begin=_Joined(work))
    return joining
