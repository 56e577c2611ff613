"""The dashboards of docs/operations: their SQL, files and script."""

import json
import re
import runpy
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import mean as mean_of
from statistics import median as median_of
from typing import Any

import msgspec
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from adapters.sql.store import SqlStore
from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from application.common.paging import Sort
from application.reports.views import ConsumptionBy, ConsumptionQuery
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.day import day_of
from tests.builders import ZONE, Ward, a_ward
from tests.servers import ROOT
from tests.sql.test_analytics import COLUMNS, TESTED

OPERATIONS = ROOT / "docs" / "operations"
SCRIPT = OPERATIONS / "metabase" / "create_dashboard.py"
METABASE = json.loads((OPERATIONS / "metabase" / "dashboard.json").read_text())
SUPERSET = OPERATIONS / "superset"

Rows = list[tuple[Any, ...]]
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Filters:
    """What an analyst chose: a period of whole days, and areas by name."""

    since: date | None = None
    until: date | None = None
    areas: tuple[str, ...] = ()


# --- the SQL that each program sends ---------------------------------------------------------------------------------


def of_superset(kind: str) -> dict[str, dict[str, Any]]:
    """Return the files of a kind, by name."""
    return {file.stem: msgspec.yaml.decode(file.read_bytes()) for file in (SUPERSET / kind).rglob("*.yaml")}


CHARTS = {chart["slice_name"]: chart for chart in of_superset("charts").values()}
DATASETS = {dataset["uuid"]: dataset for dataset in of_superset("datasets").values()}
[SUPERSET_DASHBOARD] = of_superset("dashboards").values()


def quoted(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))


def metabase_condition(field: str, filters: Filters) -> str | None:
    """Return the SQL of a field filter of Metabase; None without value.

    A field filter names its column with schema and table. A period of moments begins at midnight of Metabase's report
    time zone, which is the hospital's.
    """
    table, _, name = field.partition(".")
    column = f'"public"."{table}"."{name}"'
    if name == "area_name":
        listed = ", ".join(map(quoted, filters.areas))
        return (f"{column} IN ({listed})" if len(filters.areas) > 1 else f"{column} = {listed}") if listed else None
    if filters.since is None or filters.until is None:
        return None
    since, end = f"'{filters.since}", f"'{filters.until + timedelta(days=1)}"
    literal = "date {}'" if name == "day" else "timestamp with time zone {} 00:00:00.000-06:00'"
    return f"({column} >= {literal.format(since)} AND {column} < {literal.format(end)})"


def metabase_sql(card: dict[str, Any], filters: Filters) -> str:
    """Fill in a question as Metabase does, without empty optional parts."""
    conditions = {tag: metabase_condition(field, filters) for tag, field in card["fields"].items()}
    query = "\n".join(card["sql"]).replace("{schema}", '"public"')

    def fill(optional: re.Match[str]) -> str:
        [tag] = re.findall(r"{{(\w+)}}", optional[1])
        return "" if conditions[tag] is None else optional[1].replace(f"{{{{{tag}}}}}", conditions[tag] or "")

    return re.sub(r"\[\[(.*?)\]\]", fill, query)


def superset_condition(applied: dict[str, Any], period: Filters | None) -> str | None:
    """Return an ad hoc filter as SQL, with the period of the dashboard."""
    subject, operator = applied["subject"], applied["operator"]
    if operator != "TEMPORAL_RANGE":
        assert operator in ("IS NULL", "IS NOT NULL")
        return f"{subject} {operator}"
    if period is None or period.since is None or period.until is None:
        return None
    literal = {
        "day": "TO_DATE('{}', 'YYYY-MM-DD')",
        "closed_at": "TO_TIMESTAMP('{} 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')",
    }[subject]
    end = period.until + timedelta(days=1)
    return f"{subject} >= {literal.format(period.since)} AND {subject} < {literal.format(end)}"


