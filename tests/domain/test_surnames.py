"""The surnames of a person in lists and messages that have both in one place."""

import pytest

from domain.people.surnames import place_surnames, without_second


@pytest.mark.parametrize(
    ("told", "known", "placed"),
    [
        ("Toral Vives", ("Toral", "Vives"), ("Toral", "Vives")),
        ("TORAL VIVES", ("Toral", "Vives"), ("TORAL", "Vives")),
        ("Peña-Núñez", ("Peña", "Núñez"), ("Peña", "Núñez")),
        ("Pena – Nunez", ("Peña", "Núñez"), ("Pena", "Núñez")),
        ("de la Paz Íñigo", ("de la Paz", "Íñigo"), ("de la Paz", "Íñigo")),
        ("Paz de la Cruz", ("Paz", "de la Cruz"), ("Paz", "de la Cruz")),
        ("García-Lopera O’Donnell", ("García-Lopera", "O'Donnell"), ("García-Lopera", "O'Donnell")),
        ("Peña-Núñez Gil-Ros", ("Peña-Núñez", "Gil-Ros"), ("Peña-Núñez", "Gil-Ros")),
        ("Ramón y Cajal", ("Ramón", "Cajal"), ("Ramón", "Cajal")),
        ("García García", ("García", "García"), ("García", "García")),
        ("Toral", ("Toral", "Vives"), ("Toral", "Vives")),
        ("García-Lopera", ("García-Lopera", "Sol"), ("García-Lopera", "Sol")),
        ("Rivas", ("Toral", "Vives"), ("Rivas", "Vives")),
        ("Rivas Vives", ("Toral", "Vives"), ("Rivas", "Vives")),
        ("Toral Vives", ("Toral", None), ("Toral Vives", None)),
        ("Toral Rivas", ("Toral", "Vives"), None),
        ("Toral-Rivas", ("Toral", "Vives"), None),
        ("Domínguez de Falcó", ("Domínguez", "Falcó"), None),
    ],
)
def test_a_known_second_surname_is_not_stored_twice(
    told: str, known: tuple[str, str | None], placed: tuple[str, str | None] | None
) -> None:
    assert place_surnames(told, *known) == placed


def test_a_particle_belongs_to_the_surname_that_follows() -> None:
    assert without_second("Cruz de la Rosa", "Rosa") == "Cruz de la Rosa"
    assert without_second("Cruz de la Rosa", "de la Rosa") == "Cruz"
