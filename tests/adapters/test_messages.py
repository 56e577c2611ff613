"""Texts of the server: complete and consistent in every language."""

import ast
import dataclasses
import importlib
import json
import re
import string
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from adapters.i18n import messages
from adapters.i18n.catalogue import LANGUAGES, catalogue
from application.common.draft import Draft
from application.common.entities import ENTITIES
from application.imports.reading.columns import FIELD_SETS
from application.imports.reading.matching import REASONS_COLUMNS
from domain.common.errors import Code, Reason
from domain.common.policy import Limit

ROOT = Path(__file__).parents[2]
FILES = [file for ring in ("domain", "application", "adapters") for file in sorted((ROOT / ring).rglob("*.py"))]
EACH = pytest.mark.parametrize("language", LANGUAGES)


class Refusing(NamedTuple):
    """A call that creates a refusal: code, literal field, and parameters."""

    place: str
    code: str
    field: str | None
    names_a_field: bool
    params: set[str]


@cache
def calls_by_name() -> dict[str, list[tuple[Path, ast.Call]]]:
    """Every call in the source by name; cached, because it reads all files."""
    found: dict[str, list[tuple[Path, ast.Call]]] = {}
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call):
                name = str(getattr(node.func, "attr", None) or getattr(node.func, "id", ""))
                found.setdefault(name, []).append((file, node))
    return found


def calls(name: str) -> list[tuple[Path, ast.Call]]:
    """Every call of a function or method with that name."""
    return calls_by_name().get(name, [])


def refusing() -> Iterator[Refusing]:
    # A refusal of a cell has the cell's column as its field, and its value.
    of_cells = ("InvalidValue", "_warning")
    for file, call in chain(*map(calls, ("add_error", "Reason", "refusal", "warn", "AmbiguousValue", *of_cells))):
        code, field, reported = (*call.args, None, None, None)[:3]
        name = getattr(call.func, "id", None)
        if name == "AmbiguousValue":
            _, code, reported = call.args
            field = None
        if isinstance(code, ast.Attribute) and getattr(code.value, "id", None) == "Code":
            named = {word.arg: word.value for word in call.keywords}
            reported = named.pop("params", reported)
            keys = (
                [key for key in reported.keys if isinstance(key, ast.Constant)]
                if isinstance(reported, ast.Dict)
                else []
            )
            yield Refusing(
                place=f"{file.relative_to(ROOT)}:{call.lineno}",
                code=Code[code.attr].value,
                field=str(field.value) if isinstance(field, ast.Constant) else None,
                names_a_field=field is not None or name in (*of_cells, "AmbiguousValue"),
                params={str(key.value) for key in keys}
                | {str(word) for word in named}
                | ({"value"} if name in ("_warning", "AmbiguousValue") else set()),
            )


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def drafts() -> Iterator[type]:
    for file in sorted((ROOT / "application").rglob("*.py")):
        module = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
        for thing in vars(module).values():
            if isinstance(thing, type) and dataclasses.is_dataclass(thing) and issubclass(thing, Draft):
                yield thing


@EACH
def test_every_language_has_the_same_keys(language: str) -> None:
    keys, of_default = (
        {part: set(entries) for part, entries in catalogue(one).items()} for one in (language, LANGUAGES[0])
    )
    assert keys == of_default


@EACH
def test_the_formats_of_a_language_are_complete(language: str) -> None:
    found = catalogue(language)["formats"]
    assert len(found["months"].split()) == 12
    assert len(found["weekdays"].split()) == 7
    assert found["decimal_mark"] in (",", ".")
    assert placeholders(found["day"]) == {"day", "month", "year"}
    assert placeholders(found["day_of_month"]) == {"day", "month"}
    assert placeholders(found["weekday"]) == {"day", "weekday"}


@EACH
def test_no_key_is_defined_twice(language: str) -> None:
    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys))
        return dict(pairs)

    json.loads((ROOT / "adapters" / "i18n" / f"{language}.json").read_text("utf-8"), object_pairs_hook=unique_keys)


@EACH
def test_every_refusal_has_a_text_and_no_others_have(language: str) -> None:
    assert set(catalogue(language)["refusals"]) == {code.value for code in Code}


@EACH
def test_every_problem_has_a_text_and_no_others_have(language: str) -> None:
    said = {argument.value for _, call in chain(calls("_problem"), calls("problem")) for argument in call.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)}  # fmt: skip
    denials = {"forbidden", "only_for_keys", *(limit.value for limit in Limit)}
    assert set(catalogue(language)["problems"]) == (said | denials) - set(LANGUAGES)


