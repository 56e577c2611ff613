"""Redaction of answers to users who see no prices.

A code stays only in a view that is known not to be a category.
"""

from typing import is_typeddict

import pytest

from application import views
from application.categories import CategoryDraft
from application.redaction import redact_for
from application.views import PRICED_FIELDS, AreaView, AuditQuery, CategoryView
from domain.policy import Actor, Permission, Role
from tests.builders import Ward, a_nurse, a_supervisor

WITH_CODES = [view for view in vars(views).values() if is_typeddict(view) and "code" in view.__annotations__]


def a_program(ward: Ward, *scopes: Permission) -> Actor:
    return Actor(user_id=ward.admin.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=frozenset(scopes))


@pytest.mark.parametrize("scopes", [(), (Permission.SEE_PRICES,)], ids=["no prices", "prices"])
def test_category_codes_in_the_audit_log_need_price_permission(ward: Ward, scopes: tuple[Permission, ...]) -> None:
    ward.use_cases.create_category(ward.admin, CategoryDraft(code="CUR-77", name="Curas"))
    program = a_program(ward, Permission.READ_AUDIT_LOG, *scopes)
    entry = ward.use_cases.audit.page(program, AuditQuery(entity="category"))["items"][0]
    taken_out = next(ward.use_cases.audit.iterate(program, AuditQuery(entity="category")))
    assert entry["changes"]["name"][1] == "Curas"
    for each in (entry, taken_out):
        assert ("CUR-77" in repr(each)) is bool(scopes)


@pytest.mark.parametrize("entity", ["product", "product_code", "room", "area", "unknown_code", "inbound_message"])
def test_other_codes_in_the_audit_log_are_not_redacted(entity: str) -> None:
    entry = {"entity": entity, "changes": {"code": [None, "A-1"], "price": [None, "1.00"]}}
    assert redact_for(a_nurse(), entry)["changes"] == {"code": [None, "A-1"]}


@pytest.mark.parametrize("entity", ["category", "something_new"])
def test_the_code_of_an_unknown_entity_is_redacted(entity: str) -> None:
    assert redact_for(a_nurse(), {"entity": entity, "changes": {"code": [None, "A-1"]}})["changes"] == {}
    assert redact_for(a_nurse(), {"id": 1, "code": "A-1", "entity": entity}) == {"id": 1, "entity": entity}


@pytest.mark.parametrize("view", WITH_CODES, ids=lambda view: view.__name__)
def test_other_views_keep_their_codes(view: type) -> None:
    name = {views.WarningView: "warnings", views.ErrorView: "errors"}.get(view, "items")
    reported = {name: [dict.fromkeys(view.__annotations__.keys() - PRICED_FIELDS, 1)]}
    # An area's code is only for those who manage areas, all of whom see prices.
    assert ("code" in redact_for(a_nurse(), reported)[name][0]) is (view not in (CategoryView, AreaView))


def test_a_warning_with_a_total_is_removed_whole() -> None:
    repeated = {"code": "detail.repeated", "quantity": 1}
    far_out = {"code": "quantity.far_out", "quantity": 1, "total": 600}
    assert redact_for(a_nurse(), {"id": 1, "warnings": [far_out]}) == {"id": 1}
    assert redact_for(a_nurse(), {"items": [{"id": 1, "warnings": [far_out, repeated]}], "warnings": [far_out]}) == {
        "items": [{"id": 1, "warnings": [repeated]}]
    }
    assert redact_for(a_supervisor(), {"warnings": [far_out]}) == {"warnings": [far_out]}
