"""Price redaction: no answer to role 1 holds or depends on a price."""

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from httpx import Response
from pypdf import PdfReader

from adapters.sql.sheets import frozen as sql_frozen
from application.accounts.sessions.service_accounts import SCOPES, is_key
from application.catalogue.views import CATEGORY_SORTS, PRODUCT_SORTS
from application.common.paging import PRICED_SORTS
from application.reports.views import CONSUMPTION_SORTS, EXTRA_SUMS, ConsumptionBy
from application.sheets.detail_views import DETAIL_SORTS
from application.sheets.used_for import UsedFor
from application.sheets.views import SHEET_SORTS
from domain.common.money import MAX_PRICE
from domain.common.policy import Permission, Role
from tests.builders import SettableClock
from tests.canaries import OTHER_PRICE, PRICE, holds_amount
from tests.http.files.workbooks import XLSX, text_of_workbook
from tests.http.hospital import DETAILS, ON_ANY_DATABASE, SHEETS, Caller, Hospital, a_key, hospital_on
from tests.http.routes import EVERY_CALL

REPORT = "/api/reports/consumption"

GAUZE, CANNULA = PRICE, OTHER_PRICE
# The amounts of one, two and three pieces of both products, and the category codes.
AMOUNTS = [str(Decimal(price) * quantity) for price in (GAUZE, CANNULA) for quantity in (1, 2, 3)]
CODES = ["CUR-01", "SON-02"]


# The prefix of a key in its audit entry is random. The ids of audit entries depend on when looks are noted.
_RANDOM = re.compile(rb'"prefix":\[null,"\w+"\]|"id":\d+(?=,"at")')

Walk = Iterator[tuple[str, Response]]


def walk(hospital: Hospital, nurse: Caller) -> Walk:
    """All answers a caller can get: every route, and variants of them."""
    sheet, closed = hospital.open_sheet(), hospital.open_sheet()
    for each in (sheet, closed):
        hospital.add_detail(each, quantity=2)
        hospital.add_detail(each, by=nurse, product_id=hospital.cannula, quantity=3, area_id=hospital.theatre)
    detail = hospital.add_detail(sheet, by=nurse, quantity=3)["id"]
    hospital.close(closed)

    for call in EVERY_CALL:
        path, body = call.prepare(hospital, nurse)
        caller = _signed_in(hospital, nurse)
        answer = caller.call(call.method, path, body)
        # Tokens, nonces and challenges are random, and so are links.
        is_random = (call.method == "POST" and call.route.startswith("/api/auth/")) or call.route.endswith("-link")
        # The OpenAPI document is the same for every hospital, with examples of everything.
        if not is_random and call.route != "/schema/openapi.json":
            yield str(call), answer

    # A user's oldest sessions end when there are many.
    nurse = _signed_in(hospital, nurse)
    yield from _lists(hospital, nurse, sheet, closed)
    yield from _paper_and_shelves(hospital, nurse)
    yield from what_areas_use(hospital, nurse)
    yield from _writes(hospital, nurse, sheet, closed, detail)


def _signed_in(hospital: Hospital, caller: Caller) -> Caller:
    """The caller in a new session; service accounts have none."""
    return caller if is_key(caller.headers["Authorization"].removeprefix("Bearer ")) else hospital.sign_in(caller)


