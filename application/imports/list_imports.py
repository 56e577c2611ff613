"""The list of imports."""

from application.audit.views import IMPORT_SORTS, ImportView
from application.common.entities import IMPORT
from application.common.paging import ListQuery
from application.records.list_reader import ListReader
from domain.common.policy import Permission


class ListImports(ListReader[ImportView, ListQuery]):
    """The imports, the newest first."""

    kind = IMPORT
    permission = Permission.IMPORT
    item_type = ImportView
    sorts = IMPORT_SORTS
