"""What all answers share: problems, languages, headers and compression."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from httpx import Response
from litestar import Litestar
from litestar.middleware.compression import gzip_facade
from litestar.testing import TestClient

from adapters.hospital.profile import HospitalProfile
from adapters.http.app import MAX_BODY_BYTES, create_app
from adapters.http.controllers.operations import Monitoring, PublicSettings
from adapters.http.requests.request import MAX_ANONYMOUS_BYTES
from adapters.i18n import messages
from adapters.i18n.catalogue import catalogue
from application.common.store_errors import StoreUnavailable, UnavailableReason
from application.use_cases import UseCases
from tests.http.hospital import DETAILS, SHEETS, Hospital

LOGIN = "/api/auth/login"


def app_alone(
    client: Path,
    *,
    why_not_ready: str | None = None,
    https: bool = False,
    offline: bool = True,
    check_setup: Callable[[], bool] = lambda: True,
) -> Litestar:
    """The application without a database."""

    async def say_why_not() -> str | None:
        return why_not_ready

    monitoring = Monitoring(why_not_ready=say_why_not, metrics=bytes, on_request=lambda _: None)
    public = PublicSettings(
        hospital_name=None,
        logo_version=None,
        currency="USD",
        number_format="language",
        time_zone="UTC",
        utc_offset_minutes=0,
        shifts=["06:00", "14:00", "22:00"],
        record_authority=None,
        idle_minutes=15,
        offline=offline,
        oidc=None,
        demonstration=False,
        passkey_host=None,
    )
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=UTC)
    address = f"{'https' if https else 'http'}://consumo.hospital.test"
    use_cases = cast("UseCases", SimpleNamespace(users=SimpleNamespace(check_setup=check_setup)))
    return create_app(
        lambda: use_cases, lambda: public, monitoring, lambda: hospital, public_address=address, client=client
    )


KEYS = {"type", "title", "status", "detail", "code", "message", "errors"}


# --- problems --------------------------------------------------------------------------------------------------------

PROBLEMS: dict[int, Callable[[Hospital], Response]] = {
    400: lambda hospital: hospital.nurse.post(SHEETS, b"{"),
    401: lambda hospital: hospital.stranger.get(SHEETS),
    403: lambda hospital: hospital.newcomer.get(SHEETS),
    404: lambda hospital: hospital.nurse.get(f"{SHEETS}/999"),
    405: lambda hospital: hospital.nurse.call("PATCH", SHEETS),
    412: lambda hospital: hospital.nurse.put(f"{SHEETS}/{hospital.open_sheet()}", {}, if_match='"9"'),
    413: lambda hospital: hospital.nurse.post(SHEETS, b" " * (MAX_BODY_BYTES + 1)),
    415: lambda hospital: hospital.nurse.post(SHEETS, b"{}", content_type="text/plain"),
    422: lambda hospital: hospital.nurse.post(SHEETS, {}),
}


@pytest.mark.parametrize("status", PROBLEMS)
def test_every_problem_has_the_same_shape(hospital: Hospital, status: int) -> None:
    answer = PROBLEMS[status](hospital)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == KEYS
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert problem["title"]
    assert problem["code"]
    if status == 422:
        assert problem["message"] == [error["message"] for error in problem["errors"]]
        assert len(problem["message"]) == 3
        assert problem["detail"] == " ".join(problem["message"])
    else:
        assert isinstance(problem["message"], str)
        assert problem["message"] == problem["detail"]
        assert problem["errors"] == []


def test_a_refusal_for_one_reason_has_its_code(hospital: Hospital) -> None:
    one = hospital.nurse.delete(f"{SHEETS}/{hospital.closed_sheet()}/close").json()
    assert (one["code"], one["message"]) == ("sheet.closed", ["La hoja de consumo está cerrada: ya no admite cambios."])
    assert hospital.nurse.post(SHEETS, {}).json()["code"] == "invalid"


def test_a_405_lists_the_allowed_methods(hospital: Hospital) -> None:
    answer = hospital.nurse.call("PATCH", SHEETS)
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer.headers["allow"].split(", "))


def test_an_unknown_address_is_a_json_404(hospital: Hospital) -> None:
    for path in ("/api", "/api/", "/api/nothing", "/api/areas/1/x", f"{SHEETS}/1/nothing", "/api/auth/login/x"):
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
            answer = hospital.admin.call(method, path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    for path in ("/health/x", "/schema/x", "/metrics"):
        assert hospital.admin.get(path).json()["code"] == "not_found", path


# Without these, a call is refused before anything is looked for.
_NEEDED_QUERIES = {
    "/merge-preview": "?into=1",
    "/account/changes": "?since=account-1",
    "/account/pdf": "?of=account-1",
}


def test_a_404_names_the_kind_and_number_of_the_missing_thing(hospital: Hospital) -> None:
    paths = hospital.admin.get("/schema/openapi.json").json()["paths"]
    one = {path: methods for path, methods in paths.items() if "{" in path}
    # Moments of an account are asked for by a query.
    names = {name for path in one for name in re.findall(r"{(\w+)}", path)} | {"of", "since"}
    assert names == set(catalogue("es")["missing"])
    for path in (path for path, methods in one.items() if "get" in methods):
        for number in ("987", str(2**63)):
            asked = next((query for end, query in _NEEDED_QUERIES.items() if path.endswith(end)), "")
            answer = hospital.admin.get(re.sub(r"{\w+}", number, path) + asked)
            name = path[path.index("{") + 1 : path.index("}")]
            assert answer.status_code == 404, path
            assert answer.json()["message"] == messages.missing("es", name, number), path
    assert "el paciente 987" in messages.missing("es", "patient_id", 987)


# --- languages -------------------------------------------------------------------------------------------------------


def test_the_language_follows_accept_language(hospital: Hospital) -> None:
    reported = {"es": "Inicie sesión para continuar.", "en": "Sign in to continue."}
    for languages, spoken in {
        "": "es",
        "es": "es",
        "en": "en",
        "EN": "en",
        "en-US": "en",
        "es-MX": "es",
        "es-MX,es;q=0.9,en;q=0.8": "es",
        "en-GB,en;q=0.9,es;q=0.8": "en",
        "es;q=0.3, en-GB;q=0.8": "en",
        "fr, en;q=0.2": "en",
        "de-DE, en;q=0.7, es;q=0.7": "en",
        "de-DE, es;q=0.7, en;q=0.7": "es",
        "fr": "es",
        "*": "es",
        "en;q=0": "es",
        "en;q=0, es;q=0.1": "es",
        "en;q=nan": "es",
        "en;q=x, es;q=0.1": "es",
        "english": "es",
        ";;;,,=,q=": "es",
        "en," * 5000: "en",
    }.items():
        answer = hospital.stranger.get(SHEETS, accept_language=languages)
        assert answer.json()["message"] == reported[spoken], languages[:40]
    assert hospital.stranger.get(SHEETS).json()["message"] == reported["es"]


# --- request bodies --------------------------------------------------------------------------------------------------


def test_a_body_of_another_content_type_is_415(hospital: Hospital) -> None:
    body = b'{"email": "a", "password": "b"}'
    for content_type in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
    ):
        assert hospital.stranger.post(LOGIN, body, content_type=content_type).status_code == 415, content_type
    for content_type in ("", "x", ";", "*/*", "application/jsonx"):
        assert hospital.stranger.post(LOGIN, body, content_type=content_type).status_code == 415, content_type


def test_json_content_types_are_accepted(hospital: Hospital) -> None:
    for content_type in ("application/json", "Application/JSON; charset=utf-8", "application/problem+json"):
        assert hospital.stranger.post(LOGIN, b"{}", content_type=content_type).status_code == 422, content_type


def test_a_body_without_a_content_type_is_read_as_json(hospital: Hospital) -> None:
    assert hospital.client.post(LOGIN, content=b"{}").status_code == 422


@pytest.mark.parametrize(
    ("path", "most"), [(LOGIN, MAX_ANONYMOUS_BYTES), (SHEETS, MAX_BODY_BYTES), (DETAILS, MAX_BODY_BYTES)]
)
def test_the_length_of_a_body_is_limited(hospital: Hospital, path: str, most: int) -> None:
    body = b'{"x": "%s"}' % (b"a" * (most - 9))
    assert len(body) == most
    assert hospital.nurse.post(path, body).status_code == 422
    assert hospital.nurse.post(path, body + b" ").status_code == 413


def test_a_chunked_body_is_cut_off_at_the_limit(hospital: Hospital) -> None:
    def drops() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * (MAX_BODY_BYTES // 10)

    headers = {**hospital.nurse.headers, "Content-Type": "application/json"}
    answer = hospital.client.post(SHEETS, content=drops(), headers=headers)
    assert answer.status_code == 413


def test_a_body_is_not_judged_before_authentication(hospital: Hospital) -> None:
    for path in (SHEETS, DETAILS):
        for body in (b"", b"{", b"\xff", b"[]", b" " * (MAX_BODY_BYTES + 1)):
            assert hospital.stranger.post(path, body).status_code == 401
            assert hospital.stranger.post(path, body, content_type="text/plain").status_code == 401


# --- headers and compression -----------------------------------------------------------------------------------------


def test_every_answer_has_security_headers(hospital: Hospital) -> None:
    pages = ("/", "/rooms", "/assets/app-1a2b.js", "/health/live", "/schema/x")
    for path in (*pages, SHEETS, f"{SHEETS}/999", LOGIN, "/api/nothing"):
        for caller in (hospital.stranger, hospital.admin):
            headers = caller.get(path).headers
            policy = dict(directive.split(" ", 1) for directive in headers["content-security-policy"].split("; "))
            is_page = headers["content-type"].startswith("text/html")
            assert is_page is (path in ("/", "/rooms"))
            # WebAssembly is for the symbol reader, on pages and in workers; `eval` of text is allowed nowhere.
            reads = is_page or headers["content-type"].startswith("text/javascript")
            assert reads is (path in ("/", "/rooms", "/assets/app-1a2b.js")), path
            assert policy["script-src"] == ("'self' 'wasm-unsafe-eval'" if reads else "'self'"), path
            # Pictures of products are shown from memory.
            assert policy["img-src"] == ("'self' data: blob:" if is_page else "'self' data:"), path
            assert policy["default-src"] == "'self'"
            assert policy.get("frame-src") == ("blob:" if is_page else None), path
            assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            is_static = is_page or path.startswith("/assets/")
            assert (headers.get_list("cache-control") == ["no-store"]) is not is_static, path


def test_only_static_files_are_cacheable_in_any_path_spelling(hospital: Hospital) -> None:
    patient = f"fhir/R4/Patient/{hospital.patient}"
    for path in (
        "api/settings",
        "api/patients",
        "api/nothing",
        patient,
        "fhir/R4/metadata",
        "fhir/R4/Patient?_count=x",
    ):
        for spelling in (f"/{path}", f"//{path}", f"///{path.replace('/', '//')}"):
            answer = hospital.admin.get(f"http://testserver.local{spelling}")
            assert answer.headers.get_list("cache-control") == ["no-store"], spelling
            assert not answer.headers["content-type"].startswith("text/html"), spelling


def test_long_answers_are_compressed_on_request(hospital: Hospital) -> None:
    for _ in range(5):
        hospital.open_sheet()
    compressed = hospital.nurse.get(SHEETS, accept_encoding="gzip")
    plain = hospital.nurse.get(SHEETS, accept_encoding="identity")
    assert compressed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in compressed.headers["vary"].lower()
    assert "content-encoding" not in plain.headers
    assert compressed.json() == plain.json()
    assert int(compressed.headers["content-length"]) < len(plain.content) / 2


def test_short_answers_make_no_compressor(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(gzip_facade, "GzipFile", lambda **options: made.append(options))
    answer = hospital.nurse.get("/api/areas", accept_encoding="gzip")
    assert (answer.status_code, answer.headers.get("content-encoding"), made) == (200, None, [])


# --- the client's files ----------------------------------------------------------------------------------------------


def test_every_path_without_a_file_serves_the_page(hospital: Hospital, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("a secret of the server")
    for path in (
        *("/", "/auth/login", "/consumption-sheets/closed/7", "/rooms/1/edit?from=x", "/apis"),
        *("/assets", "/assets/", "/assets/gone-9f8e.js", "/index.html/", "/index.html/x"),
        *("/%ff%fe", "/" + "a" * 300, "/assets/" + "b" * 5000 + ".js", "/" + "c/" * 3000),
        *("/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/..%5csecret.txt"),
        *("//etc/passwd", "/%2fetc/passwd", "/~root/.bashrc"),
    ):
        answer = hospital.stranger.get(path)
        assert answer.status_code == 200, path
        assert answer.text == "<!doctype html><title>Consumo</title>", path
        assert answer.headers["content-type"].startswith("text/html"), path
        assert answer.headers["cache-control"] == "no-cache", path


def test_client_files_with_hashed_names_are_cached_for_a_year(hospital: Hospital) -> None:
    answer = hospital.stranger.get("/assets/app-1a2b.js")
    assert "javascript" in answer.headers["content-type"]
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.text.startswith("console.log('¡hola!')")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.1, gzip", "br"),
        ("gzip", "gzip"),
        ("gzip, br;q=0", "gzip"),
        ("br;q=0.0,gzip; q=0", None),
        ("identity", None),
        ("", None),
    ],
)
def test_client_files_are_served_precompressed(tmp_path: Path, accepted: str, encoding: str | None) -> None:
    script = tmp_path / "assets" / "app-1a2b.js"
    script.parent.mkdir(parents=True)
    script.write_bytes(b"plain" * 500)
    script.with_name("app-1a2b.js.br").write_bytes(b"brotli")
    script.with_name("app-1a2b.js.gz").write_bytes(b"gzip")
    asked = {"Accept-Encoding": accepted}
    with (
        TestClient(app_alone(tmp_path)) as client,
        client.stream("GET", "/assets/app-1a2b.js", headers=asked) as answer,
    ):
        body = b"".join(answer.iter_raw())
    assert body == {"br": b"brotli", "gzip": b"gzip", None: b"plain" * 500}[encoding]
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-length"] == str(len(body))
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in answer.headers["content-type"]


def test_every_page_leads_to_the_first_account_until_it_exists(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the page")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "app-1a2b.js").write_text("code")
    accounts: list[str] = []
    asked: list[bool] = []

    def check_setup() -> bool:
        asked.append(bool(accounts))
        return bool(accounts)

    with TestClient(app_alone(tmp_path, check_setup=check_setup)) as client:
        for path in ("/", "/index.html", "/worklist", "/auth/login"):
            answer = client.get(path, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (302, "/auth/first-administrator"), path
            assert answer.headers["cache-control"] == "no-store"
        assert client.get("/auth/first-administrator").text == "the page"
        assert client.get("/assets/app-1a2b.js").text == "code"
        assert client.get("/health/live").status_code == 200
        accounts.append("ada@hospital.test")
        asked.clear()
        assert {client.get(path).text for path in ("/", "/worklist", "/")} == {"the page"}
        assert asked == [True]


def test_pages_are_served_while_the_database_is_down(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the page")

    def check_setup() -> bool:
        raise StoreUnavailable(UnavailableReason.UNREACHABLE)

    with TestClient(app_alone(tmp_path, check_setup=check_setup)) as client:
        assert client.get("/worklist").text == "the page"


def test_each_encoding_of_a_file_has_its_own_etag(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    for name, content in (("index.html", b"plain"), ("index.html.br", b"brotli"), ("index.html.gz", b"gzip")):
        page.with_name(name).write_bytes(content)
    with TestClient(app_alone(tmp_path)) as client:
        tags = set()
        for accepted in ("br", "gzip", "identity"):
            with client.stream("GET", "/", headers={"Accept-Encoding": accepted}) as answer:
                assert answer.headers["cache-control"] == "no-cache"
                assert answer.headers["vary"] == "Accept-Encoding"
                tags.add(answer.headers["etag"])
    assert len(tags) == 3


@pytest.mark.parametrize(("offline", "served"), [(True, "works"), (False, "takes leave")])
def test_the_service_worker_is_revalidated_and_can_be_disabled(tmp_path: Path, offline: bool, served: str) -> None:
    (tmp_path / "sw.js").write_text("works")
    (tmp_path / "sw-off.js").write_text("takes leave")
    with TestClient(app_alone(tmp_path, offline=offline)) as client:
        answer = client.get("/sw.js", headers={"Accept-Encoding": "identity"})
    assert answer.text == served
    assert "javascript" in answer.headers["content-type"]
    assert answer.headers["cache-control"] == "no-cache"


def test_the_web_manifest_has_its_content_type(tmp_path: Path) -> None:
    (tmp_path / "manifest.webmanifest").write_text("{}")
    with TestClient(app_alone(tmp_path)) as client:
        answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"].split(";")[0] == "application/manifest+json"
    assert answer.headers["cache-control"] == "no-cache"


def test_without_a_built_client_the_page_is_404(tmp_path: Path) -> None:
    app = app_alone(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/").status_code == 404


# --- operations ------------------------------------------------------------------------------------------------------


def test_settings_are_public(hospital: Hospital) -> None:
    answer = hospital.stranger.get("/api/settings")
    assert answer.status_code == 200
    assert answer.json() == {
        "hospital_name": None,
        "logo_version": None,
        "number_format": "language",
        "currency": "MXN",
        "time_zone": "America/Mexico_City",
        "utc_offset_minutes": -360,
        "shifts": ["06:00", "14:00", "22:00"],
        "record_authority": None,
        "idle_minutes": 15,
        "offline": True,
        "demonstration": False,
        "passkey_host": "consumo.hospital.test",
        "oidc": {"name": "Hospital San José", "only": False, "logout": True},
    }


def test_a_server_reports_that_it_is_live_and_ready(hospital: Hospital) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = hospital.stranger.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_server_without_its_database_is_live_but_not_ready(tmp_path: Path) -> None:
    app = app_alone(tmp_path, why_not_ready="no database")
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/health/live").status_code == 200
        answer = client.get("/health/ready")
        assert (answer.status_code, answer.json()) == (503, {"status": "no database"})


def test_an_unexpected_error_does_not_reveal_its_cause(tmp_path: Path) -> None:
    app = app_alone(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get(SHEETS, headers={"Authorization": "Bearer x"})
    assert answer.status_code == 500
    # The request id leads to the error in the server's log.
    assert set(answer.json()) == KEYS | {"request_id"}
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    assert answer.json()["message"] == "Ocurrió un error inesperado. Inténtelo de nuevo."
    assert "None" not in answer.text


@pytest.mark.parametrize("https", [False, True])
def test_hsts_is_sent_with_https_only(tmp_path: Path, https: bool) -> None:
    with TestClient(app_alone(tmp_path, https=https)) as client:
        for path in ("/health/live", "/api/nothing"):
            reported = client.get(path).headers.get("strict-transport-security")
            assert reported == ("max-age=31536000" if https else None)


# --- the OpenAPI document --------------------------------------------------------------------------------------------


def test_the_committed_openapi_document_is_the_served_one(hospital: Hospital) -> None:
    committed = Path(__file__).parents[2] / "ui" / "openapi.json"
    served = hospital.stranger.get("/schema/openapi.json")
    assert served.status_code == 200
    assert served.json() == json.loads(committed.read_text()), "run `make openapi`"


def test_every_operation_has_a_unique_name_and_standard_problems(hospital: Hospital) -> None:
    document = hospital.stranger.get("/schema/openapi.json").json()
    calls = [call for path in document["paths"].values() for call in path.values()]
    names = [call["operationId"] for call in calls]
    assert len(names) == len(set(names)) > 30
    for call in calls:
        refusals = [answer for status, answer in call["responses"].items() if int(status) >= 400]
        for refusal in refusals:
            problem = refusal["content"]["application/problem+json"]["schema"]
            assert problem == {"$ref": "#/components/schemas/Problem"}
    assert set(document["components"]["schemas"]["Problem"]["required"]) == KEYS


@pytest.mark.parametrize(
    "path",
    [
        "/", "/areas", "/health/live", "/api/settings", "/api/areas", "/api/areas?format=csv", "/api/areas/1",
        "/api/areas/9999",
        "/api/areas?limit=101", "/api/none", "/schema/openapi.json", "/fhir/R4/metadata", "/fhir/R4/Location",
        "/fhir/R4/Location/area-1", f"{SHEETS}/9999", "/api/recalls", "/api/audit?format=xlsx",
    ],
)  # fmt: skip
def test_head_is_a_get_without_a_body(hospital: Hospital, path: str) -> None:
    read, head = hospital.admin.get(path), hospital.admin.call("HEAD", path)
    assert (head.status_code, head.content) == (read.status_code, b"")
    for name in ("content-type", "etag", "cache-control"):
        assert head.headers.get(name) == read.headers.get(name)


def test_head_of_an_address_without_get_lists_its_methods(hospital: Hospital) -> None:
    head = hospital.admin.call("HEAD", "/api/auth/login")
    assert (head.status_code, head.content, "POST" in head.headers["allow"]) == (405, b"", True)
