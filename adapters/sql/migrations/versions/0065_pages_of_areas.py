"""Sheets of areas: what an area used in a month for no patient

Revision: 0065
"""

import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_check, add_columns, build_index, make_nullable, rebuild_table

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None

_KIND = (
    "patient_id IS NOT NULL AND room_id IS NOT NULL AND area_id IS NULL AND part IS NULL OR patient_id IS NULL AND "
    "room_id IS NULL AND area_id IS NOT NULL AND part IS NOT NULL AND total = 0 AND closed_at IS NULL AND visit_number "
    "IS NULL"
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        rebuild_table("consumption_sheets", _with_areas)
        rebuild_table("unlisted_items", _without_room)
    else:
        add_columns(
            "consumption_sheets",
            sa.Column("area_id", sa.BigInteger(), sa.ForeignKey("areas.id", name="fk_consumption_sheets_area_id")),
            sa.Column("part", sa.SmallInteger()),
        )
        make_nullable("consumption_sheets", "patient_id", "room_id")
        add_check("consumption_sheets", "ck_consumption_sheets_kind", _KIND)
        make_nullable("unlisted_items", "room_id")
        add_columns("unlisted_items", sa.Column("use_reason", sa.String(20)))
    is_of_area = sa.text("area_id IS NOT NULL")
    build_index(
        "uq_consumption_sheets_area_id",
        "consumption_sheets",
        ["area_id", "admission_date", "part"],
        unique=True,
        sqlite_where=is_of_area,
        postgresql_where=is_of_area,
    )


def _with_areas(created: str) -> str:
    nullable = created.replace("patient_id INTEGER NOT NULL", "patient_id INTEGER")
    nullable = nullable.replace("room_id INTEGER NOT NULL", "room_id INTEGER")
    return nullable.replace(
        "\tCONSTRAINT",
        "\tarea_id INTEGER, \n\tpart SMALLINT, \n\t"
        "CONSTRAINT fk_consumption_sheets_area_id FOREIGN KEY(area_id) REFERENCES areas (id), \n\t"
        f"CONSTRAINT ck_consumption_sheets_kind CHECK ({_KIND}), \n\tCONSTRAINT",
        1,
    )


def _without_room(created: str) -> str:
    nullable = created.replace("room_id INTEGER NOT NULL", "room_id INTEGER")
    return nullable.replace("\tCONSTRAINT", "\tuse_reason VARCHAR(20), \n\tCONSTRAINT", 1)
