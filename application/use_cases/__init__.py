"""The container of all use cases, with their dependencies.

The web, the command line, imports and tests call the use cases through it.
"""

from dataclasses import dataclass

from application.use_cases.accounts import AccountGroups
from application.use_cases.catalogue import CatalogueGroups
from application.use_cases.sheets import SheetGroups
from application.use_cases.systems import SystemGroups


@dataclass(frozen=True, kw_only=True)
class UseCases(AccountGroups, SheetGroups, CatalogueGroups, SystemGroups):
    """Every use case, grouped and wired to its adapters.

    They hold no state and are shared.
    """
