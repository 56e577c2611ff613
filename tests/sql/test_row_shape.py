"""A shape reads a record by position; a forgotten or unknown field is an error."""

from dataclasses import dataclass
from typing import Any, NamedTuple, NotRequired, TypedDict

import pytest
from sqlalchemy import Boolean, Column, Integer, MetaData, String, Table, create_engine, select

from adapters.sql.engine.row_shape import Computed, OrNone, PresentIf, RowShape, or_none

METADATA = MetaData()
WARDS = Table("wards", METADATA, Column("id", Integer, primary_key=True), Column("name", String))
BEDS = Table(
    "beds",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("number", Integer),
    Column("labels", String),
    Column("ward_id", Integer),
    Column("broken", Boolean),
)


class WardView(TypedDict):
    id: int
    name: str
    floor: NotRequired[int]


class BedView(TypedDict):
    id: int
    number: int
    tags: list[str]
    ward: WardView | None
    broken: NotRequired[bool]


@dataclass(kw_only=True)
class Ward:
    id: int
    name: str
    beds: tuple[str, ...] = ()


class WardTuple(NamedTuple):
    id: int
    name: str


WARD = RowShape(WardView, WARDS, omitted={"floor"})
CELLS: dict[str, Any] = {
    "tags": Computed(str.split, BEDS.c.labels),
    "ward": or_none(WARD),
    "broken": PresentIf(BEDS.c.broken, BEDS.c.broken),
}


def test_the_columns_of_a_shape_are_what_its_rows_are_read_from() -> None:
    shape = RowShape(BedView, BEDS, names=CELLS)
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        METADATA.create_all(connection)
        connection.execute(WARDS.insert(), {"id": 5, "name": "Norte"})
        connection.execute(
            BEDS.insert(),
            [
                {"id": 1, "number": 3, "labels": "uci sur", "ward_id": 5, "broken": False},
                {"id": 2, "number": 4, "labels": "", "ward_id": None, "broken": True},
            ],
        )
        beds = select(*shape.columns, WARDS.c.name).outerjoin_from(BEDS, WARDS, WARDS.c.id == BEDS.c.ward_id)
        rows = connection.execute(beds.order_by(BEDS.c.id)).all()
    assert [shape.read(row) for row in rows] == [
        {"id": 1, "number": 3, "tags": ["uci", "sur"], "ward": {"id": 5, "name": "Norte"}},
        {"id": 2, "number": 4, "tags": [], "ward": None, "broken": True},
    ]


def test_a_column_that_two_fields_show_is_selected_once() -> None:
    shape = RowShape(BedView, BEDS, names=CELLS | {"number": BEDS.c.id})
    assert [column.key for column in shape.columns].count("id") == 2  # of the bed and of the ward


def test_dataclasses_and_named_tuples_are_read_as_well() -> None:
    assert RowShape(Ward, WARDS, omitted={"beds"}).read((5, "Norte")) == Ward(id=5, name="Norte")
    assert RowShape(WardTuple, WARDS).read((5, "Norte")) == WardTuple(5, "Norte")


def test_a_shape_is_also_that_of_an_alias() -> None:
    other = WARDS.alias("other")
    assert [*WARD.of(other).columns] == [other.c.id, other.c.name]


@pytest.mark.parametrize(
    ("record", "arguments", "name"),
    [
        (BedView, {"names": {key: cell for key, cell in CELLS.items() if key != "tags"}}, "tags"),
        (BedView, {"names": {key: cell for key, cell in CELLS.items() if key != "ward"}, "omitted": {"ward"}}, "ward"),
        (BedView, {"names": CELLS | {"colour": BEDS.c.labels}}, "colour"),
        (BedView, {"names": CELLS, "omitted": {"colour"}}, "colour"),
        (BedView, {"names": CELLS | {"ward": RowShape(WardTuple, WARDS)}}, "ward"),
        (BedView, {"names": CELLS | {"tags": or_none(WARD)}}, "tags"),
        (WardView, {"names": {"id": OrNone(WARD, WARDS.c.id)}}, "floor"),
        (Ward, {"names": {"beds": PresentIf(BEDS.c.broken, BEDS.c.labels)}}, "absent"),
    ],
)
def test_a_shape_that_does_not_fit_is_an_error(record: type, arguments: dict[str, Any], name: str) -> None:
    table = BEDS if record is BedView else WARDS
    with pytest.raises(TypeError, match=name):
        RowShape(record, table, **arguments)
