"""What the use cases of reports read and change."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from application.common.entities import EntityKind
from application.reports.changes import Deletion, Tracked
from application.reports.month_views import FrozenMonth, MonthDocument
from application.reports.ports import ConsumptionReports, DoubtfulPack, Inconsistency, MonthFiguresReader
from application.reports.stores import Judgements
from application.sheets.issued_documents import DocumentsReader
from application.sheets.stores import Documents
from application.status import work as status_work
from application.ward import work as ward_work


class Views(status_work.Views, ward_work.Views, Protocol):
    """Everything that they read."""

    @property
    def consumption(self) -> ConsumptionReports: ...
    @property
    def months(self) -> DocumentsReader[MonthDocument]: ...
    @property
    def shown_months(self) -> DocumentsReader[FrozenMonth]:
        """Read closed months without the many figures that are not shown."""

    @property
    def month_figures(self) -> MonthFiguresReader: ...
    def inconsistencies(self) -> Iterator[Inconsistency]:
        """Find all inconsistencies by checking all stored data."""

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Find valid details whose lot or serial is probably from a wristband."""

    def last_changes(self, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return the last change of each entity, from the audit log.

        Changes from before the audit log are unknown.
        """

    def changed(
        self, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """Return ids of entities that changed in a period, in order.

        They are greater than ``behind``. Deleted entities are included.
        """

    def deletions(self, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted, by id."""


class UnitOfWork(status_work.UnitOfWork, ward_work.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def judgements(self) -> Judgements: ...
    @property
    def months(self) -> Documents[MonthDocument]: ...

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
BeginReadOnly = Begin
Read = Callable[[], AbstractContextManager[Views]]
