"""Password strength, as judged for new passwords."""

import random

import pytest

from adapters.demo import PASSWORD as DEMONSTRATION_PASSWORD
from adapters.hospital.current_hospital import CurrentHospital
from adapters.security.password_judge import JUDGED_LENGTH
from adapters.wiring.accounts import make_password_checker
from domain.accounts.password import LONGEST, MIN_SCORE
from domain.common.errors import Code
from domain.hospital.settings import from_letterhead

JUDGE = make_password_checker(CurrentHospital(from_letterhead(("Hospital San José", "Av. Amazonas 123"))))
ABOUT = ["lucia.paz@correo.test", "Lucía", "Paz", "Rivadeneira"]


@pytest.mark.parametrize(
    ("password", "weakness"),
    [
        (" " * 12, Code.PASSWORD_FEW_WORDS),
        ("aaaaaaaaaaaaa", Code.PASSWORD_REPEATS),
        ("x1" * 64, Code.PASSWORD_REPEATS),
        ("abcdefghijkl", Code.PASSWORD_SEQUENCE),
        ("qwertyuiop[]", Code.PASSWORD_SEQUENCE),
        ("12/03/1985 a", Code.PASSWORD_DATE),
        ("password1234", Code.PASSWORD_COMMON),
        ("1qaz2wsx3edc", Code.PASSWORD_COMMON),
        (DEMONSTRATION_PASSWORD, Code.PASSWORD_COMMON),
        (DEMONSTRATION_PASSWORD.upper(), Code.PASSWORD_COMMON),
        (DEMONSTRATION_PASSWORD.replace("-", " "), Code.PASSWORD_COMMON),
        # Spanish words, with and without accents.
        ("contraseña123", Code.PASSWORD_FEW_WORDS),
        ("enfermería1234", Code.PASSWORD_FEW_WORDS),
        ("administradora", Code.PASSWORD_FEW_WORDS),
        # Data of the user and the hospital.
        ("lucia.paz@correo.test", Code.PASSWORD_PERSONAL),
        ("LUCIA.PAZ@CORREO.TEST", Code.PASSWORD_PERSONAL),
        ("Lucía Rivadeneira", Code.PASSWORD_PERSONAL),
        ("luciapaz2026", Code.PASSWORD_PERSONAL),
        ("Lucía Paz 2026", Code.PASSWORD_PERSONAL),
        ("lucia.paz_2026", Code.PASSWORD_PERSONAL),
        ("rivadeneira1", Code.PASSWORD_PERSONAL),
        ("Hospital San José", Code.PASSWORD_PERSONAL),
        ("hospitalsanjose1", Code.PASSWORD_PERSONAL),
    ],
)
def test_a_weak_password_has_a_reason(password: str, weakness: Code) -> None:
    judgement = JUDGE.judge(password, ABOUT)
    assert judgement.weakness is weakness
    assert judgement.score < MIN_SCORE


@pytest.mark.parametrize(
    "password",
    [
        "tres gasas y una venda",
        "  cuatro vendas y un termómetro ñ  ",
        "aceite de ricino 7",
        "Xk2!mQ9z#Lp0",
        "correct horse battery staple",
    ],
)
def test_unrelated_words_and_random_characters_are_strong(password: str) -> None:
    judgement = JUDGE.judge(password, ABOUT)
    assert judgement.weakness is None
    assert judgement.score >= MIN_SCORE


def test_personal_data_weakens_only_the_own_password() -> None:
    assert JUDGE.judge("Lucía Rivadeneira", ABOUT).weakness is Code.PASSWORD_PERSONAL
    assert JUDGE.judge("Lucía Rivadeneira", ["ana@correo.test"]).weakness is None


def test_only_the_beginning_of_a_long_password_is_judged() -> None:
    """The cost of judging grows faster than the length."""
    chance = random.Random(7)
    strong = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=JUDGED_LENGTH))
    assert JUDGE.judge(strong + "a" * (LONGEST - JUDGED_LENGTH), []) == JUDGE.judge(strong, [])
    assert JUDGE.judge("a" * JUDGED_LENGTH + strong, []).weakness is Code.PASSWORD_REPEATS
