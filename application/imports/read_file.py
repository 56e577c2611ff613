"""Read a file that is to be imported."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from application.common.clock import Clock
from application.common.use_case import permitted
from application.imports.batch import Batch, batch_of
from application.imports.reading.fields import Noun
from application.imports.reading.layout import FileLayout, detect_layout, similar_kinds
from application.imports.reading.table import Choices, OpenTable
from application.imports.work import BeginReadOnly
from domain.common.day import day_of
from domain.common.policy import Actor, Permission


def digest_of(*paths: Path) -> str:
    """Return the digest by which files are recognized."""
    whole = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Detect how to read a file as one noun, or which questions to ask.

    Nothing is written.
    """

    open_table: OpenTable
    begin_read_only: BeginReadOnly
    clock: Clock
    zone: tzinfo
    currency: str

    @permitted(Permission.IMPORT)
    def __call__(
        self, actor: Actor, path: Path, noun: Noun, choices: Choices, *, file_name: str = ""
    ) -> tuple[FileLayout, Batch]:
        """Return the layout of the file and its rows."""

        def recall(shape: str) -> Mapping[str, str]:
            with self.begin_read_only() as work:
                return work.imports.mapping(noun, shape)

        table = self.open_table(path, choices)
        layout = detect_layout(table, noun, choices, recall, self.currency)
        today = day_of(self.clock(), self.zone)
        return layout, batch_of(table, layout, file_name or path.name, digest_of(path), today=today)

    @permitted(Permission.IMPORT)
    def nouns(self, actor: Actor, path: Path, choices: Choices) -> list[Noun]:
        """Return the possible nouns of the file, the most likely first.

        The list is empty if none fits.
        """
        return similar_kinds(self.open_table(path, choices), choices)
