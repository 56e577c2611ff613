"""A view copies the fields of its entity; a forgotten or unknown one is an error."""

from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import pytest

from application.common.draft import Draft, field_names
from application.common.entity_view import EntityView


class BedView(TypedDict):
    id: int
    ward: str
    number: int
    broken: NotRequired[bool]


@dataclass
class Bed:
    id: int
    number: int
    secret: str = ""


@dataclass(frozen=True, kw_only=True)
class BedDraft(Draft):
    number: int | None = None
    ward_id: int | None = None


def test_fields_of_the_same_name_are_copied_in_order() -> None:
    view = EntityView(BedView, Bed, "ward", omitted={"broken"}).of(Bed(7, 3, "x"), ward="Norte")
    assert view == {"id": 7, "ward": "Norte", "number": 3}
    assert [*view] == ["id", "ward", "number"]


@pytest.mark.parametrize(
    ("computed", "omitted", "name"),
    [((), {"broken"}, "ward"), (("ward",), set(), "broken"), (("ward", "colour"), {"broken"}, "colour")],
)
def test_a_view_that_does_not_fit_is_an_error(computed: Any, omitted: Any, name: str) -> None:
    with pytest.raises(TypeError, match=name):
        EntityView(BedView, Bed, *computed, omitted=omitted)


def test_field_names_are_those_of_the_form() -> None:
    assert field_names(BedDraft) == ("number", "ward_id")
    assert field_names(BedDraft, "ward_id") == ("number",)
    with pytest.raises(KeyError):
        field_names(BedDraft, "colour")