def _lists(hospital: Hospital, nurse: Caller, sheet: int, closed: int) -> Walk:
    lists = {
        SHEETS: SHEET_SORTS,
        f"{SHEETS}?closed=true": SHEET_SORTS,
        DETAILS: DETAIL_SORTS,
        f"{DETAILS}?consumption_sheet_id={closed}": DETAIL_SORTS,
        f"{SHEETS}/{sheet}/consumption-details": DETAIL_SORTS,
        f"{SHEETS}/{closed}/consumption-details": DETAIL_SORTS,
        "/api/products": PRODUCT_SORTS,
        "/api/categories": CATEGORY_SORTS,
        **{f"{REPORT}?by={by}": CONSUMPTION_SORTS for by in ConsumptionBy if by is not ConsumptionBy.STAFF},
    }
    for path, sorts in lists.items():
        joint = "&" if "?" in path else "?"
        for sort in sorted(sorts):
            yield path, nurse.get(f"{path}{joint}sort={sort}")
            yield path, nurse.get(f"{path}{joint}sort=-{sort}")
        forms = ("format=csv", "format=xlsx", "format=pdf")
        for query in ("limit=1", "q=gasa", "q=CUR-01", f"q={GAUZE}", *forms, "fields=price", "include=total"):
            yield path, nurse.get(f"{path}{joint}{query}")
        yield path, nurse.get(path, accept="text/csv")
        following = nurse.get(f"{path}{joint}limit=1").json()["meta"].get("next")
        if following:
            yield path, nurse.get(f"{path}{joint}cursor={following}")
    for product in (hospital.gauze, hospital.cannula, hospital.retired):
        yield "product", nurse.get(f"/api/products/{product}")
    for category in (hospital.dressings, hospital.tubes):
        yield "category", nurse.get(f"/api/categories/{category}")
    for each in (sheet, closed):
        yield "sheet", nurse.get(f"{SHEETS}/{each}")
        yield "closings", nurse.get(f"{SHEETS}/{each}/closings")
        yield "closing", nurse.get(f"{SHEETS}/{each}/closings/1")
        yield "closing on paper", nurse.get(f"{SHEETS}/{each}/closings/1/pdf")
        yield "paper", nurse.get(f"{SHEETS}/{each}/pdf")
        issued = nurse.post(f"{SHEETS}/{each}/accounts")
        moment = issued.json()["of"]
        yield "issued account", issued
        yield "account", nurse.get(f"{SHEETS}/{each}/account")
        yield "account compared", nurse.get(f"{SHEETS}/{each}/account/changes?since={moment}")
        yield "account on paper", nurse.get(f"{SHEETS}/{each}/account/pdf?of={moment}&prices=true")
    proof = re.search(rb"/Keywords \((\w+)\)", nurse.get(f"{SHEETS}/{closed}/pdf").content)
    assert proof
    yield "check of a paper", nurse.get(f"{SHEETS}/paper?text={proof[1].decode()}")


def _paper_and_shelves(hospital: Hospital, nurse: Caller) -> Walk:
    """Restock lists, a form with products, and an implant."""
    area, sheet = hospital.theatre, hospital.open_sheet()
    lines = f"{SHEETS}/{sheet}/consumption-details"
    draft = {"name": "Marcapasos", "category_id": hospital.tubes, "implant": True}
    price = hospital.admin.get(f"/api/products/{hospital.cannula}").json()["price"]
    implant = hospital.admin.post("/api/products", draft | {"price": price}).json()["id"]
    for product in (hospital.gauze, hospital.cannula, implant):
        shelf = {"shelf": "B 2", "fixed_amount": 100}
        assert hospital.admin.put(f"/api/areas/{area}/shelves/{product}", shelf).is_success
        hospital.add_detail(sheet, product_id=product, quantity=1, area_id=area, lot="L9", serial=f"S{product}")
    yield "shelves", nurse.get(f"/api/areas/{area}/shelves")
    listed = nurse.get(f"/api/areas/{area}/restock")
    yield "restock", listed
    assert all(line["fixed_amount"] for line in listed.json()["items"])
    closing = {"number": listed.json()["number"], "settle_rest": True}
    yield "close restock", nurse.post(f"/api/areas/{area}/restock/close", closing)
    untraced = {"product_id": implant, "quantity": 1}
    for body in (
        untraced,
        {**untraced, "acknowledged": []},
        {**untraced, "acknowledged": ["implant.incomplete"], "implant_reason": "R"},
    ):
        yield "implant", nurse.post(lines, body)
    printed = nurse.post("/api/contingency-forms", {"sheet_ids": [sheet]})
    yield "print a form", printed
    number = nurse.get("/api/contingency-forms").json()["items"][-1]["number"]
    form = nurse.get(f"/api/contingency-forms/{number}")
    yield "form", form
    assert form.json().get("products") or not form.is_success
    items = [{"product_id": product, "quantity": 1} for product in (hospital.gauze, hospital.cannula, implant)]
    noted = {"sheet_id": sheet, "occurred_at": hospital.clock().isoformat(), "items": items, "acknowledged": []}
    record = f"/api/contingency-forms/{number}/record"
    yield "form, asked", nurse.post(record, noted)
    items[2]["implant_reason"] = "R"
    for _ in range(2):
        answered = noted | {"acknowledged": ["implant.incomplete", "quantity.far_out"]}
        yield "form, twice", nurse.post(record, answered, idempotency_key="form")
    yield "lines of the form", nurse.get(f"{lines}?form_id={number}")


