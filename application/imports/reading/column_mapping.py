"""Assign the columns of a file to fields."""

from collections.abc import Mapping, Sequence

from application.imports.reading.cells import RawRow, shown
from application.imports.reading.choice_words import in_use
from application.imports.reading.fields import Field, FieldSet, Kind, words_of
from application.imports.reading.header import Header
from application.imports.reading.matching import Match, MatchStrength, match_columns
from application.imports.reading.table import Choices, Detection, Question, listed
from domain.common.errors import Code, Reason, Refused

# A field is suggested for a column if at least this share of its cells match.
NEARLY_ALL = 0.95
# Pairs of fields for the code and the name of the same object, and the short names that columns with either may have.
_CODES_AND_NAMES = (("code", "name"), ("product_code", "product_name"))
_THINGS = frozenset(
    words_of(name) for name in ("material", "artículo", "producto", "insumo", "item", "product", "supply", "article")
)


def map_columns(
    header: Header,
    below: Sequence[RawRow],
    shape: FieldSet,
    choices: Choices,
    last_time: Mapping[str, str],
    findings: list[Detection],
    questions: list[Question],
) -> dict[str, int]:
    """Assign columns to fields.

    Choices of the user come first, then the mapping of the last import of such a file, then the names of the columns.
    """
    places = {name: index for index, name in enumerate(header.columns)}
    alike = {words_of(name): name for name in header.columns}
    last_time = {field: alike.get(words_of(name), "") for field, name in last_time.items()}
    unknown = [name for name in choices.mapping.values() if name and name not in places]
    if unknown:
        columns = listed(header.columns)
        raise Refused(Reason(Code.FILE_COLUMN_UNKNOWN, "column", {"value": listed(unknown), "columns": columns}))
    matches = match_columns(header.columns, shape) if header.line else {}
    matches = {name: match for name, match in matches.items() if _mentions(shape.field(name), match, below)}
    holds_codes = _take_codes_from_names(matches, header, below)
    mapping: dict[str, int] = {}
    for each in shape.fields:
        name = each.name
        if name in choices.mapping:
            if choices.mapping[name]:
                mapping[name] = places[choices.mapping[name]]
                findings.append(_column(name, choices.mapping[name], "column.chosen"))
        elif all(last_time.values()) and last_time:
            if name in last_time:
                mapping[name] = places[last_time[name]]
                findings.append(_column(name, last_time[name], "column.remembered"))
        elif name in matches:
            match = matches[name]
            options = tuple(header.columns[index] for index in match.columns)
            if len(options) > 1:
                questions.append(Question("column", "column.several", options, field=name))
            else:
                mapping[name] = match.columns[0]
                code = "column.called_so" if match.likeness is MatchStrength.EXACT else "column.called_alike"
                code = "column.holds_codes" if match.columns[0] == holds_codes else code
                findings.append(_column(name, options[0], code))
    asked = {question.field for question in questions}
    questions += [
        Question("column", "column.missing", header.columns, field=names[0], params={"fields": names})
        for names in shape.needs
        if not any(name in mapping or name in asked for name in names)
    ]
    return mapping


def _mentions(wanted: Field | None, match: Match, below: Sequence[RawRow]) -> bool:
    """Return whether the cells fit a fallback name.

    *Estado* may be a state such as active, or a province.
    """
    if wanted is None or wanted.kind is not Kind.YES_OR_NO or match.likeness is not MatchStrength.FALLBACK:
        return True
    return any(in_use(text) is not None for index in match.columns for text in _texts(below, index))


def _take_codes_from_names(matches: dict[str, Match], header: Header, below: Sequence[RawRow]) -> int | None:
    """Find a name column that holds codes, as *Material* does in SAP.

    If no other column has the codes, it becomes the code column and no longer the name column. Return its index.
    """
    for code, name in _CODES_AND_NAMES:
        called = matches.get(name)
        if called is None or code in matches:
            continue
        for index in called.columns:
            if words_of(header.columns[index]) in _THINGS and _are_codes(_texts(below, index)):
                matches[code] = Match((index,), called.likeness)
                others = tuple(other for other in called.columns if other != index)
                del matches[name]
                if others:
                    matches[name] = Match(others, called.likeness)
                return index
    return None


def _texts(rows: Sequence[RawRow], index: int) -> list[str]:
    return [text for row in rows if index < len(row.cells) and (text := shown(row.cells[index]))]


def _are_codes(texts: Sequence[str]) -> bool:
    alike = sum(1 for text in texts if len(text.split()) == 1 and any(map(str.isdigit, text)))
    return bool(texts) and alike >= NEARLY_ALL * len(texts)


def _column(field_name: str, column: str, code: str) -> Detection:
    return Detection(f"column.{field_name}", column, code, {"column": column})
