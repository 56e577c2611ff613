"""All that is kept in memory."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime

from application.audit_log import AuditEntry
from application.imports.imported import Import
from application.ports.identity import Session
from domain.area import Area
from domain.patient import Patient
from domain.product import Category, Product
from domain.room import Room
from domain.sheet import Detail, Sheet
from domain.staff import Staff
from domain.user import PasswordLink, User


@dataclass
class MemoryData:
    """All that is kept.

    What lies here is never changed, only replaced: a copy of the dictionaries is a copy of it all.
    """

    areas: dict[int, Area] = field(default_factory=dict)
    categories: dict[int, Category] = field(default_factory=dict)
    products: dict[int, Product] = field(default_factory=dict)
    rooms: dict[int, Room] = field(default_factory=dict)
    patients: dict[int, Patient] = field(default_factory=dict)
    staff: dict[int, Staff] = field(default_factory=dict)
    users: dict[int, User] = field(default_factory=dict)
    sheets: dict[int, Sheet] = field(default_factory=dict)
    details: dict[int, Detail] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    idempotency_store: dict[tuple[int, str], tuple[str, object, datetime]] = field(default_factory=dict)
    password_links: dict[str, PasswordLink] = field(default_factory=dict)
    failed_attempts: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    audit_log: list[AuditEntry] = field(default_factory=list)
    looks: dict[tuple[int | None, str, int, int], bool] = field(default_factory=dict)
    imports: dict[int, Import] = field(default_factory=dict)
    mappings: dict[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    last_ids: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "MemoryData":
        """The same things on other shelves."""
        return MemoryData(**{name: copy(items) for name, items in vars(self).items()})
