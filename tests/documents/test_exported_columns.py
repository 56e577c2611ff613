"""A list exports all fields of its view, except those that it names."""

from typing import Any, NotRequired, TypedDict

import pytest

from adapters.documents.exported_columns import columns_of


class WardView(TypedDict):
    id: int
    name: str


class BedView(TypedDict):
    id: int
    number: int
    ward: NotRequired[WardView | None]
    tags: list[str]
    version: int


def test_fields_without_a_place_follow_in_order() -> None:
    columns = columns_of(BedView, "number", "ward.name", leaves_out={"version": "for the next change"})
    assert columns == ("number", "ward.name", "id", "tags")


@pytest.mark.parametrize(
    ("first", "leaves_out", "name"),
    [
        ((), {}, "ward"),
        (("ward.name", "colour"), {}, "colour"),
        (("ward.colour",), {}, "ward.colour"),
        (("ward.name",), {"colour": "none"}, "colour"),
        (("ward.name", "id"), {"id": "twice"}, "id"),
    ],
)
def test_columns_that_do_not_fit_are_an_error(first: Any, leaves_out: Any, name: str) -> None:
    with pytest.raises(TypeError, match=name):
        columns_of(BedView, *first, leaves_out=leaves_out)