def superset_sql(chart: dict[str, Any], filters: Filters) -> str:
    """Write a chart as SQL, as Superset does."""
    params, dataset = chart["params"], DATASETS[chart["dataset_uuid"]]
    expressions = {metric["metric_name"]: metric["expression"] for metric in dataset["metrics"]}
    numbers = {item["meta"]["uuid"]: item["meta"]["chartId"] for item in placed()}
    in_scope = {
        one["name"]: numbers[chart["uuid"]] not in one["scope"]["excluded"]
        for one in SUPERSET_DASHBOARD["metadata"]["native_filter_configuration"]
    }
    conditions = [
        superset_condition(one, filters if in_scope["Período"] else None) for one in params.get("adhoc_filters", [])
    ]
    if filters.areas and in_scope["Área"]:
        conditions.append(f"area_name IN ({', '.join(map(quoted, filters.areas))})")
    calculated = {column["column_name"]: column["expression"] for column in dataset["columns"] if column["expression"]}
    named = [params["x_axis"]] if "x_axis" in params else params.get("groupby", [])
    groups = [calculated.get(name, name) for name in named]
    metrics = params.get("metrics", [params["metric"]] if "metric" in params else [])
    columns = params["all_columns"] if params.get("query_mode") == "raw" else groups
    selected = [*columns, *(f"{expressions[name]} AS {name}" for name in metrics)]
    statement = f"SELECT {', '.join(selected)} FROM {dataset['schema']}.{dataset['table_name']}"  # noqa: S608
    if where := [f"({one})" for one in conditions if one]:
        statement += f" WHERE {' AND '.join(where)}"
    if groups:
        statement += f" GROUP BY {', '.join(groups)}"
    if by := params.get("timeseries_limit_metric"):
        statement += f" ORDER BY {expressions[by]} {'DESC' if params['order_desc'] else 'ASC'}"
    elif params.get("order_by_cols"):
        [(column, ascending)] = map(json.loads, params["order_by_cols"])
        statement += f" ORDER BY {column} {'ASC' if ascending else 'DESC'}"
    return f"{statement} LIMIT {params['row_limit']}" if "row_limit" in params else statement


def placed() -> list[dict[str, Any]]:
    return [
        item for item in SUPERSET_DASHBOARD["position"].values() if isinstance(item, dict) and item["type"] == "CHART"
    ]


def sql_of(program: str, title: str, filters: Filters) -> str:
    if program == "superset":
        return superset_sql(CHARTS[title], filters)
    return metabase_sql(next(card for card in METABASE["cards"] if card["name"] == title), filters)


# --- against the reports ---------------------------------------------------------------------------------------------


@pytest.fixture
def ward(emptied_postgresql_url: str) -> Iterator[Ward]:
    """A ward with lines of two days and areas, and two of three sheets closed.

    The second day is another one in UTC. A line was returned in part, and one voided.
    """
    store = SqlStore(emptied_postgresql_url, ZONE)
    ward = a_ward(store)
    surgery = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía d'Urgence"))
    room = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="202", status=1, type=1, area_id=surgery.id))
    glove = ward.product("Guante", "0.35", code="G-1", unit="par").id
    sheets = [
        ward.sheet(patient_id=patient, room_id=room_id)["id"]
        for patient, room_id in (
            (ward.patient_id, ward.room_id),
            (ward.patient("Luis", "Paz").id, room.id),
            (ward.patient("Eva", "Sol").id, room.id),
        )
    ]
    for quantity in ("1", "0.333", "12.5"):
        ward.detail(sheets[0], quantity, area_id=ward.area_id)
        ward.detail(sheets[1], quantity, area_id=surgery.id, product_id=glove)
    ward.detail(sheets[2], "3")
    ward.use_cases.sheets.close(ward.admin, sheets[1])
    ward.clock.advance(hours=38)
    assert ward.clock.now.date() != day_of(ward.clock.now, ZONE)
    returned = ward.detail(sheets[0], "10", area_id=surgery.id)
    ward.use_cases.details.return_part(
        ward.admin, returned["id"], ReturnDraft(quantity=Decimal("2.5"), reason="unused")
    )
    voided = ward.detail(sheets[2], "7", area_id=ward.area_id)
    ward.use_cases.details.void(ward.admin, voided["id"], VoidDraft(reason="Línea de prueba"))
    ward.detail(sheets[2], "4", product_id=glove, area_id=surgery.id)
    ward.use_cases.sheets.close(ward.admin, sheets[2])
    yield ward
    store.close()


@pytest.fixture
def ask(ward: Ward, emptied_postgresql_url: str) -> Iterator[Callable[[str], Rows]]:
    """Ask as the analyst of the page, who reads the views and nothing else."""
    owner = make_url(emptied_postgresql_url).set(drivername="postgresql").render_as_string(hide_password=False)
    role = f"dashboard_{make_url(emptied_postgresql_url).database}"
    with psycopg.connect(owner, autocommit=True) as connection:
        for statement in filter(str.strip, TESTED["role"].replace("consumo_analyst", role).split(";")):
            connection.execute(statement.encode())
    try:
        with psycopg.connect(owner, user=role, password="choose one", autocommit=True) as connection:
            yield lambda statement: connection.execute(statement.encode()).fetchall()
    finally:
        with psycopg.connect(owner, autocommit=True) as connection:
            for statement in ("DROP OWNED BY {}", "DROP ROLE {}"):
                connection.execute(sql.SQL(statement).format(sql.Identifier(role)))


