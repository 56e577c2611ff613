"""Spanish texts: punctuation, formal address, and prescribed texts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = {name: ROOT / name for name in ("ui/src/i18n/es.json", "ui/src/i18n/later/es.json", "adapters/i18n/es.json")}

# Texts prescribed by the hospital, word for word.
GIVEN = {
    "areas.delete.question": "Eliminar Área?",
    "details.areaPlaceholder": "Seleccione una opción...",
    "details.delete.question": "Desea Borrar el detalle de consumo?",
    "details.noAreas": "No se encontraron áreas...",
    "patients.delete.question": "Eliminar Paciente?",
    "products.delete.question": "Eliminar Producto?",
    "select.none": "No se encontraron elementos.",
    "select.placeholder": "Selecciona un elemento de la lista",
    "select.wait": "Espera mientras se obtienen los elementos",
    "sheets.close.question": "Finalizar hoja de consumo?",
    "sheets.delete.question": "Eliminar PERMANENTEMENTE la hoja de consumo?",
    "users.delete.question": "Eliminar Usuario?",
}

# Informal address: users must be addressed as usted.
INTIMATE = re.compile(
    r"""(?ix)
    \b(tú | tus? | ti | te | contigo | tuy[oa]s? | eres | estás | has | puedes | debes | quieres | tienes | verás
        | podrás | necesitas | deseas | olvidaste)\b
    # Elsewhere in a sentence the same word may describe what another person does.
    | (?:^ | [.:;?!]\s) (agrega | anota | avisa | borra | busca | cierra | comprueba | confirma | corrige
        | crea | deja | divide | elige | elimina | envía | escribe | espera | guarda | haz | ingresa | inicia
        | intenta | llena | mira | muestra | pide | pon | prueba(?!\ del\b) | quita | recarga | registra | repite
        | revisa | selecciona | usa | ve | vuelve) (l[aeo]s?)?\b
    """
)


def messages() -> Iterator[tuple[str, str]]:
    """Every Spanish text with its key."""

    def within(name: str, words: dict[str, object]) -> Iterator[tuple[str, str]]:
        for key, word in words.items():
            if isinstance(word, dict):
                yield from within(f"{name}{key}.", word)
            else:
                yield f"{name}{key}", str(word)

    for file in FILES.values():
        yield from within("", json.loads(file.read_text("utf-8")))


OURS = [(key, text) for key, text in messages() if GIVEN.get(key) != text]


def test_prescribed_texts_are_unchanged() -> None:
    assert {key: text for key, text in messages() if key in GIVEN} == GIVEN


@pytest.mark.parametrize(("opening", "closing"), ["¿?", "¡!", "«»", "()"])
def test_punctuation_marks_are_paired(opening: str, closing: str) -> None:
    assert len(OURS) > 900
    assert {key: text for key, text in OURS if text.count(opening) != text.count(closing)} == {}


def test_spanish_quotes_are_used() -> None:
    assert {key: text for key, text in OURS if re.search('[“”"]', text)} == {}


def test_users_are_addressed_formally() -> None:
    assert {key: text for key, text in OURS if INTIMATE.search(re.sub("{.*?}", "", text))} == {}


@pytest.mark.parametrize("text", ["Selecciona un elemento", "Guarda tu contraseña", "¿Quieres salir?", "Elige la fila"])
def test_informal_address_is_recognised(text: str) -> None:
    assert INTIMATE.search(text)


# "Se haya eliminada" is always wrong: after "haber" the participle does not agree.
PERFECT = re.compile(r"(?i)\bh(e|a|as|an|emos|ay[ao]n?|ayas|ab[íe]\w*|aber)( ya)? \w+(ada|ida|ta|cha)s?\b")


def test_participles_after_haber_do_not_agree() -> None:
    assert {key: text for key, text in OURS if PERFECT.search(text)} == {}


@pytest.mark.parametrize("text", ["puede que se haya eliminada", "se ha abierta", "no han ya vencidas"])
def test_wrong_participles_are_recognised(text: str) -> None:
    assert PERFECT.search(text)
