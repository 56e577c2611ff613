"""Invented patients with Latin American names."""

import random
from datetime import date, timedelta
from typing import NamedTuple

_WOMEN = ("Ana Lucía", "Beatriz", "Camila", "Dolores", "Guadalupe", "Inés", "Rocío", "Sofía", "Valentina", "Ximena")
_MEN = ("Andrés", "Benjamín", "Emiliano", "Hernán", "Íñigo", "Joaquín", "José Ángel", "Martín", "Ramón", "Tomás")
_SURNAMES = (
    "Acuña", "Bermúdez", "Caicedo", "Echeverría", "Farías", "Gutiérrez", "Ibáñez", "Jiménez", "Lacayo", "Muñoz",
    "Núñez", "Ordóñez", "Peña", "Quispe", "Ríos", "Solís", "Toledo", "Urrutia", "Villagrán", "Zúñiga",
)  # fmt: skip
_FIRST_BIRTHDAY, _BIRTHDAYS = date(1936, 1, 1), 30_000
DOCTORS = ("D7^Vega^Luz", "D9^Rosales^Iván", "D12^Estévez^Marta")
DIAGNOSES = ("Neumonía", "Apendicitis aguda", "Fractura de fémur", "Deshidratación", "Cólico renal")


class Patient(NamedTuple):
    """A patient who does not exist."""

    record_number: str
    # PID-5 and PID-6.
    name: str
    second_surname: str
    born: str
    sex: str


def invent_patient(seed: int, number: int) -> Patient:
    """Return the same patient for the same seed and number."""
    chance = random.Random(f"{seed}-{number}")  # noqa: S311 - repeatable names, no secret
    sex = chance.choice("FM")
    given = chance.choice(_WOMEN if sex == "F" else _MEN)
    first, second = chance.sample(_SURNAMES, 2)
    born = _FIRST_BIRTHDAY + timedelta(days=chance.randrange(_BIRTHDAYS))
    return Patient(f"SIM-{number:04}", f"{first}^{given}", second, f"{born:%Y%m%d}", sex)
