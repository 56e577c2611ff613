"""Views of the state of an installation."""

from datetime import datetime
from typing import TypedDict

from application.status.findings import StatusAdvice, StatusKey, StatusLevel


class FindingView(TypedDict):
    """One judged part of the installation, with its facts.

    ``advice`` says what is wrong or to be known. ``at`` is the time of the last event: start, backup, seal or message;
    ``oldest_at`` since when something waits. ``size`` and ``free`` are bytes. ``count`` is what waits, and ``failed``
    what was given up. ``name`` is the version, the kind of database or the time zone; ``problem`` the last error of
    billing or of the log server. Facts that do not belong to the part are null.
    """

    key: StatusKey
    level: StatusLevel
    advice: StatusAdvice | None
    name: str | None
    at: datetime | None
    oldest_at: datetime | None
    size: int | None
    free: int | None
    count: int | None
    failed: int | None
    problem: str | None


class StatusView(TypedDict):
    """The state of the installation at a moment, part by part."""

    at: datetime
    findings: list[FindingView]


class SentEmailView(TypedDict):
    """The address to which a test email was sent."""

    email: str
