"""Parameters and outcome of a fault scenario."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tools.faults.alerts import RECORDING

SQLITE, POSTGRESQL = "sqlite", "postgresql"
# A recorded second counts as a minute, and the longest waiting time of an alert that a fault fires is two minutes.
_LINGER_SECONDS = 5


class CannotRun(Exception):
    """A requirement of the scenario is missing on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRun:
    """A run: database, rounds, random seed, and mutant if any."""

    kind: str
    rounds: int
    seed: int
    seconds: float
    mutant: str | None = None
    tell: Callable[[str], None] = print
    until: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "until", time.monotonic() + self.seconds)

    def chance(self, whose: object = "") -> random.Random:
        """Return a random generator by seed and name; each user has its own."""
        return random.Random(f"{self.seed} {self.kind} {whose}")

    def linger(self, number: int) -> None:
        """Let the fault of the first round last as long as alerts wait."""
        if number == 0 and RECORDING.get():
            time.sleep(_LINGER_SECONDS)

    def each_round(self) -> Iterator[int]:
        """Yield the rounds until the time is over."""
        for number in range(self.rounds):
            if time.monotonic() > self.until:
                self.tell(f"  time is over after {number} of {self.rounds} rounds")
                return
            yield number


@dataclass(slots=True)
class Outcome:
    """The result of a run. Without ``findings`` it passed."""

    acknowledged: int = 0
    injected: int = 0
    findings: list[str] = field(default_factory=list)
    figures: dict[str, object] = field(default_factory=dict)