def _writes(hospital: Hospital, nurse: Caller, sheet: int, closed: int, detail: int) -> Walk:
    used = {"product_id": hospital.gauze, "quantity": 2, "total": 1, "unit_price": 1}
    for _ in range(2):
        yield "sheet, twice", nurse.post(SHEETS, hospital.admission(), idempotency_key="s")
        yield "detail, twice", nurse.post(f"{SHEETS}/{sheet}/consumption-details", used, idempotency_key="d")
        several = {"items": [used, used]}
        item = {"description": "bisturí láser", "quantity": 1}
        yield "unlisted, twice", nurse.post(f"{SHEETS}/{sheet}/unlisted-items", item, idempotency_key="u")
        yield (
            "several, twice",
            nurse.post(f"{SHEETS}/{sheet}/consumption-details/several", several, idempotency_key="v"),
        )
    # Clients that answer questions are asked.
    for acknowledged in ([], ["quantity.far_out"]):
        asked = used | {"quantity": 21, "acknowledged": acknowledged}
        yield "asked", nurse.post(f"{SHEETS}/{sheet}/consumption-details", asked)
        yield "asked, several", nurse.post(f"{SHEETS}/{sheet}/consumption-details/several", {"items": [asked]})
        yield "asked, edit", nurse.put(f"{DETAILS}/{detail}", asked)
    yield "another body", nurse.post(f"{SHEETS}/{sheet}/consumption-details", {}, idempotency_key="d")
    yield "too much", nurse.post(f"{SHEETS}/{sheet}/consumption-details", used | {"quantity": 10**6})
    yield "on a closed sheet", nurse.post(f"{SHEETS}/{closed}/consumption-details", used)
    yield from _extremes(hospital, nurse, sheet, detail)
    yield "edit", nurse.put(f"{DETAILS}/{detail}", used)
    yield "outdated", nurse.put(f"{SHEETS}/{sheet}", hospital.admission(), if_match='"1"')
    yield "update", nurse.put(f"{SHEETS}/{sheet}", hospital.admission(), if_match="*")
    yield "transfer", nurse.post(f"{SHEETS}/{sheet}/transfer", {"room_id": hospital.theatre_room})
    yield "undo transfer", nurse.delete(f"{SHEETS}/{sheet}/stays/last")
    yield "outdated delete", nurse.delete(f"{DETAILS}/{detail}", if_match='"9"')
    yield "delete", nurse.delete(f"{DETAILS}/{detail}")
    yield "delete again", nurse.delete(f"{DETAILS}/{detail}")
    noted = nurse.get(f"{SHEETS}/{sheet}/unlisted-items")
    yield "unlisted", noted
    yield "close, asked", nurse.delete(f"{SHEETS}/{sheet}/close")
    for item in noted.json().get("items", ()):
        product = {"product_id": hospital.cannula}
        hospital.supervisor.post(f"/api/unlisted-items/{item['id']}/resolve", product)
    again = {"description": "bisturí láser", "quantity": 1}
    yield "resolved", nurse.post(f"{SHEETS}/{sheet}/unlisted-items", again, idempotency_key="u")
    yield "close", nurse.delete(f"{SHEETS}/{sheet}/close")
    yield "close again", nurse.delete(f"{SHEETS}/{sheet}/close")
    yield "reopen", nurse.post(f"{SHEETS}/{sheet}/reopen", {"reason": "x"})
    yield "delete sheet", nurse.delete(f"{SHEETS}/{closed}")


