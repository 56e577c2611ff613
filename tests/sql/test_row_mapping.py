"""Rows are derived from the fields; a forgotten column or field is an error."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table

from adapters.sql.engine.row_mapping import RowMapping
from adapters.sql.engine.row_shape import Computed


@dataclass(kw_only=True)
class Bed:
    id: int = 0
    name: str
    number: int
    tags: tuple[str, ...] = ()


BEDS = Table(
    "beds",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("number", Integer),
    Column("name", String),
    Column("name_folded", String),
    Column("labels", String),
)
WRITTEN: dict[str, Any] = {"name_folded": lambda bed: bed.name.lower(), "labels": lambda bed: " ".join(bed.tags)}
READ: dict[str, Any] = {"tags": Computed(lambda labels: tuple(labels.split()), BEDS.c.labels)}


def test_equal_names_are_mapped_and_exceptions_computed() -> None:
    mapping = RowMapping(BEDS, Bed, written=WRITTEN, read=READ)
    row = mapping.to_row(Bed(id=7, name="Cama A", number=3, tags=("uci", "norte")))
    assert row == {"number": 3, "name": "Cama A", "name_folded": "cama a", "labels": "uci norte"}
    entity = mapping.to_entity((7, *(row[column.name] for column in BEDS.c if column.name != "id"), "another column"))
    assert entity == Bed(id=7, name="Cama A", number=3, tags=("uci", "norte"))


@pytest.mark.parametrize(
    ("exceptions", "name"),
    [
        ({"read": READ}, "labels"),
        ({"written": WRITTEN}, "tags"),
        ({"written": WRITTEN | {"colour": str}, "read": READ}, "colour"),
        ({"written": WRITTEN, "read": READ | {"ward": str}}, "ward"),
    ],
)
def test_what_is_not_mapped_is_an_error(exceptions: dict[str, Any], name: str) -> None:
    with pytest.raises(TypeError, match=name):
        RowMapping(BEDS, Bed, **exceptions)


def test_omitted_fields_and_columns_are_not_mapped() -> None:
    mapping = RowMapping(BEDS, Bed, omitted={"tags", "labels", "name_folded"})
    assert mapping.to_row(Bed(name="Cama A", number=3, tags=("uci",))) == {"number": 3, "name": "Cama A"}
