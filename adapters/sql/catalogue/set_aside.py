"""Units of recalled lots that were set aside."""

from adapters.sql.catalogue.tables import set_aside
from adapters.sql.engine.row_shape import Computed, or_none
from adapters.sql.engine.table_mapping import TableMapping
from domain.catalogue.recall import SetAside

MAPPING = TableMapping[SetAside](
    set_aside,
    SetAside,
    keys={"digest": set_aside.c.entry_digest, "recall_id": set_aside.c.recall_id},
    written={"entry_digest": lambda one: one.digest},
    read={"digest": or_none(Computed(bytes, set_aside.c.entry_digest))},
)
