"""Badges as scanners send them, and as they are stored."""

import re
from dataclasses import replace
from datetime import datetime

from application.accounts.ports.unlocking import BadgeDigests
from application.accounts.work import UnitOfWork
from application.common.scanning import ReadScan
from domain.accounts.badge import MAX_BADGE_LENGTH, MIN_BADGE_LENGTH, Badge
from domain.common.errors import Code
from domain.common.text import is_storable, one_line, unique_key
from domain.common.validation import Validator

# The number of a person who provides care (AI 8017).
_PROVIDER = re.compile(r"\(?8017\)?([0-9]{18})(?![0-9])", re.ASCII)


def read_badge(read_scan: ReadScan, raw: str) -> str:
    """Return the text of a badge without what differs between scanners.

    These are the symbology, brackets and separators.
    """
    text = read_scan(raw).text
    provider = _PROVIDER.match(text)
    return provider[1] if provider else one_line(text)


def check_badge(checks: Validator, read_scan: ReadScan, raw: str | None) -> str:
    """Return the text of a badge, and report one that cannot be used."""
    if not raw:
        checks.add_error(Code.REQUIRED, "badge")
        return ""
    if len(raw) > MAX_BADGE_LENGTH:
        checks.add_error(Code.TEXT_TOO_LONG, "badge", most=MAX_BADGE_LENGTH)
        return ""
    text = read_badge(read_scan, raw)
    if not is_storable(text):
        checks.add_error(Code.TEXT_UNWRITABLE, "badge")
    elif len(unique_key(text)) < MIN_BADGE_LENGTH:
        checks.add_error(Code.BADGE_TOO_SHORT, "badge", least=MIN_BADGE_LENGTH)
    return text


def find_badge(work: UnitOfWork, badge_digests: BadgeDigests, text: str) -> Badge | None:
    """Return the badge with that text."""
    found = work.badges.find_many("digest", badge_digests.digests(text))
    return found[0] if found else None


def record_badge_use(work: UnitOfWork, badge_digests: BadgeDigests, badge: Badge, text: str, now: datetime) -> None:
    """Store the use of a badge, and its digest by the current secret key."""
    work.badges.save(replace(badge, used_at=now, digest=badge_digests.digests(text)[0]))
