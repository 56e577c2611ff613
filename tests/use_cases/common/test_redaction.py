"""Redaction of answers to users who see no prices."""

from decimal import Decimal
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar, get_args, get_type_hints, is_typeddict

import pytest

from application.audit.views import AuditQuery, AuditView
from application.catalogue.categories import CategoryDraft
from application.catalogue.views import CategoryView, ProductView
from application.common.redaction import PRICED_NAMES, Redacted, redact_for, redacted_fields
from application.sheets.detail_views import DetailView, RecordedDetailsView
from application.sheets.views import ErrorView, LateEntryView
from domain.common.policy import Actor, Permission, Role
from tests.builders import Ward, a_nurse, a_supervisor, view_modules

VIEWS = [
    view
    for module in view_modules()
    for view in vars(module).values()
    if is_typeddict(view) and view.__module__ == module.__name__
]
# Numbers that are no money.
HARMLESS = {
    # A setting, which only administrators read.
    "ask_above_total",
    "quantity",
    "new_quantity",
    "usual_quantity",
    "latest_quantities",
    "far_out_above",
    "units",
    "returned",
    "corrected_from",
    "set_aside",
    "needed",
    "fixed_amount",
    "put_back",
    "handed_out",
    "recorded",
    "difference",
    "treatment",
    "area_use",
    "wasted",
    "median",
}


def a_program(ward: Ward, *scopes: Permission) -> Actor:
    return Actor(user_id=ward.admin.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=frozenset(scopes))


def parts_of(hint: Any) -> set[Any]:
    return {hint}.union(*map(parts_of, get_args(hint)))


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_every_decimal_is_a_price_or_known_to_be_none(view: type) -> None:
    decimals = {name for name, hint in get_type_hints(view).items() if Decimal in parts_of(hint)}
    assert decimals <= redacted_fields(view) | HARMLESS


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_fields_named_like_prices_are_redacted(view: type) -> None:
    assert PRICED_NAMES & view.__annotations__.keys() <= redacted_fields(view)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_other_views_keep_their_codes(view: type) -> None:
    # An area's code is that of the hospital's system, and no price.
    assert ("code" in redacted_fields(view)) is (view is CategoryView)


def test_nested_fields_and_lists_are_redacted() -> None:
    def product() -> dict[str, Any]:
        return {"id": 1, "code": "A-1", "price": 1, "category": {"id": 2, "code": "CUR", "name": "Curas"}}

    redacted = {"id": 1, "code": "A-1", "category": {"id": 2, "name": "Curas"}}
    detail = {"id": 3, "product": product(), "unit_price": 1, "total": 1, "quantity": 1, "kit": None}
    assert redact_for(a_nurse(), product(), ProductView) == redacted
    assert redact_for(a_nurse(), [product(), product()], ProductView) == [redacted] * 2
    assert redact_for(a_supervisor(), product(), ProductView) == product()
    assert redact_for(a_nurse(), {"items": [detail]}, RecordedDetailsView) == {
        "items": [{"id": 3, "product": redacted, "quantity": 1, "kit": None}]
    }


def test_a_type_that_cannot_be_inspected_is_refused() -> None:
    item = TypeVar("item")

    class Either(TypedDict):
        value: NotRequired[CategoryView | ProductView]

    class Deep(TypedDict):
        value: dict[str, list[CategoryView]]

    class Untyped(TypedDict):
        value: dict[str, Any]

    for unknown in (Any, item, dict, Either, Deep, Untyped):
        with pytest.raises(TypeError):
            redact_for(a_nurse(), {"value": {"code": "CUR"}}, unknown)  # type: ignore[arg-type]


def test_fields_of_any_type_can_be_redacted() -> None:
    class Text(TypedDict):
        body: Annotated[str, Redacted.FIELD]
        other: str

    assert redact_for(a_nurse(), {"body": "1.00", "other": "a"}, Text) == {"other": "a"}


@pytest.mark.parametrize("scopes", [(), (Permission.SEE_PRICES,)], ids=["no prices", "prices"])
def test_category_codes_in_the_audit_log_need_price_permission(ward: Ward, scopes: tuple[Permission, ...]) -> None:
    ward.use_cases.categories.create(ward.admin, CategoryDraft(code="CUR-77", name="Curas"))
    program = a_program(ward, Permission.READ_AUDIT_LOG, *scopes)
    entry = ward.use_cases.audit.reader.page(program, AuditQuery(entity="category"))["items"][0]
    taken_out = next(ward.use_cases.audit.reader.iterate(program, AuditQuery(entity="category")))
    assert entry["changes"]["name"][1] == "Curas"
    for each in (entry, taken_out):
        assert ("CUR-77" in repr(each)) is bool(scopes)


@pytest.mark.parametrize("entity", ["product", "product_code", "room", "area", "unknown_code", "inbound_message"])
def test_other_codes_in_the_audit_log_are_not_redacted(entity: str) -> None:
    entry = {"entity": entity, "changes": {"code": [None, "A-1"], "price": [None, "1.00"]}}
    assert redact_for(a_nurse(), entry, AuditView)["changes"] == {"code": [None, "A-1"]}


@pytest.mark.parametrize("entity", ["category", "something_new"])
def test_the_code_of_an_unknown_entity_is_redacted(entity: str) -> None:
    entry = {"entity": entity, "changes": {"code": [None, "A-1"]}}
    assert redact_for(a_nurse(), entry, AuditView)["changes"] == {}


def test_a_warning_with_a_total_is_removed_whole() -> None:
    repeated = {"code": "detail.repeated", "quantity": 1}
    far_out = {"code": "quantity.far_out", "quantity": 1, "total": 600}
    assert redact_for(a_nurse(), {"id": 1, "warnings": [far_out]}, DetailView) == {"id": 1}
    answer = {"items": [{"id": 1, "warnings": [far_out, repeated]}], "warnings": [far_out]}
    assert redact_for(a_nurse(), answer, RecordedDetailsView) == {"items": [{"id": 1, "warnings": [repeated]}]}
    assert redact_for(a_supervisor(), {"warnings": [far_out]}, DetailView) == {"warnings": [far_out]}


def test_errors_lose_their_prices_and_keep_their_codes() -> None:
    error = {"code": "quantity.far_out", "field": "items.0", "total": 600}
    assert redact_for(a_nurse(), {"id": 1, "errors": [error]}, LateEntryView) == {
        "id": 1,
        "errors": [{"code": "quantity.far_out", "field": "items.0"}],
    }
    assert "code" in ErrorView.__annotations__
