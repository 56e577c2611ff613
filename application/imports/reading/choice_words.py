"""Words in cells that stand for choices: active, room status and type, role."""

from collections.abc import Mapping

from domain.catalogue.room import RoomStatus, RoomType
from domain.common.policy import HUMAN_ROLES, Role
from domain.common.text import fold

_IN_USE = frozenset(
    [
        "1", "si", "s", "yes", "y", "true", "verdadero", "v", "x", "a", "act", "activo", "activa", "activado",
        "activada", "active", "vigente", "habilitado", "habilitada", "enabled", "en uso", "in use", "valido", "valida",
        "operativo", "operativa", "current",
    ]
)  # fmt: skip
_OUT_OF_USE = frozenset(
    [
        "0", "no", "n", "false", "falso", "f", "i", "inac", "inactivo", "inactiva", "inactivado", "inactivada",
        "inactive", "no activo", "no activa", "not active", "no vigente", "baja", "de baja", "dado de baja",
        "dada de baja", "inhabilitado", "inhabilitada", "deshabilitado", "deshabilitada", "disabled", "bloqueado",
        "bloqueada", "blocked", "suspendido", "suspendida", "suspended", "descontinuado", "descontinuada",
        "discontinuado", "discontinuada", "discontinued", "obsoleto", "obsoleta", "obsolete", "retirado", "retirada",
        "withdrawn", "anulado", "anulada", "cancelado", "cancelada", "eliminado", "eliminada", "deleted", "fallecido",
        "fallecida", "deceased",
    ]
)  # fmt: skip
_STATUS = {
    "disponible": 1, "libre": 1, "vacia": 1, "vacio": 1, "available": 1, "free": 1, "empty": 1, "vacant": 1,
    "ocupada": 2, "ocupado": 2, "occupied": 2, "taken": 2,
    "limpieza": 3, "en limpieza": 3, "cleaning": 3, "being cleaned": 3,
    "fuera de servicio": 4, "out of service": 4, "inhabilitada": 4, "mantenimiento": 4, "maintenance": 4,
}  # fmt: skip
_TYPE = {
    "individual": 1, "sencilla": 1, "simple": 1, "privada": 1, "single": 1, "private": 1,
    "doble": 2, "double": 2, "semiprivada": 2, "semi-private": 2,
    "compartida": 3, "multiple": 3, "comun": 3, "shared": 3, "ward": 3,
    "especial": 4, "cuidados especiales": 4, "uci": 4, "uti": 4, "aislamiento": 4, "special": 4, "special care": 4,
    "icu": 4,
}  # fmt: skip
_ROLE = {
    "usuario": 1, "usuaria": 1, "user": 1, "enfermeria": 1, "enfermera": 1, "enfermero": 1, "nurse": 1, "nursing": 1,
    "personal": 1, "basico": 1, "staff": 1,
    "supervisor": 2, "supervisora": 2, "supervision": 2, "jefa": 2, "jefe": 2, "jefatura": 2,
    "administrador": 10, "administradora": 10, "admin": 10, "administracion": 10, "administrator": 10,
}  # fmt: skip


def in_use(text: str) -> bool | None:
    """Return whether the text means active; None if it is unclear."""
    said = fold(text)
    return True if said in _IN_USE else False if said in _OUT_OF_USE else None


def room_status(text: str) -> RoomStatus | None:
    """Return the room status for a word or number, or None."""
    number = _number(text, _STATUS)
    return RoomStatus(number) if number in set(RoomStatus) else None


def room_type(text: str) -> RoomType | None:
    """Return the room type for a word or number, or None."""
    number = _number(text, _TYPE)
    return RoomType(number) if number in set(RoomType) else None


def role(text: str) -> Role | None:
    """Return the role of a person for a word or number, or None."""
    number = _number(text, _ROLE)
    return Role(number) if number in HUMAN_ROLES else None


def _number(text: str, words: Mapping[str, int]) -> int | None:
    number = words.get(fold(text))
    return int(text[:9]) if number is None and text.isdecimal() else number
