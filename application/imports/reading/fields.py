"""Fields of imported rows: what a column may be, and how titles are compared."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from application.imports.reading.misread import mended
from domain.common.text import fold


class Noun(StrEnum):
    """The kinds of rows that a file may have."""

    PRODUCTS = "products"
    PATIENTS = "patients"
    STAFF = "staff"
    AREAS = "areas"
    ROOMS = "rooms"
    USERS = "users"
    CONSUMPTION = "consumption"
    # Read for a reconciliation, never imported.
    HANDED_OUT = "handed_out"


class Kind(StrEnum):
    """How the cells of a field are parsed."""

    TEXT = "text"
    CODE = "code"
    NUMBER = "number"
    MONEY = "money"
    DAY = "day"
    BIRTHDAY = "birthday"
    MOMENT = "moment"
    YES_OR_NO = "yes_or_no"
    ROOM_STATUS = "room_status"
    ROOM_TYPE = "room_type"
    ROLE = "role"


@dataclass(frozen=True)
class Field:
    """A field that a column may fill.

    ``es`` and ``en`` are the names of its columns. The names in ``last`` are only used if no column has one of the
    others.
    """

    name: str
    kind: Kind
    es: str
    en: str
    last: str = ""

    @cached_property
    def spanish(self) -> frozenset[tuple[str, ...]]:
        return _names(self.es)

    @cached_property
    def english(self) -> frozenset[tuple[str, ...]]:
        return _names(self.en)

    @cached_property
    def fallback_words(self) -> frozenset[tuple[str, ...]]:
        return _names(self.last)


@dataclass(frozen=True)
class FieldSet:
    """The fields of a noun.

    Each group in ``needs`` has the fields of which at least one must have a column.
    """

    fields: tuple[Field, ...]
    needs: tuple[tuple[str, ...], ...]

    def field(self, name: str) -> Field | None:
        """Return the field of that name, or None."""
        return next((field for field in self.fields if field.name == name), None)

    @property
    def needed(self) -> frozenset[str]:
        """All fields that appear in ``needs``."""
        return frozenset(name for names in self.needs for name in names)


# Words about other things in files: a "revenue code" is not a product's code, and a "hospital name" not a product's
# name.
FOREIGN = {
    "hospital", "facility", "provider", "vendor", "supplier", "manufacturer", "payer", "plan", "revenue", "cpt",
    "hcpcs", "hcpc", "ndc", "drg", "icd", "modifier", "proveedor", "fabricante", "laboratorio", "marca", "almacen",
    "bodega", "partida", "presupuestal", "cuenta", "institucion", "clues", "lote", "sucursal", "aseguradora",
    "convenio",
}  # fmt: skip

_EMPTY_WORDS = {"de", "del", "la", "el", "los", "las", "of", "the", "en", "s"}

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

_PARENTHESES = re.compile(r"\([^)]*\)|\[[^]]*\]")

_WORD = re.compile(r"[^\W\d_]+|\d+")


def words_of(header: str) -> tuple[str, ...]:
    """Return the normalized words of a column's name.

    ``ChargeCode`` and ``Charge-code`` give the same words.
    """
    header = found.text if not header.isascii() and (found := mended(header)) else header
    text = _CAMEL.sub(" ", _PARENTHESES.sub(" ", header)).replace("#", " no ").replace("°", "o")
    words = [_SAME.get(word, word) for word in _WORD.findall(fold(text)) if word not in _EMPTY_WORDS]
    # A price per unit is a price: drop the words from "per" on.
    about = next((place for place, word in enumerate(words) if place and word in ("per", "por", "x")), len(words))
    return tuple(words[:about])


# Words that mean the same in the names of columns. Words without a meaning there are in ``_EMPTY_WORDS``.
_SAME = {
    "num": "no", "numero": "no", "number": "no", "nro": "no", "nr": "no", "cod": "codigo", "desc": "descripcion",
    "descrip": "descripcion", "descr": "descripcion", "fec": "fecha", "nac": "nacimiento", "cant": "cantidad",
    "qty": "quantity", "tel": "telefono", "cve": "clave", "exp": "expediente", "ap": "apellido", "ing": "ingreso",
    "depto": "departamento", "hab": "habitacion", "art": "articulo", "prod": "producto", "articles": "article",
    "description": "descripcion", "items": "item", "products": "product", "productos": "producto", "insumos": "insumo",
    "articulos": "articulo", "apellidos": "apellido", "nombres": "nombre", "surnames": "surname",
}  # fmt: skip


def _names(names: str) -> frozenset[tuple[str, ...]]:
    return frozenset(words_of(name) for name in names.split(","))
