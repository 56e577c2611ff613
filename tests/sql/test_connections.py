"""Database URLs with one or several hosts.

With several hosts, the driver looks for the one that accepts writes.
"""

from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import create_engine

from adapters.sql.engine.connections import to_url


def connected_with(database_url: str) -> dict[str, Any]:
    """Return the arguments for the driver."""
    url = to_url(database_url)
    _, reported = create_engine(url).dialect.create_connect_args(url)
    return {name: value for name, value in reported.items() if name != "context"}


@pytest.mark.parametrize(
    "database_url",
    [
        "postgresql://u:s%40:crt@one:5001,other:5002/consumo?target_session_attrs=read-write",
        "postgres://u:s%40:crt@one:5001,other:5002/consumo?target_session_attrs=read-write",
        "postgresql://u:s%40:crt@/consumo?host=one:5001&host=other:5002&target_session_attrs=read-write",
        "postgresql://u:s%40:crt@/consumo?host=one:5001,other:5002&target_session_attrs=read-write",
        "postgresql://u:s%40:crt@/consumo?host=one,other&port=5001,5002&target_session_attrs=read-write",
    ],
)
def test_several_hosts_can_be_given_in_any_common_form(database_url: str) -> None:
    assert connected_with(database_url) == {
        "host": "one,other",
        "port": "5001,5002",
        "user": "u",
        "password": "s@:crt",
        "dbname": "consumo",
        "target_session_attrs": "read-write",
    }


def test_hosts_without_ports_use_the_default_port() -> None:
    reported = connected_with("postgresql://u@one,other/consumo")
    assert (reported["host"], reported["port"], reported["dbname"]) == ("one,other", ",", "consumo")


@pytest.mark.parametrize(
    "database_url", ["postgresql://u@h:5432/d", "postgresql://u@/d?host=/run/postgresql", "sqlite:////var/a,b:c.db"]
)
def test_a_single_host_is_unchanged(database_url: str) -> None:
    said = to_url(database_url).render_as_string(hide_password=False)
    assert unquote(said).replace("+psycopg", "") == database_url
