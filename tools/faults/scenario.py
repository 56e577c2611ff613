"""What a scenario is given, and what it tells at its end."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SQLITE, POSTGRESQL = "sqlite", "postgresql"


class CannotRun(Exception):
    """What a scenario needs is not on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRun:
    """One run of a scenario: on which database, how often, by which chance, and with which defect planted."""

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
        """The same chances for the same seed; everybody who needs some has their own."""
        return random.Random(f"{self.seed} {self.kind} {whose}")

    def each_round(self) -> Iterator[int]:
        """The rounds, until there is no time left."""
        for number in range(self.rounds):
            if time.monotonic() > self.until:
                self.tell(f"  time is over after {number} of {self.rounds} rounds")
                return
            yield number


@dataclass(slots=True)
class Outcome:
    """What became of a run. Without ``findings`` all is well."""

    acknowledged: int = 0
    injected: int = 0
    findings: list[str] = field(default_factory=list)
    figures: dict[str, object] = field(default_factory=dict)
