"""Unit of work: the stores and the read models of all topics on one connection."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from adapters.sql.accounts import work as accounts
from adapters.sql.audit import work as audit
from adapters.sql.billing import work as billing
from adapters.sql.catalogue import work as catalogue
from adapters.sql.common.versions import advance_catalogue_version
from adapters.sql.forms import work as forms
from adapters.sql.history import work as history
from adapters.sql.hospital import work as hospital
from adapters.sql.imports import work as imports
from adapters.sql.inbound import work as inbound
from adapters.sql.people import work as people
from adapters.sql.reports import work as reports
from adapters.sql.restock import work as restock
from adapters.sql.sheets import work as sheets
from adapters.sql.sheets.recording import begin_recording
from adapters.sql.status import work as status
from adapters.sql.ward import work as ward
from application.sheets.recording import Answer, RecordingContext, RecordingRequest, begin_recording_sequentially


class SqlViews(
    sheets.Views,
    catalogue.Views,
    people.Views,
    billing.Views,
    accounts.Views,
    audit.Views,
    restock.Views,
    inbound.Views,
    reports.Views,
    ward.Views,
    status.Views,
    forms.Views,
    history.Views,
    imports.Views,
):
    """All read models."""


class SqlUnitOfWork(
    sheets.Stores,
    catalogue.Stores,
    people.Stores,
    billing.Stores,
    accounts.Stores,
    audit.Stores,
    restock.Stores,
    inbound.Stores,
    reports.Stores,
    status.Stores,
    forms.Stores,
    imports.Stores,
    hospital.Stores,
):
    """All changes of one use case, in one transaction."""

    @cached_property
    def _views(self) -> SqlViews:
        return SqlViews(self.connection, self.zone)

    @property
    def views(self) -> SqlViews:
        """The read models, including uncommitted changes."""
        self.pending_writes.write()
        return self._views

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Read everything that recording details needs, and lock their sheet."""
        is_one_call = asked.idempotency_key is not None and len(asked.refers_to) == 1
        if not is_one_call or self.connection.dialect.name != "postgresql":
            return begin_recording_sequentially(self, asked)
        self.pending_writes.write()
        return begin_recording(self.connection, asked)

    def flush(self) -> None:
        """Execute the pending writes.

        The version of the catalogue is advanced last, to hold its lock only briefly.
        """
        self.pending_writes.write()
        if self.is_catalogue_changed:
            advance_catalogue_version(self.connection)

    def count(self, done: Mapping[str, int]) -> None:
        """Count actions in the metrics, by their name in the audit log."""
        self.done += Counter(done).elements()
