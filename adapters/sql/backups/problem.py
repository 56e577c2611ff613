"""The error of backups and restores."""


class BackupProblem(Exception):
    """A failed backup or restore; the message says why and what to do."""
