"""What the use cases of forms read and change."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from application.common.stores import Store
from application.sheets import work as below
from domain.forms.contingency_form import ContingencyForm, FormState


class Views(below.Views, Protocol):
    """Everything that they read."""

    def contingency_forms(self, state: FormState, *, most: int) -> list[ContingencyForm]:
        """Return the contingency forms in a state, the oldest first."""

    def contingency_form_count(self, state: FormState) -> int:
        """Return the number of contingency forms in a state."""


class UnitOfWork(below.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def contingency_forms(self) -> Store[ContingencyForm]: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
BeginReadOnly = Begin
Read = Callable[[], AbstractContextManager[Views]]
