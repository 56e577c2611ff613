"""The tables in docs/contract.md match the server."""

import json
import re
from itertools import pairwise
from typing import Any

from application.accounts.views import USER_SORTS
from application.audit.views import AUDIT_SORTS, IMPORT_SORTS
from application.billing.views import OUTBOUND_MESSAGE_SORTS
from application.catalogue.views import KIT_SORTS, PRODUCT_SORTS, RECALL_SORTS
from application.people.views import PATIENT_SORTS
from application.reports.views import CONSUMPTION_SORTS
from application.sheets.detail_views import DETAIL_SORTS
from application.sheets.implant_views import IMPLANT_SORTS
from application.sheets.views import SHEET_SORTS
from domain.common.errors import Code
from domain.common.policy import GRANTS, Permission, Role
from tests.permissions import RECORDS, REFUSALS
from tests.servers import ROOT

PAGE = (ROOT / "docs" / "contract.md").read_text()
OPENAPI = json.loads((ROOT / "ui" / "openapi.json").read_text())
OF_EVERY_LIST = {"page", "limit", "sort", "q", "cursor", "format"}

SORTS = {
    **{f"/api/{group}": record.reader.sorts for group, record in RECORDS.items()},
    "/api/consumption-sheets": SHEET_SORTS,
    "/api/consumption-details": DETAIL_SORTS,
    "/api/products": PRODUCT_SORTS,
    "/api/outbound-messages": OUTBOUND_MESSAGE_SORTS,
    "/api/implants": IMPLANT_SORTS,
    "/api/recalls": RECALL_SORTS,
    "/api/kits": KIT_SORTS,
    "/api/patients": PATIENT_SORTS,
    "/api/users": USER_SORTS,
    "/api/imports": IMPORT_SORTS,
    "/api/audit": AUDIT_SORTS,
    "/api/reports/consumption": CONSUMPTION_SORTS,
}


def rows(heading: str) -> list[list[str]]:
    """The rows of the last table under a heading, without its header."""
    section = re.split(r"^#+ ", PAGE.split(f" {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    lines = re.findall(r"^\|(.+)\|$", section, re.MULTILINE)
    last_head = max(number for number, line in enumerate(lines) if re.fullmatch(r"[-|:]+", line))
    return [[cell.strip() for cell in line.split("|")] for line in lines[last_head + 1 :]]


def quoted(text: str) -> set[str]:
    """Words in backticks, without assigned values."""
    return {word.partition("=")[0] for word in re.findall(r"`([^`]+)`", text)}


def _parameters(operation: Any) -> set[str]:
    return {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"}


def test_the_table_of_permissions_equals_the_policy() -> None:
    said = {
        name.strip("`"): [cell.startswith("yes") for cell in cells] for name, _, *cells in rows("Roles and permissions")
    }
    assert said == {permission: [permission in GRANTS[role] for role in Role] for permission in Permission}


def test_the_table_of_refusals_has_every_code() -> None:
    said = {code.strip("`") for code, _ in rows("Refusals by role")}
    assert said == REFUSALS


def test_the_table_of_lists_has_every_order_and_filter() -> None:
    said = rows("Lists")
    listed = {path for path, methods in OPENAPI["paths"].items() if "format" in _parameters(methods.get("get", {}))}
    assert {path.replace("{id}", "{}") for names, *_ in said for path in quoted(names)} == {
        re.sub(r"{\w+}", "{}", path) for path in listed
    }
    for names, order, sorts, filters in said:
        path = re.findall(r"`([^`]+)`", names)[0]
        assert quoted(sorts) == SORTS[path], path
        assert (quoted(order) | quoted(filters)) - OF_EVERY_LIST == (
            _parameters(OPENAPI["paths"][path]["get"]) - OF_EVERY_LIST
        ), path


def test_every_status_of_the_api_is_documented() -> None:
    said = {int(status) for statuses, _ in rows("Errors") for status in statuses.split(", ")}
    answered = {
        int(status)
        for methods in OPENAPI["paths"].values()
        for operation in methods.values()
        for status in operation["responses"]
    }
    assert {status for status in answered if status >= 400} <= said


def test_every_code_on_the_page_exists() -> None:
    named = PAGE.split("Codes that a program may want to know:")[1].split("\n\n")[0]
    assert len(quoted(named)) > 5
    assert quoted(named) <= set(Code)


def test_no_row_stands_twice_and_no_item_is_cut_off() -> None:
    lines = PAGE.splitlines()
    # The first cell of a row, with the table that it is in.
    table, keys = 0, []
    for line in lines:
        table += not line.startswith("|")
        if line.startswith("| `"):
            keys.append((table, line.split(" | ")[0]))
    assert [key for key in keys if keys.count(key) > 1] == []
    before_items = [line for line, item in pairwise(lines) if item.startswith("- ") and line]
    assert [line for line in before_items if not line.rstrip("*`").endswith((".", ":", ")"))] == []
