"""Learned product pairs, answers about missing products, and leases of jobs, in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from adapters.memory.data import MemoryData
from application.ports.stores import MissedChargeAnswer
from domain.missed_charges import ProductPair


class MemoryMissedCharges:
    """Learned pairs and answers."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def replace_pairs(self, pairs: Sequence[ProductPair], *, max_denied: int) -> None:
        """Store the learned pairs, instead of the earlier ones."""
        before = self._data.product_pairs
        learned = {
            (pair.because_id, pair.product_id): replace(pair, denials=self._denials(pair.because_id, pair.product_id))
            for pair in pairs
        }
        denied = [pair for key, pair in before.items() if key not in learned and pair.denials > 0]
        denied.sort(key=lambda pair: (-pair.denials, pair.because_id, pair.product_id))
        kept = {(pair.because_id, pair.product_id): replace(pair, sheets=0, together=0) for pair in denied[:max_denied]}
        before.clear()
        before.update(learned | kept)

    def pair(self, because_id: int, product_id: int) -> ProductPair | None:
        """Return a pair, also one that is no longer learned."""
        return self._data.product_pairs.get((because_id, product_id))

    def answer(self, sheet_id: int, product_id: int) -> MissedChargeAnswer | None:
        """Return the answer about a product on a sheet."""
        return self._data.missed_charge_answers.get((sheet_id, product_id))

    def count_denial(self, because_id: int, product_id: int, change: int) -> int | None:
        """Change how often a pair was denied, and return the number."""
        pair = self.pair(because_id, product_id)
        if pair is None:
            return None
        self._data.product_pairs[because_id, product_id] = replace(pair, denials=max(0, pair.denials + change))
        return max(0, pair.denials + change)

    def save_answer(self, answer: MissedChargeAnswer) -> None:
        """Store an answer, instead of an earlier one about the same product."""
        self._data.missed_charge_answers[answer.sheet_id, answer.product_id] = answer

    def purge_answers(self, closed_before: datetime) -> None:
        """Delete the answers on sheets that were closed before a moment."""
        for key in list(self._data.missed_charge_answers):
            closed_at = self._data.sheets[key[0]].closed_at
            if closed_at is not None and closed_at < closed_before:
                del self._data.missed_charge_answers[key]

    def _denials(self, because_id: int, product_id: int) -> int:
        pair = self.pair(because_id, product_id)
        return pair.denials if pair else 0


class MemoryJobLeases:
    """When jobs are due."""

    def __init__(self, data: MemoryData) -> None:
        self._due = data.job_leases

    def claim(self, job: str, at: datetime, until: datetime) -> bool:
        """Claim a job if it is due. Return whether this process runs it."""
        if job in self._due and self._due[job] > at:
            return False
        self._due[job] = until
        return True

    def set_due(self, job: str, at: datetime) -> None:
        """Set when a job is due again."""
        if job in self._due:
            self._due[job] = at
