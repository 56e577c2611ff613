"""The catalogue for offline work: one cached answer without prices."""

import gzip
import json
from typing import Any

from domain.common.policy import Role
from tests.builders import an_image
from tests.canaries import PRICE, holds_amount
from tests.http.hospital import Hospital

PATH = "/api/catalogue"


def test_all_roles_get_the_same_catalogue_without_prices(hospital: Hospital) -> None:
    hospital.set_price(hospital.gauze, PRICE)
    answers = [hospital.someone(role).get(PATH) for role in (Role.USER, Role.SUPERVISOR, Role.ADMIN)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    catalogue = answers[0].json()
    assert sorted(catalogue) == ["areas", "codes", "installation", "kits", "pictures", "products", "version"]
    assert {len(product) for product in catalogue["products"]} == {10}
    reported = answers[0].text
    assert not holds_amount(reported, PRICE)
    for category in hospital.admin.get("/api/categories").json()["items"]:
        assert category["code"] not in reported
        assert category["name"] not in reported


def test_the_catalogue_agrees_with_the_lists(hospital: Hospital) -> None:
    kit = {"name": "Vía", "lines": [{"product_id": hospital.gauze, "quantity": 2.5}]}
    made = hospital.admin.post("/api/kits", {**kit, "own": False}).json()
    hospital.nurse.post("/api/kits", {**kit, "own": True})
    hospital.admin.post(f"/api/products/{hospital.gauze}/codes", {"system": "hibc", "code": "+A99", "units": 10})
    digest = hospital.admin.put(f"/api/products/{hospital.gauze}/picture", an_image()).json()["picture"]
    catalogue = hospital.nurse.get(PATH).json()
    fields = ("id", "name", "code", "unit", "decimals", "asks_lot", "asks_serial", "active", "also_called", "implant")
    listed = hospital.nurse.get("/api/products?limit=100&sort=id").json()["items"]
    assert catalogue["products"] == [[product[field] for field in fields] for product in listed]
    assert [hospital.gauze, "hibc", "+a99", 10, None] in catalogue["codes"]
    assert catalogue["kits"] == [[made["id"], "Vía", None, [[hospital.gauze, 2.5, False]]]]
    assert catalogue["pictures"] == [[hospital.gauze, digest]]
    areas = hospital.nurse.get("/api/areas?limit=100&sort=id").json()["items"]
    assert catalogue["areas"] == [[area["id"], area["name"]] for area in areas]


def test_the_current_version_is_answered_with_304(hospital: Hospital) -> None:
    answer = hospital.nurse.get(PATH)
    has = answer.headers["etag"]
    assert has == f'"{answer.json()["version"]}"'
    again = hospital.nurse.get(PATH, if_none_match=has)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", has)
    hospital.admin.post("/api/areas", {"name": "Sala nueva"})
    changed = hospital.nurse.get(PATH, if_none_match=has)
    assert changed.status_code == 200
    assert changed.headers["etag"] != has
    assert "Sala nueva" in changed.text
    assert hospital.nurse.get(PATH, if_none_match='"0", W/"x"').status_code == 200


def test_the_catalogue_is_gzipped_on_request(hospital: Hospital) -> None:
    def fetched(encoding: str) -> tuple[str | None, dict[str, Any]]:
        with hospital.client.stream(
            "GET", PATH, headers={"Accept-Encoding": encoding, **hospital.nurse.headers}
        ) as answer:
            body, used = b"".join(answer.iter_raw()), answer.headers.get("content-encoding")
        assert answer.headers["vary"] == "Accept-Encoding"
        return used, json.loads(gzip.decompress(body) if used else body)

    zipped, plain = fetched("br, gzip"), fetched("identity")
    assert (zipped[0], plain[0]) == ("gzip", None)
    assert zipped[1] == plain[1]
