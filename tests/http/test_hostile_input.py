"""Hostile input: a clear refusal, nothing written, no server error."""

import asyncio
import itertools
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from httpx import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.http.hospital import DETAILS, ON_ANY_DATABASE, ON_EVERY_DATABASE, PASSWORD, SHEETS, Caller, Hospital
from tests.walk import WALKS_ALL

# Reproducible examples without a database; all examples share one hospital.
FUZZ = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=150 if WALKS_ALL else 10,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

LISTS = [
    SHEETS,
    f"{SHEETS}?closed=true",
    f"{SHEETS}/1/consumption-details",
    DETAILS,
    "/api/products",
    "/api/categories",
    "/api/areas",
    "/api/rooms",
    "/api/patients",
    "/api/staff",
]

# Each value replaces each field in turn, written as raw JSON.
HOSTILE_VALUES = [
    "null",
    "true",
    "[]",
    "{}",
    '[["x"]]',
    '{"id": 1}',
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "1e-400",
    "1e999999999999999999",
    "1e9999999999999999999999",
    "9" * 400,
    "-" + "9" * 400,
    "9" * 5000,
    "0." + "3" * 5000,
    "0x10",
    "01",
    str(2**31),
    str(2**63 - 1),
    str(2**63),
    str(2**64),
    str(-(2**63)),
    "-1",
    "-0",
    "0.1",
    '"1"',
    '"٣"',
    '""',
    '" "',
    r'"\u0000"',
    r'"a\u0000b"',
    r'"\ud800"',
    r'"\udfff\ud800"',
    '"\x01"',
    r'"\u0007\u001b[31m"',
    r'"\u202e\u200b\ufeff"',
    '"' + "x" * 300_000 + '"',
    '"' + "é" * 201 + '"',
    '"0000-00-00"',
    '"0001-01-01"',
    '"9999-12-31"',
    '"10000-01-01"',
    '"2026-02-30"',
    '"2026-W01-1"',
    '"2026-05-04T25:00:00Z"',
    '"9999-12-31T23:59:59-23:59"',
    '"0001-01-01T00:00:00+23:59"',
    '"2026-05-04T00:00:00+99:99"',
    "'x'",
    "",
]