def _extremes(hospital: Hospital, nurse: Caller, sheet: int, detail: int) -> Walk:
    """Requests at the limits of amounts, as in a binary search for a price."""
    for product in (hospital.gauze, hospital.cannula):
        for quantity in (*(round(9_999.999 / 2**step, 3) for step in range(12)), 9_999.999, 0.001, 0, -1, 10**6):
            used = {"product_id": product, "quantity": quantity}
            yield f"record {quantity}", nurse.post(f"{SHEETS}/{sheet}/consumption-details", used)
            yield f"edit to {quantity}", nurse.put(f"{DETAILS}/{detail}", used)
            for total in (quantity, quantity * float(CANNULA), 10**13):
                yield f"edit to total {total}", nurse.put(f"{DETAILS}/{detail}", used | {"total": total})
                back = {"reason": "unused", "quantity": 0.001}
                yield f"return after total {total}", nurse.post(f"{DETAILS}/{detail}/return", back)
    yield from _sent_about(hospital, nurse, sheet)


def _sent_about(hospital: Hospital, nurse: Caller, sheet: int) -> Walk:
    """Move lines to a sheet with a high total and back, and return some."""
    other = hospital.open_sheet()
    for product in (hospital.gauze, hospital.cannula) * 6:
        used = {"product_id": product, "quantity": 9_999.999}
        yield "fill", nurse.post(f"{SHEETS}/{other}/consumption-details", used)
        recorded = nurse.post(f"{SHEETS}/{sheet}/consumption-details", used | {"quantity": 3})
        yield "record", recorded
        moved = recorded.json().get("id", 0)
        there, back = {"detail_ids": [moved], "reason": "x"}, {"reason": "unused", "quantity": 1}
        yield "move", nurse.post(f"{SHEETS}/{sheet}/move-details", there | {"to_sheet_id": other})
        yield "return", nurse.post(f"{DETAILS}/{moved}/return", back)
        yield "move back", nurse.post(f"{SHEETS}/{other}/move-details", there | {"to_sheet_id": sheet})
        yield "correct", nurse.post(f"{DETAILS}/{moved}/correct", {"quantity": 3, "acknowledged": []})
        yield "return too much", nurse.post(f"{DETAILS}/{moved}/return", back | {"quantity": 3})
        yield "return the rest", nurse.post(f"{DETAILS}/{moved}/return", back | {"quantity": 2, "total": 1})
    for each in (sheet, other):
        yield "summary", nurse.get(f"{SHEETS}/{each}/summary")
        yield "version", nurse.get(f"{SHEETS}/{each}/version")
        yield "sheet", nurse.get(f"{SHEETS}/{each}")


def _read(answer: Response) -> str:
    """The readable text; the bytes of PDFs and workbooks hold other numbers."""
    if answer.headers.get("content-type") == XLSX:
        return text_of_workbook(answer)
    if answer.headers.get("content-type") != "application/pdf":
        return answer.text
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def _content(answer: Response) -> bytes:
    """The body; for workbooks their text, since they hold a time of creation."""
    if answer.headers.get("content-type") == XLSX:
        return text_of_workbook(answer).encode()
    return _RANDOM.sub(b"", answer.content)


def _headers(answer: Response) -> list[tuple[str, str]]:
    """The headers without the length of the body, which is compared itself."""
    return sorted(header for header in answer.headers.multi_items() if header[0] != "content-length")


