"""Read when entities changed, for other systems."""

from datetime import datetime
from typing import NamedTuple

from application.audit.audit_log import Changes
from application.common.entities import EntityKind


class Tracked(NamedTuple):
    """The changes that change how an entity is reported to other systems.

    They are those of its own ``fields`` (all if there are none), and those of the fields of ``related`` entities that
    its report repeats, such as the name of a product.
    """

    kind: EntityKind
    fields: tuple[str, ...] = ()
    related: tuple[tuple[EntityKind, tuple[str, ...]], ...] = ()


class Deletion(NamedTuple):
    """The deletion of an entity: when, and what it was."""

    at: datetime
    changes: Changes
