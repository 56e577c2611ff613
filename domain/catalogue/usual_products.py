"""Numbers of usual products: what a user types to choose a product without looking.

A user has one list for each area, on every sheet and device. It gets new numbers only when a shift begins.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

# As many as a person takes in at a glance.
MOST = 12


@dataclass(frozen=True, slots=True)
class UsualNumbers:
    """The ids of products by number in one shift, and in the shift before.

    ``since`` is the start of the shift.
    """

    since: datetime
    ids: tuple[int, ...]
    before: tuple[int, ...] = ()

    @property
    def changed(self) -> tuple[int, ...]:
        """Return the products whose number chose another one before."""
        pairs = zip(self.ids, self.before, strict=False)
        return tuple(now for now, earlier in pairs if now != earlier)

    def within_shift(self, likely: Sequence[int], active: Collection[int]) -> "UsualNumbers":
        """Return the numbers in the same shift.

        They stay. New products are added at the end. One of them takes the number of a product that is not active any
        more.
        """
        new = _without(likely, self.ids)
        ids = _fill(self.ids, active, new)
        added = _without(new, ids)
        return UsualNumbers(self.since, (*ids, *added)[:MOST], self.before)

    def in_next_shift(self, since: datetime, likely: Sequence[int], pinned: Sequence[int]) -> "UsualNumbers":
        """Return the numbers of a shift that begins.

        Pinned products come first. A product that is still likely keeps its number if it can.
        """
        chosen = likely[:MOST]
        ids = _fill(self.ids, chosen, _without(chosen, self.ids))
        ids = (*ids, *_without(chosen, ids))
        first = [one for one in ids if one in pinned]
        return UsualNumbers(since, (*first, *_without(ids, first)), self.ids)


def _fill(ids: Iterable[int], staying: Collection[int], new: Iterable[int]) -> tuple[int, ...]:
    """Return the ids that stay, in their places; new ones fill the others."""
    newcomers = iter(new)
    filled = (one if one in staying else next(newcomers, None) for one in ids)
    return tuple(one for one in filled if one is not None)


def _without(ids: Iterable[int], others: Collection[int]) -> list[int]:
    return [one for one in ids if one not in others]
