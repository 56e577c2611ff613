"""Read the catalogue as devices keep it, to go on without network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from application.ports.views import Read
from application.views import CatalogueView
from domain.policy import Actor, Permission


class PackCatalogue(Protocol):
    """Makes bytes of the catalogue to hand out, once for each version."""

    def __call__(self, version: int, read: Callable[[], CatalogueView]) -> bytes: ...


@dataclass(frozen=True, slots=True)
class PackedCatalogue:
    """The whole catalogue as it is handed out, gzipped."""

    version: int
    gzipped: bytes


@dataclass(frozen=True, slots=True)
class ReadCatalogue:
    """All products with their codes, the hospital's kits and the areas: the same for everybody, without prices."""

    read: Read
    pack_catalogue: PackCatalogue

    def version(self, actor: Actor) -> int:
        """At which version it is: whoever knows it need not read it again. One look at one row."""
        actor.must(Permission.READ_CATALOGUE)
        with self.read() as views:
            return views.catalogue_version()

    def __call__(self, actor: Actor) -> PackedCatalogue:
        actor.must(Permission.READ_CATALOGUE)
        with self.read() as views:
            # Before what it is the version of: should that change meanwhile, it is only read once more.
            version = views.catalogue_version()
            return PackedCatalogue(version, self.pack_catalogue(version, views.catalogue))
