"""Read for whom a password link is."""

from dataclasses import dataclass, field

from application.accounts.sessions.begin_session import BeginSession
from application.accounts.users.password_links import digest_of, holder_of
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.use_case import retried
from domain.common.text import full_name
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkToken(Draft):
    """The secret of a link."""

    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class LinkHolder:
    """The user of a link, and the name of the hospital."""

    email: str
    name: str | None
    hospital: str | None


@dataclass(frozen=True, slots=True)
class ReadPasswordLink:
    """Read the user of a valid link, which stays valid.

    An invalid link reveals nothing.
    """

    begin: Begin
    clock: Clock
    hospital_name: str | None
    begin_session: BeginSession

    @retried
    def __call__(self, link: LinkToken) -> LinkHolder:
        """Return the user, or raise ``Refused`` for an invalid link."""
        checks = Validator(link.parse_errors)
        token = checks.required_line("token", link.token)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            user = holder_of(work, work.password_links.get(digest_of(token)), now, self.begin_session)
            staff = work.staff.get(user.staff_id) if user.staff_id else None
            name = full_name(staff.name, staff.first_surname, staff.second_surname) if staff else None
        return LinkHolder(user.email, name, self.hospital_name)