@EACH
def test_every_search_refusal_has_a_text_and_no_others_have(language: str) -> None:
    said = {argument.value for _, call in calls("BadSearch") for one in call.args for argument in ast.walk(one)
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)}  # fmt: skip
    assert set(catalogue(language)["searches"]) == said


def test_refusals_are_found_in_the_source() -> None:
    """Proves that the tests below check something."""
    assert {found.code for found in refusing()} >= {"required", "taken", "sheet.closed", "money.too_large"}
    assert len(list(refusing())) > 40


@EACH
def test_every_refusal_provides_the_placeholders_of_its_text(language: str) -> None:
    said = catalogue(language)["refusals"]
    wrong = []
    for found in refusing():
        reported = placeholders(said[found.code])
        if not reported - {"field"} <= found.params or ("field" in reported and not found.names_a_field):
            wrong.append(f"{found.place}: {said[found.code]!r} tells more than {found.code} is given")
    assert wrong == []


@EACH
def test_quoting_texts_use_the_value_and_known_placeholders(language: str) -> None:
    said = catalogue(language)
    for code, template in said["quoting"].items():
        assert "value" in placeholders(template)
        assert placeholders(template) - {"value", "field"} <= placeholders(said["refusals"].get(code, ""))
    assert set(said["quoting"]) - {"other"} <= set(said["refusals"])


@EACH
@pytest.mark.parametrize("code", Code)
def test_every_refusal_of_an_import_quotes_the_value(language: str, code: Code) -> None:
    template = catalogue(language)["refusals"][code]
    params: dict[str, object] = dict.fromkeys(placeholders(template) - {"field"}, 0)
    assert "«Zï-7»" in messages.refusal(language, Reason(code, "name", {**params, "value": "«Zï-7»"}))


@EACH
def test_every_language_has_the_same_placeholders(language: str) -> None:
    for part, texts in catalogue(LANGUAGES[0]).items():
        for code, template in texts.items():
            assert placeholders(template) == placeholders(catalogue(language)[part][code]), code


@EACH
def test_every_unique_field_has_a_noun(language: str) -> None:
    # A profile of another user has a refusal of its own.
    unique = {f"{kind.store}.{key}" for kind in ENTITIES for key in kind.unique} - {"users.staff_id"}
    # A service account's name is stored in the field for emails, and has its own noun.
    unique.add("service_accounts.name")
    assert set(catalogue(language)["unique"]) == unique


@EACH
def test_every_field_of_a_form_has_a_name(language: str) -> None:
    own = {field.name for field in dataclasses.fields(Draft)}
    filled_in = {field.name for draft in drafts() for field in dataclasses.fields(draft)} - own
    refused = {found.field for found in refusing() if found.field}
    assert len(filled_in) > 20
    assert filled_in | refused <= set(catalogue(language)["fields"])


@EACH
def test_findings_and_questions_about_files_have_texts(language: str) -> None:
    topics = "kind|encoding|separator|quotes|sheet|header|column|rows|decimal|dates|currency"
    code = re.compile(rf"(?:{topics})\.[a-z_0-9]+")
    files = [file for file in FILES if {"imports", "spreadsheets"} & set(file.relative_to(ROOT).parts)]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    constants = {str(node.value) for node in nodes if isinstance(node, ast.Constant)}
    written = {constant for constant in constants if code.fullmatch(constant)}
    # These codes of numbers and dates are computed.
    settled = {f"{what}.{how}" for what in ("decimal", "dates") for how in ("chosen", "told", "both", "unclear")}
    spoken = catalogue(language)
    assert written | settled == set(spoken["findings"]) | set(spoken["questions"])


@EACH
def test_every_field_of_an_import_has_a_name(language: str) -> None:
    names = {field.name for shape in FIELD_SETS.values() for field in shape.fields}
    assert names <= set(catalogue(language)["fields"])


@EACH
def test_the_column_of_reasons_is_recognised_when_reimported(language: str) -> None:
    assert messages.import_word(language, "reasons_column").casefold() in REASONS_COLUMNS


