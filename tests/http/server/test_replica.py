"""Reports and exports read from a replica; an export can end early."""

import csv
import io
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from adapters.http.responses.lists import INCOMPLETE_MARKER
from adapters.sql.engine.connections import to_url
from tests.http.hospital import ON_EVERY_DATABASE, Hospital, ask, hospital_on
from tests.servers import Cluster, cut_off, let_in


@pytest.mark.postgresql
def test_only_exports_and_reports_are_read_from_the_replica(
    postgresql_url: str, cluster: Cluster, migrated_template: str, tmp_path: Path
) -> None:
    name = f"{migrated_template}_replica"
    replica = cluster.create(name, migrated_template)
    engine = create_engine(to_url(replica))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO areas (name, name_key, name_folded) VALUES ('Copia', 'copia', 'copia')"))
    engine.dispose()
    try:
        with hospital_on(postgresql_url, tmp_path, REPORTS_DATABASE_URL=replica) as hospital:
            hospital.add_detail(hospital.open_sheet())
            exported = csv.DictReader(io.StringIO(hospital.admin.get("/api/areas?format=csv").text))
            assert [row["name"] for row in exported] == ["Copia"]
            assert len(hospital.admin.get("/api/areas").json()["items"]) == 2
            report = "/api/reports/consumption"
            assert hospital.admin.get(report).json()["items"] == []
            # Without the replica only reports fail.
            cut_off(replica, is_permanent=True)
            assert hospital.admin.get(report).status_code == 503
            assert hospital.admin.get("/api/areas").status_code == 200
            let_in(replica)
            assert hospital.admin.get(report).status_code == 200
    finally:
        cluster.drop(name)


@ON_EVERY_DATABASE
def test_an_incomplete_export_ends_with_a_marker(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first lines are sent before the error occurs."""
    monkeypatch.setattr("application.records.list_reader.BATCH_SIZE", 1)
    monkeypatch.setattr("adapters.documents.csv_file._LINES", 1)

    def break_down(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.body" and b"Quir" in message["body"]:
            with hospital.store._writing.begin() as connection:
                connection.execute(text("ALTER TABLE areas RENAME TO gone"))

    token = (b"authorization", hospital.admin.headers["Authorization"].encode())
    whole = ["Quirófano", "Urgencias"]
    with hospital.client.portal() as portal:
        for hear, said in ((lambda _: None, ""), (break_down, INCOMPLETE_MARKER)):
            sent = portal.call(partial(ask, hospital, "/api/areas?format=csv", token, hear=hear))
            assert sent[0]["status"] == 200
            reported = b"".join(part["body"] for part in sent[1:]).decode()
            assert [name for name in whole if name in reported] == (whole[:1] if said else whole)
            assert reported.endswith(said)
            assert (INCOMPLETE_MARKER in reported) is bool(said)
            line = json.loads(hospital.log.getvalue().splitlines()[-1])
            assert line["status"] == (500 if said else 200)
