"""Sign out."""

from dataclasses import dataclass

from application.ports import Begin


@dataclass(frozen=True, slots=True)
class SignOut:
    """Sign out: the session ends, and its token is dead at once."""

    begin: Begin

    def __call__(self, session_id: str) -> None:
        with self.begin() as work:
            work.sessions.end(session_id)
