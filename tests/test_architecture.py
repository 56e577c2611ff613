"""Import rules, the audit log, and price redaction, checked in the source."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, is_typeddict

import pytest

from application.common.redaction import redactor_of_view
from application.records import list_reader
from tests.builders import view_modules

ROOT = Path(__file__).parent.parent
ALLOWED = {"domain": {"domain"}, "application": {"application", "domain"}}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("ring", ALLOWED)
def test_domain_and_application_import_only_the_standard_library(ring: str) -> None:
    allowed = ALLOWED[ring] | sys.stdlib_module_names
    files = list((ROOT / ring).rglob("*.py"))
    strangers = {f"{file.relative_to(ROOT)}: {name}" for file in files for name in imported(file)
                 if name.partition(".")[0] not in allowed}  # fmt: skip
    assert files
    assert not strangers


# --- the audit log ----------------------------------------------------------------------------------------------------

# Modules that create entries. Stored ones are read by their mapping.
MAKE_ENTRIES = {"application/audit/audit_log.py", "application/imports/rows/staged.py"}


def test_audit_entries_are_created_in_one_place() -> None:
    making = {
        str(file.relative_to(ROOT))
        for ring in ("domain", "application", "adapters")
        for file in (ROOT / ring).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and root_of(node.func) == "AuditEntry"
    }
    assert making == MAKE_ENTRIES


# --- prices -----------------------------------------------------------------------------------------------------------


def is_record(kind: Any) -> bool:
    return is_typeddict(kind) or is_dataclass(kind) or hasattr(kind, "_fields")


def holds_a_price(view: Any) -> bool:
    """Whether a view has, at any depth, a field that must be redacted."""
    return is_typeddict(view) and redactor_of_view(view) is not None


# Audit entries leave by the list reader, and only the list of late entries has errors that may quote a price.
REDACTED_ELSEWHERE = {"AuditPage", "AuditView", "HistoryView", "LateEntryView", "NamedEntryView"}
# `Item` may be any view.
PRICED = {list_reader.Item.__name__} | {
    name
    for module in view_modules("views", "ports", "stores")
    for name, view in vars(module).items()
    if getattr(view, "__module__", "") == module.__name__
    and is_record(view)
    and holds_a_price(view)
    and name not in REDACTED_ELSEWHERE
}


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function of the use cases, with its file."""
    for file in (ROOT / "application").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef):
                yield str(file.relative_to(ROOT)), node


def root_of(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def called_in(node: ast.AST) -> set[str]:
    """Names of called functions, ignoring what is read from ports."""
    calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    ours = [call for call in calls if root_of(call) not in ("views", "work")]
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in ours}


def answers_of(function: ast.FunctionDef) -> list[ast.expr]:
    """Returned and yielded expressions; variables replaced by their values."""
    given = {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    answering = (node for node in ast.walk(function) if isinstance(node, ast.Return | ast.Yield))
    answers = [node.value for node in answering if node.value is not None]
    return [given.get(answer.id, answer) if isinstance(answer, ast.Name) else answer for answer in answers]


def passes(function: ast.FunctionDef, passing: set[str]) -> bool:
    """Whether every answer went through one of these functions."""
    answers = answers_of(function)
    return bool(answers) and all(passing & called_in(answer) for answer in answers)


def is_answer_with_prices(function: ast.FunctionDef) -> bool:
    """Whether a function returns to an actor a view that may hold a price."""
    returned = {node.id for node in ast.walk(function.returns or ast.Constant(None)) if isinstance(node, ast.Name)}
    public = function.name == "__call__" or not function.name.startswith("_")
    return public and bool(returned & PRICED) and "actor" in {argument.arg for argument in function.args.args}


def is_for_those_alone_who_see_prices(function: ast.FunctionDef) -> bool:
    """Whether it requires the permission to see prices."""
    return any("SEE_PRICES" in ast.unparse(one) for one in function.decorator_list if root_of(one) == "permitted")


def test_views_with_prices_are_redacted_or_need_the_permission() -> None:
    # Some functions return what another function has redacted already.
    passing, count = {"redact_for"}, 0
    while len(passing) > count:
        count = len(passing)
        passing |= {one.name for _, one in functions() if one.name != "__call__" and passes(one, passing)}
    answering = [(file, function) for file, function in functions() if is_answer_with_prices(function)]
    assert len(answering) > 10
    past = [
        f"{file}: {function.name}"
        for file, function in answering
        if not passes(function, passing) and not is_for_those_alone_who_see_prices(function)
    ]
    assert not past
