"""Search for people and rooms in SQL.

The conditions are equivalent to those in ``domain.people.people_search``.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, literal, literal_column, or_

from adapters.sql.catalogue.tables import rooms
from adapters.sql.engine.in_array import is_one_of
from adapters.sql.engine.lists import MAX_WORDS, escape_like
from adapters.sql.people.tables import patients
from adapters.sql.sheets.tables import sheets
from domain.common.text import fold_code
from domain.people.patient import KEPT_SEPARATORS
from domain.people.people_search import ROOM_SEPARATORS, PeopleSearch, has_digit, has_letter


@dataclass(frozen=True)
class TextShape:
    """Shape of a text, which determines its conditions.

    ``kinds``: whether each word has a digit, and also a letter.
    """

    kinds: tuple[tuple[bool, bool], ...]
    has_code: bool
    has_room: bool
    has_digit: bool
    is_number_prefix: bool


@dataclass(frozen=True)
class PeopleTiers:
    """Ranked conditions for people or sheets, by ``people_search.Rank``."""

    had_number: Any
    of_sheets: bool = False

    def ask(self, text: str) -> tuple[TextShape, dict[str, Any]]:
        """Return the shape of a text, and the parameters of its conditions."""
        search = PeopleSearch(text)
        words = search.words[:MAX_WORDS]
        shape = TextShape(
            kinds=tuple((has_digit(word), has_letter(word)) for word in words),
            has_code=bool(search.code),
            has_room=bool(search.room),
            has_digit=has_digit(search.key),
            is_number_prefix=search.is_number_prefix,
        )
        key, code = escape_like(search.key), escape_like(search.code)
        values: dict[str, Any] = {
            "exactly": search.key,
            "room_key": search.room,
            "ends_with_code": f"% {code}",
            "beginning": f"{escape_like(' '.join(search.words))}%",
            "room_beginning": f"{escape_like(search.folded)}%",
            "number_beginning": f"{key}%",
            "code_beginning": f"% {code}%",
            **_ends("exactly", key),
        }
        for number, word in enumerate(words):
            safe = escape_like(word)
            values |= {
                f"word{number}": f"%{safe}%",
                f"room_word{number}": f"% {safe}%",
                f"whole{number}": word,
                f"begins{number}": f"{safe}%",
                f"code_begins{number}": f"% {escape_like(fold_code(word))}%",
                **_ends(f"whole{number}", safe),
            }
        return shape, values

    def conditions(self, shape: TextShape) -> list[ColumnElement[bool]]:
        """Return the conditions for a shape, best rank first."""
        is_number = [patients.c.record_key == bindparam("exactly"), is_one_of(patients.c.id, self.had_number)]
        if shape.has_code:
            has_code = patients.c.search_folded.like(bindparam("ends_with_code"), escape="\\")
            is_number.append(and_(patients.c.record_key.is_not(None), has_code))
        begins = [
            column.like(bindparam("beginning"), escape="\\")
            for column in (patients.c.search_folded, patients.c.sort_folded)
        ]
        words = [self._is_word(number, *kind) for number, kind in enumerate(shape.kinds)]
        tiers: list[ColumnElement[bool]] = []
        if self.of_sheets:
            if shape.has_room:
                tiers.append(_room_key() == bindparam("room_key"))
            visit_number = func.replace(func.lower(sheets.c.visit_number), literal_column("' '"), literal_column("''"))
            is_number.append(visit_number == bindparam("exactly"))
            begins.append(rooms.c.name_folded.like(bindparam("room_beginning"), escape="\\"))
        tiers.append(or_(*is_number))
        if shape.has_digit:
            tiers.append(_ends_number("exactly"))
        tiers += [or_(*begins), and_(*words)]
        if shape.is_number_prefix:
            tiers.append(_begins_number("number_beginning", "code_beginning"))
        if self.of_sheets:
            mentioned = [
                or_(word, sheets.c.search_folded.like(bindparam(f"word{number}"), escape="\\"))
                for number, word in enumerate(words)
            ]
            tiers.append(and_(*mentioned))
        return tiers

    def _is_word(self, number: int, with_digit: bool, with_letter: bool) -> ColumnElement[bool]:
        names = patients.c.sort_folded if with_digit else patients.c.search_folded
        found: list[ColumnElement[bool]] = [names.like(bindparam(f"word{number}"), escape="\\")]
        if self.of_sheets:
            name = literal(" ").concat(func.replace(rooms.c.name_folded, literal_column("'-'"), literal_column("' '")))
            found.append(name.like(bindparam(f"room_word{number}"), escape="\\"))
        if with_digit:
            found.append(_ends_number(f"whole{number}"))
            if with_letter:
                found.append(_begins_number(f"begins{number}", f"code_begins{number}"))
        return or_(*found)


def _ends(name: str, safe: str) -> dict[str, str]:
    ends = {f"{name}_end{place}": f"%{escape_like(sign)}{safe}" for place, sign in enumerate(KEPT_SEPARATORS)}
    return {**ends, f"{name}_end": f"%{safe}", f"{name}_last": f"% {safe} %"}


def _ends_number(name: str) -> ColumnElement[bool]:
    ends = (
        patients.c.record_key.like(bindparam(f"{name}_end{place}"), escape="\\")
        for place in range(len(KEPT_SEPARATORS))
    )
    # The key has no blanks; the text that searches look in has the number as written, and the number without separators
    # behind it.
    is_last_word = and_(
        patients.c.record_key.like(bindparam(f"{name}_end"), escape="\\"),
        patients.c.search_folded.like(bindparam(f"{name}_last"), escape="\\"),
    )
    return or_(patients.c.record_key == bindparam(name), *ends, is_last_word)


def _begins_number(text: str, code: str) -> ColumnElement[bool]:
    return or_(
        patients.c.record_key.like(bindparam(text), escape="\\"),
        and_(patients.c.record_key.is_not(None), patients.c.search_folded.like(bindparam(code), escape="\\")),
    )


def _room_key() -> ColumnElement[Any]:
    key: ColumnElement[Any] = rooms.c.name_folded
    for sign in ROOM_SEPARATORS:
        key = func.replace(key, literal_column(f"'{sign}'"), literal_column("''"))
    return key
