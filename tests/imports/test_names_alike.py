"""Comparing names: which may be of the same person or product."""

import pytest

from application.imports.rows.similar_names import people_differ, products_differ


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # case, accents, order, particles
        ("María Pérez López", "MARIA PEREZ LOPEZ"),
        ("María Pérez López", "Pérez López, María"),
        ("José de la Cruz Peña", "De la Cruz Peña José"),
        ("José de la Cruz", "José Delacruz"),
        ("María José Ríos", "Mariajosé Ríos"),
        ("Ana García-López", "Ana García López"),
        ("Dr. Luis Vega", "Luis Vega"),
        ("Peña Núñez, Íñigo", "Inigo Pena Nunez"),
        # parts that one of the names leaves out
        ("María Pérez", "María José Pérez López"),
        ("Juan Carlos Gómez", "Juan Gómez"),
        ("Pérez", "Ana Pérez"),
        ("", "Ana Pérez"),
        # abbreviations
        ("Ma. del Carmen Soto", "María del Carmen Soto"),
        ("Mª Elena Ruiz", "María Elena Ruiz"),
        ("Ma Elena Ruiz", "María Elena Ruiz"),
        ("J. Pérez", "Juan Pérez"),
        ("J. Pérez", "Pérez Gil, Juan"),
        ("Juan C. Pérez", "Juan Carlos Pérez"),
        ("Fco. Javier Gil", "Francisco Javier Gil"),
        ("Gpe. Hdz. Ruiz", "Guadalupe Hernández Ruiz"),
        ("Alej. Mtz", "Alejandro Martínez"),
        ("Luis Glez Rdz", "Luis González Rodríguez"),
        ("Hernandez Lopez Fran", "Francisco Hernández López"),
        # spelling
        ("Ximena Vásquez", "Jimena Vázquez"),
        ("Jhon Gonsales", "John González"),
        ("Cristina Gimenez", "Kristina Jiménez"),
        ("Martha Ernandes", "Marta Hernández"),
        ("Rodrigez Garsia Luis", "Luis Rodríguez García"),
        ("Guillermo Ibañes", "Guilermo Ibáñez"),
        ("Ana Belén Motnenegro", "Ana Belén Montenegro"),
        ("Yáñez Bryan", "Yanes Brian"),
        ("RN de Ana Pérez", "Recién nacido de Ana Pérez"),
    ],
)
def test_names_of_one_person_do_not_differ(one: str, other: str) -> None:
    assert not people_differ(one, other)
    assert not people_differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("María Pérez", "María López"),
        ("María Pérez López", "María Pérez Soto"),
        ("Juan Pérez", "Luis Pérez"),
        ("J. Pérez", "María Pérez"),
        ("Ma. Pérez", "Juan Pérez"),
        ("Juan C. Pérez", "Juan Luis Pérez"),
        ("Ana María Pérez", "María Pérez López"),
        ("Ana Ruiz", "Andrea Ruiz"),
        ("Eva Soto", "Elvira Soto"),
        ("Rosa Gil", "Rosario Gil"),
        ("Luis Gil", "Luisa Gil"),
        ("Mario Gil", "María Gil"),
        ("Andrés Gil", "Andrea Gil"),
        ("Víctor Gil", "Victoria Gil"),
        ("José Gil", "Josué Gil"),
        ("Ana Martín", "Ana Mora"),
        ("Luz Mora", "Luz Morales"),
        ("Eva Hernández", "Eva Fernández"),
        ("María Pérez de Gómez", "María Pérez López"),
        ("RN Pérez Ana", "Ana Pérez"),
        ("Hijo de Ana Pérez", "Ana Pérez"),
        ("Gemelo 1 de Ana Pérez", "Gemelo 2 de Ana Pérez"),
        ("Juan Pérez", "Juan Pérez Jr."),
        ("Wei Chen", "Li Chen"),
    ],
)
def test_names_of_two_people_differ(one: str, other: str) -> None:
    assert people_differ(one, other)
    assert people_differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gasa estéril", "GASA ESTERIL"),
        ("Gasa estéril", "Gasa"),
        ("Gasa estéril 10x10 cm", "GASA EST. 10 X 10"),
        ("Gasa 10×10", "Gasa estéril 10 x 10cm"),
        ("Jeringa 10 ml", "JERINGA DESECHABLE 10ML S/AGUJA"),
        ("Jeringa 10 ml", "Jeringa 10 cc"),
        ("Jeringa 10 ml", "Jeringa desechable 10"),
        ("JGA 5 ML", "Jeringa 5 ml"),
        ("Suero fisiológico 0,9 % 1 L", "SUERO FISIOLOGICO 0.9% 1000 ml"),
        ("Cloruro de sodio 1,000 ml", "Cloruro de sodio 1000 ml"),
        ("Ceftriaxona 1 g amp.", "CEFTRIAXONA 1000 MG AMPULA"),
        ("Sonda Foley Nº 14", "Sonda Foley 14 Fr"),
        ("Catéter 20G", "CATETER 20 GA"),
        ("Guantes de látex talla M", "Guante látex mediano"),
        ("Venda elástica 4\"", "Venda elastica 4 pulg."),
        ("Sutura nylon 3-0", "Sutura Nylon 3/0"),
        ("Tubo endotraqueal c/ globo", "Tubo endotraqueal con globo"),
        ("Jeringa sin aguja", "JERINGA S/AGUJA"),
        ("Apósito", "Apositos transparentes"),
        ("Soluc. Hartmann", "Solución Hartman"),
        ("STRL GAUZE SPONGE", "Sterile gauze sponge 4x4"),
        ("Guante libre de polvo", "Guante sin polvo"),
        ("Aguja hipodérmica 21G x 1 1/2", "AGUJA HIPODERMICA 21 G X 1 1/2\""),
        ("Paracetamol 500 mg tab", "PARACETAMOL TABLETAS 500MG C/20"),
    ],
)  # fmt: skip
def test_names_of_one_product_do_not_differ(one: str, other: str) -> None:
    assert not products_differ(one, other)
    assert not products_differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gasa estéril", "Sonda Foley"),
        ("Gasa estéril", "Gasa no estéril"),
        ("Jeringa 5 ml", "Jeringa 10 ml"),
        ("Jeringa 10 ml", "Jeringa 10 mg"),
        ("Jeringa con aguja", "Jeringa sin aguja"),
        ("Sonda Foley 14", "Sonda Foley 16"),
        ("Sonda Foley 14", "Sonda nasogástrica 14"),
        ("Guante talla M", "Guante talla G"),
        ("Prednisona 5 mg", "Prednisolona 5 mg"),
        ("Cefalexina", "Cefalotina"),
        ("Dopamina", "Dobutamina"),
        ("Vitamina C", "Vitamina complejo B"),
        ("Ceftriaxona 1 g", "Ceftriaxona 500 mg"),
        ("Suero glucosado 5 %", "Suero glucosado 10 %"),
        ("Guante látex", "Latex free guante"),
        ("Sutura 3-0", "Sutura 4-0"),
        ("Etanol", "Metanol"),
    ],
)
def test_names_of_two_products_differ(one: str, other: str) -> None:
    assert products_differ(one, other)
    assert products_differ(other, one)


def test_very_long_names_are_compared_quickly() -> None:
    assert people_differ("Ana " * 10_000 + "b", "Eva " * 10_000)
    assert products_differ("gasa1 " * 10_000, "venda2 " * 10_000)
