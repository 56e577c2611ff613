"""What is shipped to operators is as closed as the program."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OPERATIONS = ROOT / "docs" / "operations"
SERVICES = sorted(OPERATIONS.glob("*.service"))
# They say how a service is started, restarted and told to end, and where it writes.
OF_ONE_SERVICE = re.compile(
    r"(Type|User|Group|WorkingDirectory|EnvironmentFile|Exec|Restart|Timeout|KillMode|State|ReadWritePaths|Limit)"
)


def hardening(unit: Path) -> set[str]:
    section = unit.read_text().partition("[Service]\n")[2].partition("\n[")[0]
    lines = {line for line in section.splitlines() if line and not line.startswith("#")}
    return {line for line in lines if not OF_ONE_SERVICE.match(line)}


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_every_unit_is_as_closed_as_the_service(unit: Path) -> None:
    assert hardening(OPERATIONS / "consumo.service") <= hardening(unit)


def test_the_balancer_logs_neither_paths_nor_queries() -> None:
    text = (OPERATIONS / "nginx.conf").read_text()
    (form,) = re.findall(r"log_format consumo '([^']*)'", text)
    assert not re.search(r"\$(request\b|request_uri|uri|args|query_string|http_referer|document_uri)(?!_)", form)
    assert re.search(r"access_log \S+ consumo;", text)
    assert re.search(r"error_log \S+ crit;", text)


def test_the_container_of_the_application_has_no_superuser() -> None:
    text = (ROOT / "compose.yaml").read_text()
    created = (OPERATIONS / "container-database.sql").read_text()
    assert "POSTGRES_USER" not in text
    assert "CREATE ROLE consumo LOGIN NOSUPERUSER" in created
    assert "container-database.sql:/docker-entrypoint-initdb.d/" in text
    # The application does not know the superuser's password.
    assert "  secrets: [database_password, secret_key]\n" in text


def test_messages_are_taken_from_this_machine_unless_told() -> None:
    assert '"${CONSUMO_HL7_LISTEN:-127.0.0.1}:2575:2575"' in (ROOT / "compose.yaml").read_text()
    assert "--mllp 127.0.0.1:2575 --allow 127.0.0.1\n" in (OPERATIONS / "consumo-receive.service").read_text()
