"""What a server process knows about its installation."""

import shutil
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from adapters.hospital.current_hospital import CurrentHospital
from adapters.settings.read_settings import Settings
from adapters.sql.backups.litestream import last_copied_at
from adapters.sql.engine.connections import is_sqlite, to_url
from application.status.ports import Replica


class ServerInstallation:
    """The version, the machine and the settings of this process."""

    version = version("consumo")

    def __init__(self, settings: Settings, hospital: CurrentHospital, started_at: datetime) -> None:
        self.started_at = started_at
        self._hospital = hospital
        self.sends_charges = settings.dft_destination is not None
        self.sends_audit = settings.audit_destination is not None
        url = to_url(settings.database_url)
        self.database_kind = "SQLite" if is_sqlite(url) else "PostgreSQL"
        # The data of PostgreSQL are on its own machine.
        in_file = is_sqlite(url) and url.database not in (None, "", ":memory:")
        self._file = Path(url.database or "").resolve() if in_file else None
        self._litestream_socket = settings.litestream_socket

    @property
    def time_zone(self) -> str:
        """Return the name of the hospital's time zone."""
        return self._hospital.settings.time_zone

    def free_bytes(self) -> int | None:
        """Return the free disk space of the data; None if they are elsewhere."""
        try:
            return shutil.disk_usage(self._file.parent).free if self._file else None
        except OSError:
            return None

    def replica(self) -> Replica | None:
        """Return the state of the file's replica; None without a file."""
        if self._file is None:
            return None
        socket = self._litestream_socket
        return Replica(is_kept=True, copied_at=last_copied_at(socket, self._file)) if socket else Replica()
