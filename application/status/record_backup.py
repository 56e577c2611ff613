"""Record that a backup was made."""

from dataclasses import dataclass

from application.common.use_case import retried
from application.status.work import Begin
from domain.status.backup import Backup


@dataclass(frozen=True, slots=True)
class RecordBackup:
    """Store when a backup was made, and its size.

    Called by the command that made it, which has no user.
    """

    begin: Begin

    @retried
    def __call__(self, backup: Backup) -> None:
        with self.begin() as work:
            work.backups.add(backup)