def report(ward: Ward, by: ConsumptionBy, filters: Filters) -> list[Any]:
    """Return the rows of the report over the same period and area."""
    last = day_of(ward.clock.now, ZONE)
    query = ConsumptionQuery(
        by=by,
        since=filters.since or last - timedelta(days=30),
        until=filters.until or last,
        area_id=next((area.id for area in areas(ward) if area.name in filters.areas), None),
        sort=Sort("key"),
        limit=100,
    )
    return ward.use_cases.reports.consumption.page(ward.admin, query)["items"]


def areas(ward: Ward) -> list[Any]:
    with ward.store.begin_read_only() as work:
        return list(work.areas.find_many("id", range(1, 10)))


def chosen(ward: Ward) -> list[Filters]:
    """No filter, each filter alone, and both."""
    first = day_of(ward.clock.now, ZONE) - timedelta(days=1)
    return [
        Filters(),
        Filters(since=first, until=first),
        Filters(since=first + timedelta(days=1), until=first + timedelta(days=1)),
        Filters(areas=("Urgencias",)),
        Filters(since=first, until=first + timedelta(days=1), areas=("Cirugía d'Urgence",)),
    ]


@pytest.mark.postgresql
@pytest.mark.parametrize("program", ["metabase", "superset"])
def test_sums_of_dashboards_are_those_of_the_reports(program: str, ward: Ward, ask: Callable[[str], Rows]) -> None:
    seen = set()
    for filters in chosen(ward):

        def asked(title: str) -> Rows:
            return ask(sql_of(program, title, filters))  # noqa: B023

        days = report(ward, ConsumptionBy.DAY, filters)
        assert asked("Consumo del período") == [(sum(row["total"] for row in days),)]
        assert asked("Líneas del período") == [(sum(row["details"] for row in days),)]
        assert sorted(asked("Consumo por día")) == [(date.fromisoformat(row["key"]), row["total"]) for row in days]
        by_area = {row["name"]: row["total"] for row in report(ward, ConsumptionBy.AREA, filters)}
        assert {None if name == "Sin área" else name: total for name, total in asked("Consumo por área")} == by_area
        products = report(ward, ConsumptionBy.PRODUCT, filters)
        assert asked("Productos de mayor costo") == [
            (row["code"], row["name"], row["unit"], row["quantity"], row["total"])
            for row in sorted(products, key=lambda row: -row["total"])
        ]
        seen.add((len(days), len(by_area), len(products)))
    assert len(seen) > 2


@pytest.mark.postgresql
@pytest.mark.parametrize("program", ["metabase", "superset"])
def test_sums_of_stays_are_those_of_the_sheets(program: str, ward: Ward, ask: Callable[[str], Rows]) -> None:
    sheets = [ward.use_cases.sheets.read(ward.admin, number) for number in (1, 2, 3)]
    names = {area.id: area.name for area in areas(ward)}
    numbers_of_closed = set()
    for filters in chosen(ward):

        def counts(sheet: Any) -> bool:
            return not filters.areas or names[sheet["room"]["area_id"]] in filters.areas  # noqa: B023

        open_sheets = [sheet for sheet in sheets if sheet["deleted_at"] is None and counts(sheet)]
        assert ask(sql_of(program, "Hojas abiertas ahora", filters)) == [(len(open_sheets),)]
        listed = ask(sql_of(program, "Líneas por hoja abierta", filters))
        assert [(row[0], row[2], row[5]) for row in listed] == [
            (sheet["id"], sheet["room"]["name"], sheet["total"]) for sheet in open_sheets
        ]
        assert [row[4] for row in listed] == [4] * len(open_sheets)

        closed = [
            sheet
            for sheet in sheets
            if sheet["deleted_at"] is not None
            and counts(sheet)
            and (filters.since or date.min) <= day_of(sheet["deleted_at"], ZONE) <= (filters.until or date.max)
        ]
        totals = [sheet["total"] for sheet in closed]
        numbers_of_closed.add(len(totals))
        by_area = ask(sql_of(program, "Costo por estancia cerrada", filters))
        [(average,)] = ask(sql_of(program, "Costo promedio por estancia cerrada", filters))
        if not totals:
            assert (by_area, average) == ([], None)
            continue
        # All closed sheets are of one area.
        [(_, stays, total, mean, middle, highest)] = by_area
        assert (stays, total, highest) == (len(totals), sum(totals), max(totals))
        assert [Decimal(one).quantize(_CENT, ROUND_HALF_UP) for one in (average, mean, middle)] == [
            one.quantize(_CENT, ROUND_HALF_UP) for one in (mean_of(totals), mean_of(totals), median_of(totals))
        ]
    assert numbers_of_closed == {0, 1, 2}