def reported(answer: Response) -> list[str]:
    """Prices, totals and codes found in an answer; empty if it is redacted."""
    # The ETag of a file holds its modification time, which may equal any number.
    headers = {name: value for name, value in answer.headers.items() if name != "etag" or "/api/" in str(answer.url)}
    found = secrets_in(f"{headers} {_read(answer)}")
    return found + keys_of_prices_in(answer)


def secrets_in(text: str) -> list[str]:
    """The prices, totals and category codes in the text."""
    return [code for code in CODES if code in text] + [each for each in AMOUNTS if holds_amount(text, each)]


def values_in(answer: Response) -> list[Any]:
    """The JSON values: one, or one per line of a stream."""
    media_type = answer.headers.get("content-type", "")
    if media_type == "application/x-ndjson":
        return [json.loads(line) for line in answer.text.splitlines()]
    return [answer.json()] if "json" in media_type and answer.content else []


def keys_of_prices_in(answer: Response) -> list[str]:
    """The keys of prices in the JSON values of an answer."""
    inside = "areas" if re.match("/api/areas(/|$)", answer.url.path) else ""
    values = [value for value in values_in(answer) if "openapi" not in (value or {})]
    return [key for value in values for key in keys_of_prices(value, inside)]


def keys_of_prices(value: Any, inside: str = "") -> list[str]:
    """The keys that hold a price, a total or a category code."""
    if isinstance(value, list):
        return [key for item in value for key in keys_of_prices(item, inside)]
    if not isinstance(value, dict):
        return []
    priced = {"price", "unit_price", "total", "unbilled", "included_in_stay"}
    # The value of what was used is beside the number of lines; quoted text and FHIR quantities are values, too.
    priced |= {"value"} if {"details", "lines"} & set(value) else set()
    found = [key for key in value if key in priced and inside != "meta"]
    # Products and problems have a code, too; only categories and areas are objects of no more than id, code and name,
    # and the code of an area is no price. A FHIR capability statement lists interactions by code.
    if "code" in value and set(value) <= {"id", "code", "name"} and inside not in ("interaction", "area", "areas"):
        found.append("code")
    return found + [
        key for name, item in value.items() for key in keys_of_prices(item, inside if name == "items" else name)
    ]


@ON_ANY_DATABASE
def test_ward_staff_find_no_price_anywhere(database: str, tmp_path: Path) -> None:
    with hospital_on(database, tmp_path, clock=SettableClock(), prices=(GAUZE, CANNULA)) as hospital:
        walked = list(walk(hospital, hospital.nurse))
        assert len(walked) > 150
        for what, answer in walked:
            assert reported(answer) == [], (what, answer.url, answer.text)


def test_a_supervisor_finds_prices_on_the_same_walk(sqlite_url: str, tmp_path: Path) -> None:
    """Proves that the walk above reaches prices and recognises them."""
    with hospital_on(sqlite_url, tmp_path, clock=SettableClock(), prices=(GAUZE, CANNULA)) as hospital:
        found = {secret for _, answer in walk(hospital, hospital.supervisor) for secret in reported(answer)}
        priced = {"price", "unit_price", "total", "code", "value", "unbilled", "included_in_stay"}
        assert {*AMOUNTS, *CODES, *priced} <= found


@ON_ANY_DATABASE
@pytest.mark.parametrize(
    ("path", "sorts"),
    [
        (SHEETS, SHEET_SORTS),
        (f"{SHEETS}?closed=true", SHEET_SORTS),
        (DETAILS, DETAIL_SORTS),
        ("/api/products", PRODUCT_SORTS),
        ("/api/categories", CATEGORY_SORTS),
        (REPORT, CONSUMPTION_SORTS),
        (f"{REPORT}?by=product", CONSUMPTION_SORTS),
        (f"{REPORT}?by=product&used_for=all", CONSUMPTION_SORTS.union(EXTRA_SUMS)),
    ],
)
def test_ward_staff_cannot_sort_by_redacted_fields(hospital: Hospital, path: str, sorts: frozenset[str]) -> None:
    priced = sorts & PRICED_SORTS
    assert priced
    for sort in [*priced, *(f"-{each}" for each in priced)]:
        query = f"{path}{'&' if '?' in path else '?'}sort={sort}"
        assert hospital.nurse.get(query).status_code == 400
        assert hospital.supervisor.get(query).status_code == 200