def test_no_text_contains_words_of_the_other_language() -> None:
    spanish, english = catalogue("es"), catalogue("en")
    english_words = re.compile(r"(?i)\b(the|is|are|of|to|and|or|in|on|with|must|not|enter|choose|fill|check|your)\b")
    spanish_words = re.compile(r"(?i)\b(el|la|los|las|de|del|que|en|un|una|con|su|elija|escriba|revise)\b|[áéíóúñ«»]")
    for part in ("refusals", "knowing", "quoting", "problems", "searches", "missing", "findings", "questions"):
        for code, template in spanish[part].items():
            assert template != english[part][code], code
            assert not english_words.search(re.sub("{.*?}", "", template)), template
            assert not spanish_words.search(re.sub("{.*?}", "", english[part][code])), english[part][code]
    same = {name for name, label in spanish["fields"].items() if label == english["fields"][name]}
    assert same == {"gtin", "kit_id", "pin", "total"}


@EACH
def test_every_text_is_a_sentence(language: str) -> None:
    for part in ("refusals", "knowing", "quoting", "problems", "missing", "findings", "questions"):
        for code, template in catalogue(language)[part].items():
            assert template.lstrip("¿")[0].isupper() or template.startswith(("«{", "“{", "{quantity}")), code
            assert template.strip() == template, code
            # The reason of a recall is a sentence of its own.
            ends = template.endswith((".", "…", "?", ": {reason}"))
            assert ends or code in ("bad_credentials", "malformed_search"), code
    for name, label in catalogue(language)["fields"].items():
        assert label[0].isupper(), name
        assert label.strip(" .:") == label, name


def test_numbers_in_sentences_are_formatted() -> None:
    reason = Reason(Code.MONEY_TOO_LARGE, "total", {"most": Decimal("999999999999.99")})
    assert messages.refusal("es", reason) == "Reduzca «Total»: el importe máximo es 999.999.999.999,99."
    assert messages.refusal("en", reason) == "Reduce “Total”: the maximum amount is 999,999,999,999.99."


@EACH
def test_texts_for_known_parameters_belong_to_a_refusal(language: str) -> None:
    said = catalogue(language)
    for name, template in said["knowing"].items():
        code, _, param = name.rpartition(".")
        shown = placeholders(template)
        if "counted" in shown:
            shown |= {"quantity", "product"}
        # An area is an id here, and only says of which kind the sheet is.
        if param == "area":
            continue
        assert param in shown
        assert set(placeholders(said["refusals"][code])) - {"counted"} <= shown


@pytest.mark.parametrize(
    ("known", "spanish", "english"),
    [
        ({}, "12 es mucho. ¿Es correcto?", "12 is a lot. Is that right?"),
        (
            {"usual_quantity": Decimal("0.500")},
            "12 es mucho: lo habitual es 0,5. ¿Es correcto?",
            "12 is a lot: usually 0.5. Is that right?",
        ),
        (
            {"total": Decimal("1200.50")},
            "Con 12, esta línea suma 1.200,50. ¿Es correcto?",
            "With 12, this line’s total is 1,200.50. Is that right?",
        ),
    ],
)
def test_the_question_about_a_quantity_names_what_is_known(
    known: dict[str, object], spanish: str, english: str
) -> None:
    reason = Reason(Code.QUANTITY_FAR_OUT, "quantity", {"quantity": Decimal("12.000"), **known})
    assert [messages.refusal(language, reason) for language in ("es", "en")] == [spanish, english]


def test_dates_in_sentences_are_formatted_as_on_the_screen() -> None:
    reason = Reason(Code.USED_BEFORE_ADMISSION, "created_at", {"day": date(2026, 9, 3), "admission": date(2026, 9, 5)})
    assert messages.refusal("es", reason) == (
        "Corrija «Fecha»: lo ocurrido el 3 sept 2026 es anterior al ingreso del 5 sept 2026."
    )
    assert messages.refusal("en", reason) == (
        "Correct “Date”: what happened on Sep 3, 2026 is before the admission of Sep 5, 2026."
    )


def test_braces_in_user_input_are_not_placeholders() -> None:
    reason = Reason(Code.TAKEN, "name", {"what": "areas.name", "value": "{field} {0} {nothing}"})
    assert messages.refusal("en", reason) == "There is already an area called “{field} {0} {nothing}”: change “Name”."


@pytest.mark.parametrize(("language", "words"), [("es", "Credenciales inválidas"), ("en", "Invalid credentials")])
def test_a_refused_sign_in_has_its_fixed_words(language: str, words: str) -> None:
    assert messages.problem(language, "bad_credentials") == words
