"""Recognize texts that may be a patient's, which are stored nowhere else."""

import re

from application.people.stores import PatientKeys
from domain.common.text import is_storable, person_words
from domain.people.patient import held_numbers, held_shapes, scanned_number

# The characters of Code 39, with lower case and the underscore. Wristbands separate their fields by others.
_CODE = re.compile(r"\*?[0-9A-Za-z./$%+_-]+\*?")
_NO_LETTERS = re.compile(r"[\W\d_]+")


def is_code(text: str) -> bool:
    """Return whether a text has only characters of product codes."""
    return _CODE.fullmatch(text) is not None


def may_be_a_patient(keys: PatientKeys, text: str, *, is_symbol: bool = False) -> bool:
    """Return whether a text may hold a patient's number or name.

    ``is_symbol`` means that the text is the code of a symbol for products. It may have the shape of a number, and names
    in it are chance.
    """
    if not is_storable(text):
        return True
    number = scanned_number(text) or ""
    if is_symbol:
        return keys.are_known([number])
    shapes = held_shapes(number)
    if (shapes and keys.have_shape(shapes)) or keys.are_known(held_numbers(number)):
        return True
    words = person_words(_NO_LETTERS.sub(" ", text))
    return bool(words) and keys.is_name(words)
