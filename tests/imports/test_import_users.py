"""Importing users: accounts without a password, and their links."""

from pathlib import Path

import pytest

from application.audit.audit_log import entry  # noqa: F401
from application.imports.reading.columns import Noun
from application.users.draft import UserDraft
from application.users.imported_links import ImportedLinksDraft
from application.views.users import UserQuery, UserView
from domain.errors import Code, NotFound, Refused
from domain.policy import Actor, Role
from domain.user import User
from tests.builders import Ward
from tests.imports.importing import ImportOutcome, brought_in, file_of

HEADER = "Correo electrónico;Rol;Nombre;Apellidos;Puesto;Área"
ANA = "ana@hospital.test;Enfermera;Ana;Gil Paz;Enfermería;Urgencias"


def bring(ward: Ward, tmp_path: Path, *lines: str, by: Actor | None = None) -> ImportOutcome:
    return brought_in(ward, Noun.USERS, file_of(tmp_path, HEADER, *lines), by=by)
