"""What became of the rows of a file."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.refusal import Reason


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that was not taken, the line on which it stands, and every reason."""

    line: int
    reasons: Sequence[Reason]


@dataclass(slots=True)
class Report:
    """How many rows did what; ``refused`` tells of those that were not taken."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: list[RefusedRow] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Count in what became of other rows."""
        self.created += other.created
        self.changed += other.changed
        self.unchanged += other.unchanged
        self.refused += other.refused

    def refuse(self, line: int, *reasons: Reason) -> None:
        """Note a row that was not taken."""
        self.refused.append(RefusedRow(line, reasons))
