"""Lists of rooms and sheets are in the order of the ward: room 2 comes before room 10

Revision: 0064
"""

import sqlalchemy as sa

from adapters.sql.migrations.online import add_columns, build_index, recompute
from domain.common.text import natural_key

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None

FOLDED = sa.String().with_variant(sa.VARCHAR(collation="C"), "postgresql")


def upgrade() -> None:
    add_columns("rooms", sa.Column("sort_folded", FOLDED, nullable=True))
    rooms = sa.table("rooms", sa.column("id"), sa.column("name"), sa.column("sort_folded"))
    recompute(rooms, lambda row: {"sort_folded": natural_key(row.name)})
    build_index("ix_rooms_sort_folded_id", "rooms", [sa.text("coalesce(sort_folded, name_folded)"), "id"])