@ON_ANY_DATABASE
@pytest.mark.parametrize("path", [SHEETS, DETAILS, "/api/products", "/api/categories"])
def test_ward_staff_cannot_search_by_redacted_fields(database: str, tmp_path: Path, path: str) -> None:
    with hospital_on(database, tmp_path, prices=(GAUZE, CANNULA)) as hospital:
        hospital.add_detail(hospital.open_sheet())
        assert hospital.nurse.get(path).json()["items"]
        for secret in (GAUZE, "7313", GAUZE.replace(".", ""), "CUR-01", "cur-01", "son-02"):
            assert hospital.nurse.get(f"{path}?q={secret}").json()["items"] == [], secret


@ON_ANY_DATABASE
def test_a_replayed_answer_is_redacted_after_a_demotion(database: str, tmp_path: Path) -> None:
    with hospital_on(database, tmp_path, clock=SettableClock(), prices=(GAUZE, CANNULA)) as hospital:
        supervisor, sheet = hospital.supervisor, hospital.open_sheet()
        used = {"product_id": hospital.gauze, "quantity": 2, "consumption_sheet_id": sheet}
        calls = {
            "a": (SHEETS, hospital.admission()),
            "b": (DETAILS, used),
            "c": (f"{SHEETS}/{sheet}/consumption-details", used),
        }
        before = {key: supervisor.post(path, body, idempotency_key=key) for key, (path, body) in calls.items()}
        assert all(reported(answer) for answer in before.values())
        hospital.set_role(supervisor, Role.USER)
        for key, (path, body) in calls.items():
            replay = supervisor.post(path, body, idempotency_key=key)
            assert replay.headers["idempotent-replayed"] == "true"
            assert replay.json()["id"] == before[key].json()["id"]
            assert reported(replay) == []


def test_a_replayed_answer_has_prices_after_a_promotion(hospital: Hospital) -> None:
    path = f"{SHEETS}/{hospital.open_sheet()}/consumption-details"
    used = {"product_id": hospital.gauze, "quantity": 2}
    hospital.nurse.post(path, used, idempotency_key="k")
    hospital.set_role(hospital.nurse, Role.SUPERVISOR)
    assert hospital.nurse.post(path, used, idempotency_key="k").json()["total"] == 5


def a_program(hospital: Hospital) -> Caller:
    """A service account with all scopes except the one for prices."""
    key, _ = a_key(hospital, set(SCOPES) - {Permission.SEE_PRICES})
    return key


@pytest.mark.parametrize("caller_of", [lambda hospital: hospital.nurse, a_program], ids=["ward staff", "program"])
def test_swapped_prices_change_no_byte_for_ward_staff(
    caller_of: Callable[[Hospital], Caller], migrated_file: Path, tmp_path: Path
) -> None:
    """One price is the maximum, the other is not."""
    here, there = answers_by_price(migrated_file, tmp_path, (str(MAX_PRICE), CANNULA), caller_of, walk)
    for one, other in zip(here, there, strict=True):
        assert one == other


def answers_by_price(
    migrated_file: Path,
    tmp_path: Path,
    prices: tuple[str, str],
    caller_of: Callable[[Hospital], Caller],
    asked: Callable[[Hospital, Caller], Walk],
) -> list[list[tuple[str, int, list[tuple[str, str]], bytes]]]:
    """All answers with these two prices, and with the prices swapped.

    Digests of closings have a random salt, so they differ each time and tell nothing about prices.
    """
    answers = []
    for name, of_both in (("one", prices), ("other", prices[::-1])):
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(migrated_file, folder)
        url = f"sqlite:///{folder / migrated_file.name}"
        with (
            patch.object(sql_frozen, "document_digest", lambda *_: "ab" * 32),
            hospital_on(url, folder, clock=SettableClock(), prices=of_both) as hospital,
        ):
            answers.append(
                [
                    (what, answer.status_code, _headers(answer), _content(answer))
                    for what, answer in asked(hospital, caller_of(hospital))
                    # The ids of sessions are random.
                    if answer.url.path.startswith(("/api/", "/fhir/")) and not answer.url.path.endswith("/sessions")
                ]
            )
    return answers


