"""Names that users type in vain for products."""

from adapters.sql.catalogue.tables import typed_names
from adapters.sql.engine.table_mapping import TableMapping
from domain.catalogue.typed_name import TypedName

MAPPING = TableMapping(typed_names, TypedName, keys={"product_id": typed_names.c.product_id})