HOSTILE_BODIES = [
    b"",
    b" ",
    b"{",
    b"}",
    b"null",
    b"true",
    b"0",
    b"NaN",
    b'"text"',
    b"[]",
    b"[{}]",
    b'[{"email": "a"}]',
    b"{}{}",
    b"{} trailing",
    b"{'a': 1}",
    b'{"a": 1,}',
    b'{"a"}',
    b"// comment\n{}",
    b"\xff\xfe\x00",
    b"\x00",
    b"\xef\xbb\xbf{}",
    b"\x1f\x8b\x08\x00gzip",
    "{}".encode("utf-16"),
    b'{"name": "\xff"}',
    b'{"name": "\xed\xa0\x80"}',
    b'{"name": "\xc0\x80"}',
    rb'{"\ud800": 1}',
    rb'{"name": "\u12"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b'{"x":' + b"[" * 900 + b"]" * 900 + b"}",
    b'{"a":' * 900 + b"1" + b"}" * 900,
    b"{" + b",".join(b'"f%d":1' % number for number in range(50_000)) + b"}",
    b"name=Ana&first_surname=R",
    b"<xml/>",
]


def is_clear(answer: Response) -> bool:
    """Whether the answer is a success, or a 4xx with a complete problem."""
    if answer.is_success:
        return True
    problem = answer.json()
    return 400 <= answer.status_code < 500 and problem["status"] == answer.status_code and bool(problem["message"])


def calls_with_bodies(hospital: Hospital) -> Iterator[tuple[Caller, str, str, dict[str, object]]]:
    """Every call with a body, and a valid body."""
    sheet = hospital.open_sheet()
    detail = hospital.add_detail(sheet)["id"]
    used = {"product_id": hospital.gauze, "quantity": 1, "staff_id": hospital.nurse.staff_id, "area_id": 0}
    profile: dict[str, object] = {
        "name": "Ana",
        "first_surname": "Ríos",
        "second_surname": "Paz",
        "telephone_number": "55",
        "job_title": "1",
        "date_of_birth": "1990-01-01",
    }
    yield hospital.stranger, "POST", "/api/auth/login", {"email": "unknown@hospital.test", "password": PASSWORD}
    yield hospital.admin, "PUT", "/api/staff/profile", profile
    yield hospital.admin, "POST", SHEETS, hospital.admission()
    yield hospital.admin, "PUT", f"{SHEETS}/{sheet}", hospital.admission()
    yield hospital.admin, "POST", f"{SHEETS}/{hospital.closed_sheet()}/reopen", {"reason": "error"}
    yield hospital.admin, "POST", DETAILS, {**used, "consumption_sheet_id": sheet}
    yield hospital.admin, "POST", f"{SHEETS}/{sheet}/consumption-details", {**used, "total": 1}
    yield hospital.admin, "PUT", f"{DETAILS}/{detail}", {**used, "total": 1}


@ON_ANY_DATABASE
def a_category(hospital: Hospital) -> int:
    category: int = hospital.admin.get("/api/categories").json()["items"][0]["id"]
    return category


@ON_EVERY_DATABASE
@pytest.mark.parametrize(
    "code",
    [
        "UNP-1\u200b",
        "\ufeffUNP-1",
        "UNP\u00ad-1",
        "unp\u20111",
        "UNP-1\u200e",
        "\u00a0UNP-1\t",
        "UNP-1\n",
        "UNP-\u034f1",
        "\U000e0041UNP-1",
    ],
)
def test_products_cannot_have_codes_that_look_alike(hospital: Hospital, code: str) -> None:
    body = {"name": "Producto invisible", "price": 1, "category_id": a_category(hospital)}
    assert hospital.admin.post("/api/products", body | {"code": "UNP-1"}).status_code == 201
    again = hospital.admin.post("/api/products", body | {"code": code})
    assert [reported["code"] for reported in again.json()["errors"]] == ["taken"]
    assert "UNP" in again.json()["message"][0].upper()
    for q in (code, "UNP-1"):
        found = hospital.nurse.get(f"/api/products?{urlencode({'q': q})}").json()["items"]
        assert [one["code"] for one in found] == ["UNP-1"]
        looked_up = hospital.nurse.get(f"/api/products/lookup?{urlencode({'code': q})}").json()
        assert [match["product"]["code"] for match in looked_up["matches"]] == ["UNP-1"]


@pytest.mark.parametrize("blank", ["\n", "\r\n", "\t", "\u2028", "\u00a0", "\u202f", "\u200b ", "  "])
def test_names_and_codes_are_stored_as_one_line(hospital: Hospital, blank: str) -> None:
    body = {"name": f"Gasa{blank}con salto", "code": f"SAL{blank}TO", "price": 1, "category_id": a_category(hospital)}
    kept = hospital.admin.post("/api/products", body).json()
    assert (kept["name"], kept["code"]) == ("Gasa con salto", "SAL TO")


def test_malformed_bodies_are_refused(hospital: Hospital) -> None:
    calls = list(calls_with_bodies(hospital))
    before = hospital.rows()
    for caller, method, path, _ in calls:
        for body in HOSTILE_BODIES:
            answer = caller.call(method, path, body)
            assert answer.status_code in (400, 413, 422), (method, path, body[:40])
            assert is_clear(answer)
    assert hospital.rows() == before


@ON_ANY_DATABASE
def test_hostile_field_values_get_a_clear_answer(hospital: Hospital) -> None:
    for caller, method, path, form in calls_with_bodies(hospital):
        for name, value in itertools.product(form, HOSTILE_VALUES):
            fields = [f'"{other}": {json.dumps(kept)}' for other, kept in form.items() if other != name]
            body = "{" + ", ".join([*fields, f'"{name}": {value}']) + "}"
            answer = caller.call(method, path, body.encode())
            assert is_clear(answer), (method, path, name, value[:40], answer.text)


def test_the_last_of_duplicate_json_keys_wins(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    body = f'{{"product_id": {hospital.gauze}, "quantity": 1, "quantity": 3}}'.encode()
    answer = hospital.nurse.post(f"{SHEETS}/{sheet}/consumption-details", body)
    assert answer.json()["quantity"] == 3


@ON_ANY_DATABASE
def test_unknown_ids_in_paths_are_404(hospital: Hospital) -> None:
    ids = [
        *("0", "-1", "00", "x", "1.0", "1e3", "+1x", "null", "NaN", "%00", "%20", "%ff", "%ED%A0%80", "1%00", "'1'"),
        *("9" * digits for digits in (10, 19, 20, 30, 400, 5000)),
        *(str(2**bits + more) for bits in (31, 32, 63, 64) for more in (-1, 0, 1)),
    ]
    before = hospital.rows()
    for path in (SHEETS, DETAILS, "/api/products", "/api/categories", "/api/areas", "/api/rooms", "/api/staff"):
        for stranger in ids:
            answer = hospital.admin.get(f"{path}/{stranger}")
            assert answer.status_code == 404, (path, stranger)
            assert is_clear(answer)
    used = {"product_id": hospital.gauze, "quantity": 1}
    for stranger in ids:
        for method, path, body in (
            ("PUT", f"{SHEETS}/{stranger}", hospital.admission()),
            ("DELETE", f"{SHEETS}/{stranger}", None),
            ("DELETE", f"{SHEETS}/{stranger}/close", None),
            ("POST", f"{SHEETS}/{stranger}/reopen", {"reason": "x"}),
            ("POST", f"{SHEETS}/{stranger}/consumption-details", used),
            ("GET", f"{SHEETS}/{stranger}/consumption-details", None),
            ("PUT", f"{DETAILS}/{stranger}", used),
            ("DELETE", f"{DETAILS}/{stranger}", None),
        ):
            assert hospital.admin.call(method, path, body).status_code == 404, (method, path)
    assert hospital.rows() == before


@ON_ANY_DATABASE
def test_hostile_queries_get_a_clear_answer(hospital: Hospital) -> None:
    hospital.add_detail(hospital.open_sheet())
    hospital.closed_sheet()
    queries = [
        *("page=1&page=2", "limit=1&limit=101", "sort=id&sort=nothing", "q=a&q=b", "closed=true&closed=false"),
        *("from=2026-05-04&from=x", "to=9999-12-31&from=0001-01-01", "from=9999-12-31&to=0001-01-01"),
        *("from=2026-06-01&to=2026-01-01", "cursor=x&page=2", "cursor=W10&sort=id", "cursor=W10&q=a"),
        *(
            "=",
            "&&&",
            "?",
            "%",
            "%zz",
            "%ff=%fe",
            "page[]=1",
            "page%00=1",
            "q",
            "q=%ED%A0%80",
            "q=%ff",
            "q=%f0%9f%98%80",
        ),
        *("q=" + "a" * 20_000, "q=" + "a%20" * 5_000, "a" * 50_000, "&".join(f"x{n}=1" for n in range(2_000))),
        *("q='; DROP TABLE users;--", 'q="', "q=\\", "q=%25_%5c", "q=*", "q=NEAR(a b)", "q=a OR b", "q=-gasa", "q=^a"),
        *("q=%f0%9f%98%80", "q=%e2%80%ae", "q=%cc%81", "q=%c3%9f", "q=İ", "q=ﬁ", "q=½", "q=" + "%cc%81" * 3_000),
        *("name=%00", "name=%ED%A0%80", "active=2", "unassigned=x", "format=csv", "format=%00"),
    ]
    for path in LISTS:
        for query in queries:
            answer = hospital.admin.get(f"{path}{'&' if '?' in path else '?'}{quote(query, safe='%=&?[]*^-;')}")
            assert is_clear(answer), (path, query[:60], answer.text)


@ON_ANY_DATABASE
def test_hostile_headers_get_a_clear_answer(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    who = {name.encode(): value.encode() for name, value in hospital.admin.headers.items()}
    values = [b"", b" ", b"\xff\xfe", "ñandú".encode(), b"\x7f", b'"' * 5_000, b"x" * 50_000, b"*, *", b'W/"', b"\t,\t"]
    for name in (b"If-Match", b"Idempotency-Key", b"Accept-Language", b"Accept", b"Cookie", b"Content-Type", b"Host"):
        for value in values:
            for method, path, body in (
                ("GET", f"{SHEETS}/{sheet}", b""),
                ("PUT", f"{SHEETS}/{sheet}", json.dumps(hospital.admission()).encode()),
                ("POST", SHEETS, json.dumps(hospital.admission()).encode()),
            ):
                answer = hospital.client.request(method, path, content=body, headers=who | {name: value})
                assert is_clear(answer), (name, value[:20], answer.text)


async def status_of(app: Any, method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]]) -> int:
    """The status of a raw ASGI request, which client libraries would not send."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b'{"name": "x"}', "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": headers,
        "client": ("192.0.2.1", 4711),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    await app(scope, receive, send)
    return int(sent[0]["status"])


def test_invalid_addresses_and_hosts_never_break_the_server(hospital: Hospital) -> None:
    who = [(name.lower().encode(), value.encode()) for name, value in hospital.admin.headers.items()]
    queries = [b"", b"q=\xff", b"\xff\xfe", b"page=\xff", b"page=x", b"q=\x00", b"q=a b", b'q="<>', b"%"]
    hosts = [b"a:b:c", b"a:99999", b"a:-1", b"[", b"]", b"\xff", b"a/b?c#d", b"", b":"]
    for query, host in itertools.product(queries, hosts):
        headers = [*who, (b"host", host)]
        for method, path in (
            ("GET", "/api/areas"),
            ("POST", "/api/areas"),
            ("GET", "/api/nowhere"),
            ("PUT", "/api/areas"),
        ):
            status = asyncio.run(status_of(hospital.client.app, method, path, query, headers))
            assert status < 500, (method, path, query, host)


# --- fuzzing ---------------------------------------------------------------------------------------------------------

TEXTS = st.text(max_size=20) | st.text(st.characters(categories=["Cs", "Cc", "Cf", "Co"]), max_size=5)
NUMBERS = (
    st.integers()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.decimals(allow_nan=False, allow_infinity=False).map(float)
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | st.dates().map(str) | st.datetimes(timezones=st.timezones()).map(str),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    [
        *("email", "password", "name", "first_surname", "second_surname", "telephone_number", "job_title"),
        *("date_of_birth", "diagnosis", "doctor", "patient_id", "room_id", "admission_date", "reason", "total"),
        *("product_id", "quantity", "staff_id", "area_id", "consumption_sheet_id", "user_id", "id", "parse_errors"),
    ]
)
PARAMETERS = st.sampled_from(
    [
        *("page", "limit", "sort", "q", "cursor", "closed", "from", "to", "patient_id", "room_id", "area_id", "name"),
        *("consumption_sheet_id", "product_id", "staff_id", "category_id", "active", "unassigned", "format"),
    ]
)


@ON_ANY_DATABASE
def test_fuzzed_forms_get_a_clear_answer(hospital: Hospital) -> None:
    calls = list(calls_with_bodies(hospital))

    @FUZZ
    @given(call=st.sampled_from(calls), changes=st.dictionaries(FIELDS, VALUES, max_size=4))
    def send(call: tuple[Caller, str, str, dict[str, object]], changes: dict[str, object]) -> None:
        caller, method, path, form = call
        assert is_clear(caller.call(method, path, form | changes))

    send()


def test_fuzzed_bytes_get_a_clear_answer(hospital: Hospital) -> None:
    calls = list(calls_with_bodies(hospital))

    @FUZZ
    @given(call=st.sampled_from(calls), body=st.binary(max_size=200) | VALUES.map(json.dumps).map(str.encode))
    def send(call: tuple[Caller, str, str, dict[str, object]], body: bytes) -> None:
        caller, method, path, _ = call
        assert is_clear(caller.call(method, path, body))

    send()


@ON_ANY_DATABASE
def test_fuzzed_queries_get_a_clear_answer(hospital: Hospital) -> None:
    hospital.add_detail(hospital.open_sheet())
    hospital.closed_sheet()
    known = st.sampled_from(["", "1", "0", "-id", "name", "total", "2026-05-04", "9999-12-31", "true", "gasa", "null"])

    @FUZZ
    @given(path=st.sampled_from(LISTS), asked=st.lists(st.tuples(PARAMETERS, known | TEXTS), max_size=4))
    def ask(path: str, asked: list[tuple[str, str]]) -> None:
        query = urlencode(asked, errors="surrogatepass")
        assert is_clear(hospital.admin.get(f"{path}{'&' if '?' in path else '?'}{query}"))

    ask()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/api/areas", ["name"]),
        ("/api/rooms", ["name"]),
        ("/api/categories", ["code", "name"]),
        ("/api/products", ["name", "code", "unit"]),
        ("/api/patients", ["name", "first_surname", "second_surname", "record_number"]),
        ("/api/staff", ["name", "first_surname", "second_surname", "telephone_number", "job_title"]),
        (SHEETS, ["doctor"]),
        ("/api/auth/register-by-admin", ["email"]),
    ],
)
def test_bidirectional_control_characters_are_refused(hospital: Hospital, path: str, fields: list[str]) -> None:
    """``Vega<U+202E>aneR`` is displayed as ``VegaRena``."""
    before = hospital.rows()
    answer = hospital.supervisor.post(path, dict.fromkeys(fields, "Vega\u202eaneR"))
    assert answer.status_code == 422
    reported = {error["field"]: error for error in answer.json()["errors"]}
    assert {reported[field]["code"] for field in fields} == {"text.direction"}
    sentence = "tiene un carácter invisible (U+202E) que cambia el sentido de la lectura."
    for field in fields:
        assert reported[field]["message"].startswith("Escriba de nuevo «VegaaneR» en «")
        assert reported[field]["message"].endswith(sentence)
    assert hospital.rows() == before