# --- questions about quantities --------------------------------------------------------------------------------------


def what_is_asked(hospital: Hospital, caller: Caller) -> Walk:
    """All requests that may ask about a quantity, and reads of their lines."""
    sheet = hospital.open_sheet()
    path = f"{SHEETS}/{sheet}/consumption-details"
    for product in (hospital.gauze, hospital.cannula):
        for quantity in (1, 2, 20, 21):
            used: dict[str, object] = {"product_id": product, "quantity": quantity}
            unasked: dict[str, object] = {}
            asked: dict[str, object] = {"acknowledged": []}
            answered: dict[str, object] = {"acknowledged": ["quantity.far_out"]}
            for more in (unasked, asked, answered):
                recorded = caller.post(path, used | more)
                yield f"record {quantity}", recorded
                yield f"several {quantity}", caller.post(f"{path}/several", {"items": [used | more, used | more]})
                if recorded.status_code == 201:
                    line = f"{DETAILS}/{recorded.json()['id']}"
                    yield "edit", caller.put(line, used | more | {"quantity": quantity + 0.5})
                    for _ in range(2):
                        correction = {"quantity": quantity + 1, **more}
                        yield "correct, twice", caller.post(f"{line}/correct", correction, idempotency_key=line)
            # Users who see prices are warned about the same line, or asked and answer.
            for more in (unasked, answered):
                hospital.supervisor.post(path, used | more)
    closed = hospital.closed_sheet()
    for product in (hospital.gauze, hospital.cannula):
        used = {"product_id": product, "acknowledged": []}
        late = {"items": [used | {"quantity": 1}, used | {"quantity": 21}], "occurred_at": hospital.clock().isoformat()}
        yield "late", caller.post(f"{SHEETS}/{closed}/late-entries", late, idempotency_key=f"late-{product}")
    yield "late entries", caller.get(f"{SHEETS}/{closed}/late-entries")
    for place in (path, DETAILS, "/api/overview", "/api/ward", f"{SHEETS}/{sheet}/history", "/api/audit"):
        yield place, caller.get(place)
    for form in ("csv", "xlsx"):
        yield form, caller.get(f"{path}?format={form}&voided=include")


