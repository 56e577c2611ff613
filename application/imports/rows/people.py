"""Find people by their names in files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from application.imports.reading.row import Row, quotable
from application.imports.rows.row_importer import ImportContext
from application.imports.rows.staged import StagedStore
from domain.common.errors import Code, Reason, Refused
from domain.common.text import fold_person, sort_name
from domain.people.surnames import place_surnames, without_second


class Person(Protocol):
    """A patient or a staff member."""

    name: str
    first_surname: str
    second_surname: str | None


Someone = TypeVar("Someone", bound=Person)
Found = TypeVar("Found")

_MAX_WORDS = 8
# The fields with people's names in files.
CALLED = ("name", "first_surname", "second_surname", "full_name")


def parts_of(
    row: Row, name: str = "name", first: str = "first_surname", second: str = "second_surname"
) -> dict[str, str]:
    """Return name and surnames of a row.

    They may be in columns of their own or in one, as ``Ríos Vega, Ana``. Raise ``Refused`` for a full name without a
    comma, because it is unclear where the surnames begin.
    """
    parts = {"name": row.text(name), "first_surname": row.text(first), "second_surname": row.text(second)}
    full_name = row.text("full_name")
    if full_name and not (parts["name"] and parts["first_surname"]):
        surnames, comma, names = (part.strip() for part in full_name.partition(","))
        if not (comma and surnames and names):
            raise Refused(Reason(Code.FULL_NAME_UNCLEAR, "full_name", {"value": full_name}))
        parts |= {"name": names, "first_surname": surnames, "second_surname": ""}
    return parts


def names_told(context: ImportContext, row: Row, names: Mapping[str, str], known: Person | None) -> dict[str, str]:
    """Return the names of a row, with each surname in its field.

    A list may have both surnames in one place. If it is unclear where the known second surname is, the known ones stay,
    with a warning.
    """
    told = {name: text for name, text in names.items() if text}
    first, second = told.get("first_surname"), told.get("second_surname")
    if known is None or not known.second_surname or not first:
        return told
    if second:
        is_repeated = fold_person(second) == fold_person(known.second_surname)
        return told | {"first_surname": without_second(first, second) if is_repeated else first}
    placed = place_surnames(first, known.first_surname, known.second_surname)
    if placed is None:
        field = "first_surname" if row.text("first_surname") else "full_name"
        its = f"{known.first_surname} {known.second_surname}"
        context.warn(Code.SURNAMES_TOGETHER, field, value=quotable(first), known=quotable(its))
        placed = known.first_surname, known.second_surname
    return told | {"first_surname": placed[0], "second_surname": placed[1] or ""}


def sorted_name(parts: Mapping[str, str]) -> str:
    """Return the key by which a person with these names is found."""
    return sort_name(parts["name"], parts["first_surname"], parts["second_surname"])


def full_names(text: str) -> list[str]:
    """Return the possible keys of a full name, for each place of the surnames."""
    words = fold_person(text).split()[:_MAX_WORDS]
    return [" ".join([*words[start:], *words[:start]]) for start in range(len(words))]


def find_by_name(store: StagedStore[Someone], text: str) -> Iterator[Someone]:
    """Yield all people with that name, given name or surnames first."""
    words = fold_person(text)
    for sort_key in dict.fromkeys(full_names(text)):
        for person in store.find_many("full_name", sort_key):
            surnames = f"{person.first_surname} {person.second_surname or ''}"
            if words in (fold_person(f"{person.name} {surnames}"), fold_person(f"{surnames} {person.name}")):
                yield person


def single_match(found: list[Found], field: str, value: str) -> Found | None:
    """Return the only match, or None. Raise ``Refused`` for several."""
    if len(found) > 1:
        raise Refused(Reason(Code.AMBIGUOUS, field, {"value": value, "count": len(found)}))
    return found[0] if found else None


def name_in_row(row: Row, called: Sequence[str]) -> str:
    """Return a person's name in a row, joined from these columns."""
    return " ".join(filter(None, map(row.text, called)))


def sorted_name_told(row: Row) -> str | None:
    """Return the key of the person in a row, or None if it is unclear."""
    try:
        return sorted_name(parts_of(row))
    except Refused:
        return None
