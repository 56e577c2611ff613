"""The migrations make the tables that the code expects, on both databases, however often they run."""

from collections.abc import Iterator
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, inspect, text

from adapters.sql.connections import to_url
from adapters.sql.migrate import Shape, migrate, shape_of
from adapters.sql.tables import FOLDED, metadata
from tests.contracts.together import at_once

# Made by hand for searches, and unknown to the tables' module.
WORDS = ("products_words", "ix_products_words")
KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


@pytest.fixture(params=KINDS)
def migrated(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine on a migrated database of each kind."""
    engine = create_engine(to_url(request.getfixturevalue(f"{request.param}_url")))
    yield engine
    engine.dispose()


@pytest.fixture(params=KINDS)
def blank_url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    return str(request.getfixturevalue(f"blank_{request.param}_url"))


def test_the_migrated_database_is_what_the_code_expects(migrated: Engine) -> None:
    def ours(_: Any, name: str | None, *__: Any) -> bool:
        return not (name or "").startswith(WORDS)

    with migrated.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True, "include_object": ours}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


def test_every_rule_of_the_tables_has_the_name_by_which_it_is_known(migrated: Engine) -> None:
    """A refusal is told from the name of the constraint that was broken."""
    there = inspect(migrated)
    for table in metadata.sorted_tables:
        unique = {constraint["name"] for constraint in there.get_unique_constraints(table.name)}
        assert unique == {str(constraint.name) for constraint in table.constraints if str(constraint.name)[:2] == "uq"}
        foreign = {constraint["name"] for constraint in there.get_foreign_keys(table.name)}
        assert foreign == {str(constraint.name) for constraint in table.foreign_key_constraints}


@pytest.mark.postgresql
def test_on_postgresql_folded_texts_are_compared_letter_by_letter_whatever_its_locale(postgresql_url: str) -> None:
    folded = {
        (table.name, column.name) for table in metadata.sorted_tables for column in table.c if column.type is FOLDED
    }
    engine = create_engine(to_url(postgresql_url))
    with engine.connect() as connection:
        in_c = connection.execute(
            text("SELECT table_name, column_name FROM information_schema.columns WHERE collation_name = 'C'")
        )
        found = {(row.table_name, row.column_name) for row in in_c}
    engine.dispose()
    assert folded
    assert folded <= found


def test_migrating_again_changes_nothing(blank_url: str) -> None:
    assert shape_of(blank_url) is Shape.BEHIND
    migrate(blank_url)
    assert shape_of(blank_url) is Shape.CURRENT
    engine = create_engine(to_url(blank_url))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO areas (name, name_key, name_folded) VALUES ('UCI', 'uci', 'uci')"))
    migrate(blank_url)
    assert shape_of(blank_url) is Shape.CURRENT
    with engine.connect() as connection:
        assert connection.execute(text("SELECT name FROM areas")).scalars().all() == ["UCI"]
    engine.dispose()


@pytest.mark.postgresql
def test_on_postgresql_of_several_servers_that_start_at_once_one_migrates(blank_postgresql_url: str) -> None:
    assert at_once([lambda: migrate(blank_postgresql_url)] * 4) == [None] * 4
    assert shape_of(blank_postgresql_url) is Shape.CURRENT