def what_areas_use(hospital: Hospital, caller: Caller) -> Walk:
    """Areas and waste, if the stay includes the dearer product."""
    admin, products = hospital.admin, (hospital.gauze, hospital.cannula)
    known = [admin.get(f"/api/products/{product}").json() for product in products]
    for one in known:
        is_dear = one["price"] == max(each["price"] for each in known)
        draft = {"name": one["name"], "price": one["price"], "category_id": one["category"]["id"]}
        assert admin.put(f"/api/products/{one['id']}", draft | {"included_in_stay": is_dear}).is_success
    yield "products", caller.get("/api/products?included_in_stay=true")
    opened = caller.post(f"/api/areas/{hospital.theatre}/sheet")
    yield "page", opened
    page, sheet = opened.json().get("id", 0), hospital.open_sheet()
    for product in products:
        used = {"product_id": product, "quantity": 3}
        for place, of_area in ((sheet, {}), (page, {"use_reason": "cleaning"}), (sheet, {"use_reason": "dropped"})):
            recorded = caller.post(f"{SHEETS}/{place}/consumption-details", used | of_area)
            yield "record", recorded
            line = f"{DETAILS}/{recorded.json().get('id', 0)}"
            for more in ({"total": 0}, {"total": 5}, {"charged": True}, {"use_reason": "opened"}, {"quantity": 9_999}):
                yield f"edit with {more}", caller.put(line, used | of_area | more)
            yield "waste a part", caller.post(f"{line}/waste", {"quantity": 1, "use_reason": "opened"})
            yield "waste", caller.post(f"{line}/waste", {"quantity": 2, "use_reason": "dropped"})
            yield "no waste", caller.delete(f"{line}/waste")
            yield "return", caller.post(f"{line}/return", {"quantity": 1, "reason": "unused"})
            yield "correct", caller.post(f"{line}/correct", {"quantity": 2})
            other = {"to_sheet_id": page + sheet - place, "detail_ids": [recorded.json().get("id", 0)], "reason": "x"}
            for reason in ({}, {"use_reason": "training"}):
                yield "move", caller.post(f"{SHEETS}/{place}/move-details", other | reason)
    for place in (page, sheet):
        for path in ("consumption-details", "history", "version", "usual-products"):
            yield path, caller.get(f"{SHEETS}/{place}/{path}")
    for path in (f"/api/area-sheets/{page}", f"/api/areas/{hospital.theatre}/sheets", "/fhir/R4/ChargeItem"):
        yield path, caller.get(path)
    report = f"{REPORT}?from=2000-01-01&to=2100-01-01&by="
    for path in (f"{DETAILS}?", f"{report}product&", f"{report}use_reason&compare=previous&"):
        for used_for in UsedFor:
            for ending in ("", "&sort=value", "&sort=-total", "&unbilled=area", "&format=csv", "&format=xlsx"):
                yield f"{path} {used_for} {ending}", caller.get(f"{path}used_for={used_for}{ending}")


def what_is_answered_after_demotion(hospital: Hospital, _: Caller) -> Walk:
    """Answers to a supervisor, replayed after a demotion to role 1."""
    who, sheet = hospital.someone(Role.SUPERVISOR), hospital.open_sheet()
    path = f"{SHEETS}/{sheet}/consumption-details"
    calls: dict[str, tuple[str, object]] = {}
    for product in (hospital.gauze, hospital.cannula):
        used = {"product_id": product, "quantity": 1}
        calls[f"one-{product}"] = (path, used)
        calls[f"several-{product}"] = (f"{path}/several", {"items": [used]})
    for key, (place, body) in calls.items():
        assert who.post(place, body, idempotency_key=key).status_code == 201
    hospital.set_role(who, Role.USER)
    for key, (place, body) in calls.items():
        yield key, who.post(place, body, idempotency_key=key)


@pytest.mark.parametrize(
    ("caller_of", "asked"),
    [
        (lambda hospital: hospital.nurse, what_is_asked),
        (a_program, what_is_asked),
        (lambda hospital: hospital.nurse, what_areas_use),
        (a_program, what_areas_use),
        (lambda hospital: hospital.nurse, what_is_answered_after_demotion),
    ],
    ids=["ward staff", "program", "ward staff, areas", "program, areas", "demoted"],
)
def test_no_question_depends_on_a_price_without_the_permission(
    caller_of: Callable[[Hospital], Caller],
    asked: Callable[[Hospital, Caller], Walk],
    migrated_file: Path,
    tmp_path: Path,
) -> None:
    """One piece of one product is above the amount for a question."""
    here, there = answers_by_price(migrated_file, tmp_path, ("600.00", "0.35"), caller_of, asked)
    for one, other in zip(here, there, strict=True):
        assert one == other


def test_questions_depend_on_the_price_with_the_permission(migrated_file: Path, tmp_path: Path) -> None:
    """Proves that the compared answers can differ."""
    prices = ("600.00", "0.35")
    answers = answers_by_price(migrated_file, tmp_path, prices, lambda hospital: hospital.supervisor, what_is_asked)
    of_singles = [[status for what, status, *_ in each if what == "record 1"] for each in answers]
    assert of_singles == [[201, 422, 201, 201, 201, 201], [201, 201, 201, 201, 422, 201]]