# --- the files -------------------------------------------------------------------------------------------------------


def test_both_dashboards_answer_the_same_questions() -> None:
    titles = [card["name"] for card in METABASE["cards"]]
    assert [item["meta"]["sliceName"] for item in placed()] == titles
    assert set(CHARTS) == set(titles)
    assert {card["name"]: card["description"] for card in METABASE["cards"]} == {
        title: chart["description"] for title, chart in CHARTS.items()
    }


def test_the_files_of_superset_refer_to_each_other() -> None:
    [database] = of_superset("databases").values()
    assert {dataset["database_uuid"] for dataset in DATASETS.values()} == {database["uuid"]}
    assert {chart["dataset_uuid"] for chart in CHARTS.values()} == set(DATASETS)
    assert {item["meta"]["uuid"] for item in placed()} == {chart["uuid"] for chart in CHARTS.values()}
    assert all(item["meta"]["sliceName"] == CHARTS[item["meta"]["sliceName"]]["slice_name"] for item in placed())
    titles = {item["meta"]["chartId"]: item["meta"]["sliceName"] for item in placed()}
    [period, area] = SUPERSET_DASHBOARD["metadata"]["native_filter_configuration"]
    assert {titles[number] for number in period["scope"]["excluded"]} == {
        card["name"] for card in METABASE["cards"] if "periodo" not in card["fields"]
    }
    for one in (period, area):
        assert {target["datasetUuid"] for target in one["targets"] if target} <= set(DATASETS)
    for dataset in DATASETS.values():
        of_view = [column["column_name"] for column in dataset["columns"] if column["expression"] is None]
        assert of_view == COLUMNS[dataset["table_name"]]


def test_the_folder_of_superset_zips_as_the_page_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "analytics.md").read_text()
    [command] = re.findall(r"^cd docs/operations && python3 (-m zipfile -c \S+ superset)$", page, re.MULTILINE)
    options = [str(tmp_path / word) if word.endswith(".zip") else word for word in command.split()]
    subprocess.run([sys.executable, *options], cwd=OPERATIONS, check=True)
    [bundle] = tmp_path.iterdir()
    with zipfile.ZipFile(bundle) as files:
        # Superset leaves out the first folder of each name.
        names = {name.partition("/")[2] for name in files.namelist()}
    assert {"metadata.yaml", "databases/Consumo.yaml", "datasets/Consumo/analytics_sheets.yaml"} <= names


# --- the script for Metabase -----------------------------------------------------------------------------------------


