"""What a server process knows about its installation."""

from datetime import datetime
from typing import Protocol

from application.status.ports import Replica


class Installation(Protocol):
    """The version, the machine and the settings of a server."""

    @property
    def version(self) -> str: ...
    @property
    def started_at(self) -> datetime: ...

    @property
    def database_kind(self) -> str:
        """Return the kind of database, such as SQLite."""

    @property
    def time_zone(self) -> str:
        """Return the IANA name of the hospital's time zone."""

    @property
    def sends_charges(self) -> bool:
        """Return whether closings are sent to billing."""

    @property
    def sends_audit(self) -> bool:
        """Return whether the audit log is sent to a log server."""

    def free_bytes(self) -> int | None:
        """Return the free disk space of the data; None if they are elsewhere."""

    def replica(self) -> Replica | None:
        """Return the state of the file's replica; None without a file."""
