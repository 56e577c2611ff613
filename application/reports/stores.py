"""Stores of entities, including the audit log and imports."""

from typing import Protocol

from domain.sheets.anomalies import Judgement, Oddity


class Judgements(Protocol):
    """Unusual lines and sheets that a user judged right."""

    def save(self, judgement: Judgement) -> None:
        """Store a judgement, instead of an earlier one of the same."""

    def remove(self, kind: Oddity, entity_id: int) -> bool:
        """Remove a judgement. Return False if there is none."""
