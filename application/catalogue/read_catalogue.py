"""Read the catalogue that devices store for work without network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from application.catalogue.device_views import CatalogueView
from application.catalogue.work import Read
from application.common.use_case import permitted
from domain.common.policy import Actor, Permission


class PackCatalogue(Protocol):
    """Compresses the catalogue once per version."""

    def __call__(self, version: int, read: Callable[[], CatalogueView]) -> bytes: ...


@dataclass(frozen=True, slots=True)
class PackedCatalogue:
    """The whole catalogue, gzipped."""

    version: int
    gzipped: bytes


@dataclass(frozen=True, slots=True)
class ReadCatalogue:
    """Read all products with their codes, the hospital's kits and the areas.

    The catalogue is the same for all users and has no prices.
    """

    read: Read
    pack_catalogue: PackCatalogue

    @permitted(Permission.READ_CATALOGUE)
    def version(self, actor: Actor) -> int:
        """Return the version of the catalogue.

        Clients read the catalogue only if it changed. It takes one query of one row.
        """
        with self.read() as views:
            return views.catalogue_version()

    @permitted(Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor) -> PackedCatalogue:
        with self.read() as views:
            # Read the version first: if the catalogue changes in between, it is only read once too often.
            version = views.catalogue_version()
            return PackedCatalogue(version, self.pack_catalogue(version, views.catalogue))
