"""Create the dashboard of dashboard.json in Metabase, or update it.

It uses Metabase's HTTP API (version 50 or later) and the standard library only. Running it again updates what it
created, found by name in the collection, and leaves other questions on the dashboard as they are.
"""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

DASHBOARD = Path(__file__).with_name("dashboard.json")
# What Metabase accepts for a question on a dashboard; it returns more.
PLACED_KEYS = (
    "id", "card_id", "row", "col", "size_x", "size_y", "dashboard_tab_id", "parameter_mappings",
    "visualization_settings", "inline_parameters",
)  # fmt: skip


class Problem(Exception):
    """A problem that the user can solve."""


class Metabase:
    """Calls Metabase's API with an API key."""

    def __init__(self, address: str, key: str) -> None:
        self._address, self._key = address.rstrip("/"), key

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the answer. Raise ``Problem``."""
        request = urllib.request.Request(  # noqa: S310 - the operator's own address
            f"{self._address}/api/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"x-api-key": self._key, "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as error:
            said = error.read().decode(errors="replace")[:500]
            raise Problem(f"{method} /api/{path}: {error.code} {said}") from None
        except (OSError, ValueError) as error:
            raise Problem(f"{method} {self._address}/api/{path}: {error}") from None


def named(items: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    """Return the first item of that name."""
    return next((item for item in items if item["name"] == name), None)


def read_fields(metabase: Metabase, database: str, schema: str) -> tuple[int, dict[str, int]]:
    """Return the database's id, and the ids of the views' columns."""
    listed = metabase("GET", "database")
    found = named(listed["data"] if isinstance(listed, dict) else listed, database)
    if found is None:
        raise Problem(f"Metabase has no database “{database}”: add it first, or give its name with --database.")
    tables = metabase("GET", f"database/{found['id']}/metadata")["tables"]
    fields = {
        f"{table['name']}.{field['name']}": int(field["id"])
        for table in tables
        if table["schema"] == schema and table["name"].startswith("analytics_")
        for field in table["fields"]
    }
    if not fields:
        raise Problem(
            f"Metabase knows no views in the schema “{schema}” of “{database}”: let it sync the schema first."
        )
    return int(found["id"]), fields


def find_collection(metabase: Metabase, name: str) -> int:
    """Return the id of the collection, which is created if it is missing."""
    found = named([item for item in metabase("GET", "collection") if not item.get("archived")], name)
    return int((found or metabase("POST", "collection", {"name": name}))["id"])


def make_question(
    card: Mapping[str, Any],
    filters: Mapping[str, Mapping[str, Any]],
    database_id: int,
    fields: Mapping[str, int],
    schema: str,
) -> dict[str, Any]:
    """Return a card as the body of a request."""
    tags = {
        tag: {
            "id": str(uuid5(NAMESPACE_URL, f"{card['name']}/{tag}")),
            "name": tag,
            "display-name": filters[tag]["name"],
            "type": "dimension",
            "dimension": ["field", fields[field], None],
            "widget-type": filters[tag]["type"],
        }
        for tag, field in card["fields"].items()
    }
    quoted = '"{}"'.format(schema.replace('"', '""'))
    query = "\n".join(card["sql"]).replace("{schema}", quoted)
    settings: dict[str, Any] = dict(card.get("settings", {}))
    settings["column_settings"] = {
        json.dumps(["name", column], ensure_ascii=False, separators=(",", ":")): {
            "number_style": "decimal",
            "decimals": decimals,
        }
        for column, decimals in card["decimals"].items()
    }
    return {
        "name": card["name"],
        "description": card["description"],
        "display": card["display"],
        "visualization_settings": settings,
        "dataset_query": {
            "type": "native",
            "database": database_id,
            "native": {"query": query, "template-tags": tags},
        },
    }


def save(metabase: Metabase, kind: str, existing: Mapping[str, Any] | None, body: dict[str, Any]) -> int:
    """Create a question or a dashboard, or update it, and return its id."""
    if existing is None:
        return int(metabase("POST", kind, body)["id"])
    metabase("PUT", f"{kind}/{existing['id']}", body)
    return int(existing["id"])


def place(
    card: Mapping[str, Any], card_id: int, placed: Mapping[str, Any] | None, number: int, tab_id: int | None
) -> dict[str, Any]:
    """Return the place and the filters of a question on the dashboard."""
    where = card["place"]
    return {
        # Metabase takes a negative id for a new one.
        "id": placed["id"] if placed else -number,
        "card_id": card_id,
        "row": where["row"],
        "col": where["col"],
        "size_x": where["width"],
        "size_y": where["height"],
        "dashboard_tab_id": placed.get("dashboard_tab_id") if placed else tab_id,
        "parameter_mappings": [
            {"parameter_id": tag, "card_id": card_id, "target": ["dimension", ["template-tag", tag]]}
            for tag in card["fields"]
        ],
        "visualization_settings": {},
    }


def create(metabase: Metabase, database: str, schema: str, collection: str) -> str:
    """Create or update collection, questions and dashboard; return its path."""
    described = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    filters = {one["id"]: one for one in described["filters"]}
    database_id, fields = read_fields(metabase, database, schema)
    collection_id = find_collection(metabase, collection)
    there = metabase("GET", f"collection/{collection_id}/items?models=card&models=dashboard")["data"]
    cards = [item for item in there if item["model"] == "card"]
    card_ids = {}
    for card in described["cards"]:
        question = make_question(card, filters, database_id, fields, schema) | {"collection_id": collection_id}
        card_ids[card["name"]] = save(metabase, "card", named(cards, card["name"]), question)
    dashboards = [item for item in there if item["model"] == "dashboard"]
    about = {key: described[key] for key in ("name", "description")} | {"collection_id": collection_id}
    dashboard_id = save(metabase, "dashboard", named(dashboards, described["name"]), about)

    present = metabase("GET", f"dashboard/{dashboard_id}")
    placed = {item["card_id"]: item for item in present["dashcards"] if item.get("card_id") is not None}
    tabs = [{"id": tab["id"], "name": tab["name"]} for tab in present.get("tabs") or []]
    tab_id = tabs[0]["id"] if tabs else None
    ours = [
        place(card, card_ids[card["name"]], placed.get(card_ids[card["name"]]), number, tab_id)
        for number, card in enumerate(described["cards"], 1)
    ]
    others = [
        {key: item[key] for key in PLACED_KEYS if key in item}
        | {"series": [{"id": one["id"]} for one in item.get("series") or []]}
        for item in present["dashcards"]
        if item.get("card_id") not in card_ids.values()
    ]
    parameters = [
        {"id": one["id"], "slug": one["id"], "name": one["name"], "type": one["type"], "sectionId": one["section"]}
        | ({"default": one["default"]} if "default" in one else {})
        for one in described["filters"]
    ]
    kept = [one for one in present.get("parameters") or [] if one["id"] not in filters]
    metabase(
        "PUT",
        f"dashboard/{dashboard_id}",
        {"parameters": [*parameters, *kept], "dashcards": [*ours, *others], "tabs": tabs},
    )
    return f"dashboard/{dashboard_id}"


def main() -> None:
    """Read the arguments and create the dashboard."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--url", required=True, help="Metabase's address, such as https://metabase.example")
    options.add_argument("--database", default="Consumo", help="its name in Metabase")
    options.add_argument("--schema", default="public", help="the schema of the hospital")
    options.add_argument("--collection", default="Consumo", help="one for each hospital")
    asked = options.parse_args()
    key = os.environ.get("METABASE_API_KEY")
    if not key:
        sys.exit("METABASE_API_KEY is not set: create a key under Admin settings → Authentication → API keys.")
    try:
        path = create(Metabase(asked.url, key), asked.database, asked.schema, asked.collection)
    except Problem as problem:
        sys.exit(str(problem))
    print(f"{asked.url.rstrip('/')}/{path}")


if __name__ == "__main__":
    main()
