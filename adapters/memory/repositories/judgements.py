"""Judgements, in memory."""

from adapters.memory.data import MemoryData
from domain.anomalies import Judgement, Oddity


class MemoryJudgements:
    """Unusual lines and sheets that a user judged right."""

    def __init__(self, data: MemoryData) -> None:
        self._judgements = data.judgements

    def save(self, judgement: Judgement) -> None:
        """Store a judgement, instead of an earlier one of the same."""
        self._judgements[judgement.kind, judgement.entity_id] = judgement

    def remove(self, kind: Oddity, entity_id: int) -> bool:
        """Remove a judgement; return whether there was one."""
        return self._judgements.pop((kind, entity_id), None) is not None
