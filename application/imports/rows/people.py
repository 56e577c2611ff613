"""How people are known again by what files call them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from application.imports.reading.rows import Row
from application.imports.staged import StagedStore
from domain.errors import Code, Reason, Refused
from domain.text import fold_person, sort_name


class Person(Protocol):
    """A patient or a staff member."""

    name: str
    first_surname: str
    second_surname: str | None


Someone = TypeVar("Someone", bound=Person)
Found = TypeVar("Found")

_MOST_WORDS = 8
# What people are called in files.
CALLED = ("name", "first_surname", "second_surname", "full_name")


def parts_of(
    row: Row, name: str = "name", first: str = "first_surname", second: str = "second_surname"
) -> dict[str, str]:
    """Name and surnames that a row tells, in columns of their own or as ``Ríos Vega, Ana`` in one.

    Raise ``Refused`` for a full name of which nobody can tell where the surnames begin.
    """
    told = {"name": row.text(name), "first_surname": row.text(first), "second_surname": row.text(second)}
    full_name = row.text("full_name")
    if full_name and not (told["name"] and told["first_surname"]):
        surnames, comma, names = (part.strip() for part in full_name.partition(","))
        if not (comma and surnames and names):
            raise Refused(Reason(Code.FULL_NAME_UNCLEAR, "full_name", {"value": full_name}))
        told |= {"name": names, "first_surname": surnames, "second_surname": ""}
    return told


def sorted_name(told: Mapping[str, str]) -> str:
    """By what a person with these names is found."""
    return sort_name(told["name"], told["first_surname"], told["second_surname"])


def full_names(text: str) -> list[str]:
    """By what a person may be found who is called so, wherever the surnames begin."""
    words = fold_person(text).split()[:_MOST_WORDS]
    return [" ".join([*words[start:], *words[:start]]) for start in range(len(words))]


def called(store: StagedStore[Someone], text: str) -> Iterator[Someone]:
    """Everybody who is called so, with the name first or the surnames first."""
    words = fold_person(text)
    for sort_key in dict.fromkeys(full_names(text)):
        for person in store.having("full_name", sort_key):
            surnames = f"{person.first_surname} {person.second_surname or ''}"
            if words in (fold_person(f"{person.name} {surnames}"), fold_person(f"{surnames} {person.name}")):
                yield person


def only(found: list[Found], field: str, value: str) -> Found | None:
    """The one that was found; None where there is none. Raise ``Refused`` where there are several."""
    if len(found) > 1:
        raise Refused(Reason(Code.AMBIGUOUS, field, {"value": value, "count": len(found)}))
    return found[0] if found else None


def name_in_row(row: Row, called: Sequence[str]) -> str:
    """What a row calls a person, in the columns of that name."""
    return " ".join(filter(None, map(row.text, called)))


def sorted_name_told(row: Row) -> str | None:
    """By what the person is found whom a row names; None where nobody can tell."""
    try:
        return sorted_name(parts_of(row))
    except Refused:
        return None
