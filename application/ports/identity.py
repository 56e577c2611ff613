"""Who signs in, and how passwords and tokens are made and judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.errors import Code
from domain.policy import Actor
from domain.user import PasswordLink


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in: it ends at its hour, which every use puts off to at most ``ends_at``, or when somebody ends it.

    ``address`` and ``client`` (a browser's name of itself) tell where it was begun. What began before that was kept
    does not tell it, and runs until its hour.
    """

    id: str
    user_id: int
    expires_at: datetime
    began_at: datetime | None = None
    used_at: datetime | None = None
    ends_at: datetime | None = None
    address: str = ""
    client: str = ""


class ActiveSession(NamedTuple):
    """Who acts in a session, and when it was last known to be used."""

    actor: Actor
    used_at: datetime | None


class ActiveKey(NamedTuple):
    """Who acts by a key, from which ``networks`` (none for everywhere), and when it was last known to be used."""

    actor: Actor
    networks: tuple[str, ...]
    used_at: datetime | None


class Sessions(Protocol):
    def add(self, session: Session) -> None: ...

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """The session, which nobody else changes until this unit of work ends; None once it has ended."""

    def save(self, session: Session) -> None:
        """Keep when it was used and when it expires."""

    def end(self, session_id: str) -> None: ...

    def end_all(self, user_id: int) -> None:
        """End every session of that user."""


class PasswordLinks(Protocol):
    """The links with which passwords are chosen."""

    def add(self, link: PasswordLink) -> None:
        """Store the link, if there is such a user."""

    def get(self, digest: str) -> PasswordLink | None: ...

    def take(self, digest: str) -> PasswordLink | None:
        """The link with that digest, which from now on is gone."""

    def drop_all(self, user_id: int) -> None:
        """Drop every link of that user."""


class FailedAttempts(Protocol):
    """Tries that failed, or are under way, by what was tried and from where (as digests)."""

    def lock(self, subjects: Sequence[str]) -> None:
        """Nobody else counts tries of these until the unit of work ends."""

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Note a try under each of its subjects; by the ids it can be removed."""

    def remove(self, ids: Sequence[int]) -> None: ...

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """When tries failed after that moment, the oldest first."""

    def clear(self, subject: str) -> None: ...

    def purge(self, before: datetime) -> None:
        """Drop what failed before that moment."""


class Passwords(Protocol):
    """Turns passwords into what is stored of them."""

    def hash(self, password: str) -> str: ...

    def match(self, password: str, password_hash: str | None) -> bool:
        """Whether it is that password. Without a hash the answer is no, after the same time."""


@dataclass(frozen=True, slots=True)
class PasswordScore:
    """How hard a password is to guess, from 0 to 4; where that is too easy, ``weakness`` says why."""

    score: int
    weakness: Code | None = None


class PasswordChecker(Protocol):
    """Judges passwords that are chosen. It knows what the hospital is called, and what many people choose."""

    def judge(self, password: str, about: Sequence[str]) -> PasswordScore:
        """How hard it is to guess for who knows this about the person."""


class Tokens(Protocol):
    """Turns a session into the token that the client carries, and back."""

    def issue(self, session: Session) -> str: ...

    def read(self, token: str) -> tuple[str, int]:
        """The ids of session and user. Raise ``Unauthenticated`` for a token that is not ours or has expired."""
