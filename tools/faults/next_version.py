"""`consumo` of a next version, which has one more migration.

Run ``python -m tools.faults.next_version --all migrate``. The migration adds a column, an index and a table.
With the argument ``first-failure-stops-all`` in front, it has that defect.
"""

import sys
import tempfile
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from adapters.cli.main import MainGroup, main
from adapters.sql import migrate

REVISION = "next"
# The table that the migration creates, and which is in its way at a hospital that has one.
TABLE = "further_notes"
FIRST_FAILURE_STOPS_ALL = "first-failure-stops-all"

_MIGRATION = f"""
import sqlalchemy as sa
from alembic import op

from adapters.sql.migrations.online import add_columns, build_index

revision, down_revision, branch_labels, depends_on = "{REVISION}", "%s", None, None


def upgrade():
    add_columns("consumption_details", sa.Column("further_note", sa.String(20), nullable=True))
    build_index("ix_consumption_details_further_note", "consumption_details", ["further_note", "id"])
    op.create_table("{TABLE}", sa.Column("id", sa.BigInteger, primary_key=True))
"""


def run(arguments: list[str]) -> None:
    """Run a command with the further migration."""
    ours = migrate._alembic()
    scripts = ScriptDirectory.from_config(ours)
    with tempfile.TemporaryDirectory(prefix="consumo-faults-") as folder:
        Path(folder, "next_version.py").write_text(_MIGRATION % scripts.get_current_head())

        def alembic() -> Config:
            config = Config()
            config.set_main_option("script_location", "adapters.sql:migrations")
            config.set_main_option("path_separator", "newline")
            config.set_main_option("version_locations", f"{scripts.versions}\n{folder}")
            return config

        setattr(migrate, "_alembic", alembic)  # noqa: B010
        if arguments[:1] == [FIRST_FAILURE_STOPS_ALL]:
            del arguments[0]
            setattr(MainGroup, "_run", _stop_at_a_failure)  # noqa: B010
        main(arguments, prog_name="consumo")


def _stop_at_a_failure(group: MainGroup, arguments: list[str]) -> int:
    group.main(arguments, prog_name="consumo", standalone_mode=False)
    return 0


if __name__ == "__main__":
    run(sys.argv[1:])
