"""Store users, sessions, password links and API keys, in memory."""

from collections.abc import Callable, Sequence
from datetime import datetime

from adapters.memory.data import MemoryData
from adapters.memory.repositories.repository import MemoryRepository
from application.entities import API_KEY
from application.ports.identity import Session
from application.ports.unlocking import StoredPin
from domain.api_key import ApiKey
from domain.policy import HUMAN_ROLES
from domain.user import PasswordLink, SetupLink, User


class MemoryUsers(MemoryRepository[User]):
    def has_people(self) -> bool:
        """Return whether a person has ever had an account."""
        return bool(self.all(lambda user: user.role in HUMAN_ROLES))

    def administrators(self) -> list[User]:
        """List the administrators who may sign in, oldest first."""
        return self.all(lambda user: user.is_administrator)

    def find_linked(self, issuer: str, subject: str) -> User | None:
        """Return the user of that account at the identity provider."""
        return self.first(lambda user: (user.oidc_issuer, user.oidc_subject) == (issuer, subject))

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """Return that user and all administrators.

        No lock is needed: units of work run one at a time.
        """
        return self.get(id), self.administrators()


class MemoryApiKeys(MemoryRepository[ApiKey]):
    """API keys of service accounts."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, API_KEY)

    def record_refusal(self, id: int, address: str, at: datetime) -> None:
        """Set the time and address of the last use from outside the networks."""
        self._data.key_refusals[id] = (at, address)

    def record_use(self, id: int, at: datetime) -> None:
        """Update the time of last use."""
        self._data.key_uses[id] = at


class MemorySessions:
    """Sessions."""

    def __init__(self, data: MemoryData) -> None:
        self._sessions = data.sessions
        self._were_on_device = data.were_on_device

    def add(self, session: Session) -> None:
        self.save(session)

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """Return the session unless it has ended.

        No lock is needed: units of work run one at a time.
        """
        session = self._sessions.get(session_id)
        return session if session and session.expires_at > at else None

    def save(self, session: Session) -> None:
        """Store every field that changes during a session."""
        self._sessions[session.id] = session
        self._were_on_device[session.device, session.user_id] = True

    def shares_device(self, session_id: str, user_id: int) -> bool:
        """Return whether the device of a session ever had one of a user."""
        session = self._sessions.get(session_id)
        return bool(session and session.device and (session.device, user_id) in self._were_on_device)

    def revoke(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)

    def revoke_all(self, user_id: int) -> None:
        for session in [session for session in self._sessions.values() if session.user_id == user_id]:
            del self._sessions[session.id]

    def of_provider_session(self, oidc_sid: str, at: datetime) -> list[Session]:
        """List the sessions that began in that session of the provider."""
        running = (one for one in self._sessions.values() if one.expires_at > at and one.oidc_sid == oidc_sid)
        return sorted(running, key=lambda one: one.id)


class MemoryPins:
    """PINs of users."""

    def __init__(self, data: MemoryData) -> None:
        self._pins = data.pins

    def get(self, user_id: int) -> StoredPin | None:
        """Return the PIN of a user."""
        return self._pins.get(user_id)

    def save(self, pin: StoredPin) -> None:
        """Store the PIN in place of the earlier one."""
        self._pins[pin.user_id] = pin

    def remove(self, user_id: int) -> None:
        """Delete the PIN of a user."""
        self._pins.pop(user_id, None)


class MemoryPasswordLinks:
    """Links for choosing a password."""

    def __init__(self, data: MemoryData) -> None:
        self._links = data.password_links
        self._users = data.users

    def add(self, link: PasswordLink) -> None:
        """Store the link if the user exists."""
        if link.user_id in self._users:
            self._links[link.digest] = link

    def get(self, digest: str) -> PasswordLink | None:
        """Return the link with that digest."""
        return self._links.get(digest)

    def consume(self, digest: str) -> PasswordLink | None:
        """Return the link with that digest and delete it."""
        return self._links.pop(digest, None)

    def revoke_all(self, user_id: int) -> None:
        """Delete all links of that user."""
        for link in [link for link in self._links.values() if link.user_id == user_id]:
            del self._links[link.digest]


class MemorySetupLinks:
    """The link for creating the first administrator."""

    def __init__(self, data: MemoryData) -> None:
        self._links = data.setup_links

    def replace(self, link: SetupLink) -> None:
        """Store the link in place of the earlier one."""
        self._links.clear()
        self._links[link.digest] = link

    def get(self, digest: str) -> SetupLink | None:
        """Return the link with that digest."""
        return self._links.get(digest)

    def consume(self, digest: str) -> SetupLink | None:
        """Return the link with that digest and delete it."""
        return self._links.pop(digest, None)

    def revoke(self) -> None:
        """Delete the link."""
        self._links.clear()


class MemoryFailedAttempts:
    """Failed sign-in attempts."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def lock(self, subjects: Sequence[str]) -> None:
        """Do nothing: units of work run one at a time."""

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Store an attempt under each of its subjects."""
        first = max(self._data.failed_attempts, default=0) + 1
        self._data.failed_attempts.update(enumerate([(subject, at) for subject in subjects], first))
        return list(range(first, first + len(subjects)))

    def remove(self, ids: Sequence[int]) -> None:
        """Delete attempts that succeeded."""
        self._keep(lambda number, _subject, _at: number not in ids)

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """List the times of failures after that moment, oldest first."""
        return sorted(when for who, when in self._data.failed_attempts.values() if who == subject and when > at)

    def clear(self, subject: str) -> None:
        """Delete the failures of one subject."""
        self._keep(lambda _number, who, _at: who != subject)

    def purge(self, before: datetime) -> None:
        """Delete failures before that moment."""
        self._keep(lambda _number, _subject, at: at >= before)

    def _keep(self, wanted: Callable[[int, str, datetime], bool]) -> None:
        for number, (subject, at) in list(self._data.failed_attempts.items()):
            if not wanted(number, subject, at):
                del self._data.failed_attempts[number]