class FakeMetabase(ThreadingHTTPServer):
    """The calls of Metabase's API that the script uses, in memory."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), FakeMetabaseHandler)
        self.collections: list[dict[str, Any]] = []
        self.items: dict[str, list[dict[str, Any]]] = {"card": [], "dashboard": []}
        self.keys: set[str | None] = set()
        views = ("analytics_details", "analytics_sheets")
        fields = {
            name: number for number, name in enumerate([f"{view}.{one}" for view in views for one in COLUMNS[view]])
        }
        self.fields = fields
        self.tables = [
            {
                "schema": schema,
                "name": view,
                "fields": [
                    {"id": fields[f"{view}.{one}"] + (1000 if schema == "sur" else 0), "name": one}
                    for one in COLUMNS[view]
                ],
            }
            for schema in ("norte", "sur")
            for view in views
        ]

    def answer(self, method: str, path: str, body: dict[str, Any]) -> Any:
        match method, path.partition("?")[0].split("/")[2:]:
            case "GET", ["database"]:
                return {"data": [{"id": 7, "name": "Consumo"}], "total": 1}
            case "GET", ["database", "7", "metadata"]:
                return {"tables": self.tables}
            case "GET", ["collection"]:
                return [{"id": "root", "name": "Our analytics"}, *self.collections]
            case "POST", ["collection"]:
                self.collections.append({"id": len(self.collections) + 1, "archived": False} | body)
                return self.collections[-1]
            case "GET", ["collection", number, "items"]:
                return {
                    "data": [
                        {"id": item["id"], "name": item["name"], "model": model}
                        for model, items in self.items.items()
                        for item in items
                        if item["collection_id"] == int(number)
                    ]
                }
            case "POST", [("card" | "dashboard") as model]:
                made: dict[str, Any] = {"id": len(self.items[model]) + 1} | (
                    {} if model == "card" else {"dashcards": [], "tabs": []}
                )
                self.items[model].append(made | body)
                return self.items[model][-1]
            case "GET", ["dashboard", number]:
                return self.items["dashboard"][int(number) - 1]
            case "PUT", [("card" | "dashboard") as model, number]:
                for position, placed_card in enumerate(body.get("dashcards", [])):
                    if placed_card["id"] < 0:
                        placed_card["id"] = 100 + position
                self.items[model][int(number) - 1].update(body)
                return self.items[model][int(number) - 1]
        raise AssertionError(f"{method} {path} is not known")


class FakeMetabaseHandler(BaseHTTPRequestHandler):
    """Answers the fake's calls as JSON."""

    server: FakeMetabase

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.server.keys.add(self.headers.get("x-api-key"))
        body = json.loads(self.rfile.read(length)) if length else {}
        content = json.dumps(self.server.answer(self.command, self.path, body)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Write no log."""


@pytest.fixture
def metabase() -> Iterator[FakeMetabase]:
    server = FakeMetabase()
    running = threading.Thread(target=server.serve_forever, args=[0.01])
    running.start()
    yield server
    server.shutdown()
    running.join()
    server.server_close()


def run_script(metabase: FakeMetabase, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    monkeypatch.setenv("METABASE_API_KEY", "mb_key")
    address = f"http://127.0.0.1:{metabase.server_address[1]}"
    monkeypatch.setattr(sys, "argv", [SCRIPT.name, "--url", address, *options])
    runpy.run_path(str(SCRIPT), run_name="__main__")


def test_the_script_creates_the_dashboard_once(metabase: FakeMetabase, monkeypatch: pytest.MonkeyPatch) -> None:
    run_script(metabase, monkeypatch, "--schema", "sur")
    [dashboard] = metabase.items["dashboard"]
    first = [item["id"] for item in dashboard["dashcards"]]
    analyst_s_own = {
        "id": 500,
        "card_id": 99,
        "row": 40,
        "col": 0,
        "size_x": 4,
        "size_y": 4,
        "series": [{"id": 8, "x": 1}],
    }
    dashboard["dashcards"] = [*dashboard["dashcards"], analyst_s_own | {"card": {"name": "Own"}}]
    run_script(metabase, monkeypatch, "--schema", "sur")
    assert metabase.keys == {"mb_key"}
    assert len(metabase.collections) == len(metabase.items["dashboard"]) == 1
    assert len(metabase.items["card"]) == len(METABASE["cards"])
    assert [item["id"] for item in dashboard["dashcards"]] == [*first, 500]
    assert dashboard["dashcards"][-1] == analyst_s_own | {"series": [{"id": 8}]}
    assert [one["name"] for one in dashboard["parameters"]] == ["Período", "Área"]


def test_the_questions_filter_by_the_views_columns(metabase: FakeMetabase, monkeypatch: pytest.MonkeyPatch) -> None:
    run_script(metabase, monkeypatch, "--schema", "sur", "--collection", "Sur")
    [dashboard] = metabase.items["dashboard"]
    for item in dashboard["dashcards"]:
        card = metabase.items["card"][item["card_id"] - 1]
        native = card["dataset_query"]["native"]
        assert 'FROM "sur".analytics_' in native["query"]
        assert set(re.findall(r"{{(\w+)}}", native["query"])) == set(native["template-tags"])
        described = next(one for one in METABASE["cards"] if one["name"] == card["name"])
        assert {tag: one["dimension"][1] - 1000 for tag, one in native["template-tags"].items()} == {
            tag: metabase.fields[field] for tag, field in described["fields"].items()
        }
        assert [one["target"] for one in item["parameter_mappings"]] == [
            ["dimension", ["template-tag", tag]] for tag in described["fields"]
        ]


def test_the_script_reports_what_is_missing(metabase: FakeMetabase, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="no views in the schema “este”"):
        run_script(metabase, monkeypatch, "--schema", "este")
    with pytest.raises(SystemExit, match="no database “Otra”"):
        run_script(metabase, monkeypatch, "--database", "Otra")
    assert metabase.items == {"card": [], "dashboard": []}
