"""What every answer has in common: problems, languages, what is taken, headers, compression."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path
from typing import cast

import pytest
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient

from adapters.hospital_profile import HospitalProfile
from adapters.http.app import MAX_BODY_BYTES, create_app
from adapters.http.operations import Monitoring, PublicSettings
from adapters.i18n import messages
from application.use_cases import UseCases
from tests.http.hospital import DETAILS, SHEETS, Hospital

LOGIN = "/api/auth/login"


def app_alone(client: Path, *, why_not_ready: str | None = None, https: bool = False, offline: bool = True) -> Litestar:
    """The application without anything behind it."""

    async def say_why_not() -> str | None:
        return why_not_ready

    monitoring = Monitoring(why_not_ready=say_why_not, metrics=bytes, tell=lambda _: None)
    public = PublicSettings(currency="USD", time_zone="UTC", record_authority=None, idle_minutes=15, offline=offline)
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=UTC)
    address = f"{'https' if https else 'http'}://consumo.hospital.test"
    return create_app(cast("UseCases", None), public, monitoring, hospital, public_address=address, client=client)


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
def test_every_problem_has_the_one_shape(hospital: Hospital, status: int) -> None:
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


def test_a_refusal_for_one_reason_is_called_by_it(hospital: Hospital) -> None:
    one = hospital.nurse.delete(f"{SHEETS}/{hospital.closed_sheet()}/close").json()
    assert (one["code"], one["message"]) == ("sheet.closed", ["La hoja de consumo está cerrada: ya no admite cambios."])
    assert hospital.nurse.post(SHEETS, {}).json()["code"] == "invalid"


def test_a_method_that_a_path_does_not_take_is_told_with_those_that_it_takes(hospital: Hospital) -> None:
    answer = hospital.nurse.call("PATCH", SHEETS)
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer.headers["allow"].split(", "))


def test_what_is_under_no_address_is_not_found_in_json(hospital: Hospital) -> None:
    for path in ("/api", "/api/", "/api/nothing", "/api/areas/1/x", f"{SHEETS}/1/nothing", "/api/auth/login/x"):
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
            answer = hospital.admin.call(method, path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    for path in ("/health/x", "/schema/x", "/metrics"):
        assert hospital.admin.get(path).json()["code"] == "not_found", path


def test_what_does_not_exist_is_told_by_its_kind_and_number(hospital: Hospital) -> None:
    paths = hospital.admin.get("/schema/openapi.json").json()["paths"]
    one = {path: methods for path, methods in paths.items() if "{" in path}
    assert {name for path in one for name in re.findall(r"{(\w+)}", path)} == set(messages.catalogue("es")["missing"])
    for path in (path for path, methods in one.items() if "get" in methods):
        for number in ("987", str(2**63)):
            asked = "?into=1" if path.endswith("/merge-preview") else ""
            answer = hospital.admin.get(re.sub(r"{\w+}", number, path) + asked)
            name = path[path.index("{") + 1 : path.index("}")]
            assert answer.status_code == 404, path
            assert answer.json()["message"] == messages.missing("es", name, number), path
    assert "el paciente 987" in messages.missing("es", "patient_id", 987)


# --- languages -------------------------------------------------------------------------------------------------------


def test_the_language_is_the_one_that_the_caller_prefers(hospital: Hospital) -> None:
    told = {"es": "Inicie sesión para continuar.", "en": "Sign in to continue."}
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
        assert answer.json()["message"] == told[spoken], languages[:40]
    assert hospital.stranger.get(SHEETS).json()["message"] == told["es"]


# --- what is taken ---------------------------------------------------------------------------------------------------


def test_what_does_not_call_itself_json_is_not_taken(hospital: Hospital) -> None:
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


def test_what_calls_itself_json_is_taken(hospital: Hospital) -> None:
    for content_type in ("application/json", "Application/JSON; charset=utf-8", "application/problem+json"):
        assert hospital.stranger.post(LOGIN, b"{}", content_type=content_type).status_code == 422, content_type


def test_what_does_not_say_what_it_is_is_read_as_json(hospital: Hospital) -> None:
    assert hospital.client.post(LOGIN, content=b"{}").status_code == 422


@pytest.mark.parametrize("path", [LOGIN, SHEETS, DETAILS])
def test_a_body_may_have_a_million_bytes_and_no_more(hospital: Hospital, path: str) -> None:
    body = b'{"x": "%s"}' % (b"a" * (MAX_BODY_BYTES - 9))
    assert len(body) == MAX_BODY_BYTES
    assert hospital.nurse.post(path, body).status_code == 422
    assert hospital.nurse.post(path, body + b" ").status_code == 413


def test_a_body_that_does_not_say_its_length_is_cut_off_at_a_million_bytes(hospital: Hospital) -> None:
    def drops() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * (MAX_BODY_BYTES // 10)

    answer = hospital.client.post(LOGIN, content=drops(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_nobody_learns_anything_about_a_body_before_signing_in(hospital: Hospital) -> None:
    for path in (SHEETS, DETAILS):
        for body in (b"", b"{", b"\xff", b"[]", b" " * (MAX_BODY_BYTES + 1)):
            assert hospital.stranger.post(path, body).status_code == 401
            assert hospital.stranger.post(path, body, content_type="text/plain").status_code == 401


# --- headers and compression -----------------------------------------------------------------------------------------


def test_every_answer_keeps_the_browser_safe(hospital: Hospital) -> None:
    pages = ("/", "/rooms", "/assets/app-1a2b.js", "/health/live", "/schema/x")
    for path in (*pages, SHEETS, f"{SHEETS}/999", LOGIN, "/api/nothing"):
        for caller in (hospital.stranger, hospital.admin):
            headers = caller.get(path).headers
            policy = dict(directive.split(" ", 1) for directive in headers["content-security-policy"].split("; "))
            is_page = headers["content-type"].startswith("text/html")
            assert is_page is (path in ("/", "/rooms"))
            # What reads symbols off a camera is WebAssembly; nowhere is text a program.
            assert policy["script-src"] == ("'self' 'wasm-unsafe-eval'" if is_page else "'self'"), path
            assert policy["default-src"] == "'self'"
            assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            is_static = is_page or path.startswith("/assets/")
            assert (headers.get_list("cache-control") == ["no-store"]) is not is_static, path


def test_only_static_files_may_be_kept_however_the_path_is_spelled(hospital: Hospital) -> None:
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


def test_long_answers_are_compressed_for_those_who_take_it(hospital: Hospital) -> None:
    for _ in range(5):
        hospital.open_sheet()
    compressed = hospital.nurse.get(SHEETS, accept_encoding="gzip")
    plain = hospital.nurse.get(SHEETS, accept_encoding="identity")
    assert compressed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in compressed.headers["vary"].lower()
    assert "content-encoding" not in plain.headers
    assert compressed.json() == plain.json()
    assert int(compressed.headers["content-length"]) < len(plain.content) / 2


# --- the client's files ----------------------------------------------------------------------------------------------


def test_every_path_that_is_no_file_serves_the_page(hospital: Hospital, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("nobody may read this")
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


def test_the_clients_files_are_kept_by_browsers_as_long_as_their_name_lasts(hospital: Hospital) -> None:
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
def test_the_clients_files_come_as_the_build_compressed_them(
    tmp_path: Path, accepted: str, encoding: str | None
) -> None:
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


def test_no_two_forms_of_a_file_are_told_to_be_the_same(tmp_path: Path) -> None:
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
def test_the_worker_is_asked_for_anew_each_time_and_takes_leave_where_nobody_is_to_work_offline(
    tmp_path: Path, offline: bool, served: str
) -> None:
    (tmp_path / "sw.js").write_text("works")
    (tmp_path / "sw-off.js").write_text("takes leave")
    with TestClient(app_alone(tmp_path, offline=offline)) as client:
        answer = client.get("/sw.js", headers={"Accept-Encoding": "identity"})
    assert answer.text == served
    assert "javascript" in answer.headers["content-type"]
    assert answer.headers["cache-control"] == "no-cache"


def test_the_manifest_of_the_home_screen_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "manifest.webmanifest").write_text("{}")
    with TestClient(app_alone(tmp_path)) as client:
        answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"].split(";")[0] == "application/manifest+json"
    assert answer.headers["cache-control"] == "no-cache"


def test_without_a_built_client_there_is_no_page(tmp_path: Path) -> None:
    app = app_alone(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/").status_code == 404


# --- operations ------------------------------------------------------------------------------------------------------


def test_the_client_learns_currency_and_time_zone_before_anyone_signs_in(hospital: Hospital) -> None:
    answer = hospital.stranger.get("/api/settings")
    assert answer.status_code == 200
    assert answer.json() == {
        "currency": "MXN",
        "time_zone": "America/Mexico_City",
        "record_authority": None,
        "idle_minutes": 15,
        "offline": True,
    }


def test_a_server_says_that_it_lives_and_that_it_is_ready(hospital: Hospital) -> None:
    for path in ("/health/live", "/health/ready"):
        answer = hospital.stranger.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_server_without_its_database_lives_but_is_not_ready(tmp_path: Path) -> None:
    app = app_alone(tmp_path, why_not_ready="no database")
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get("/health/live").status_code == 200
        answer = client.get("/health/ready")
        assert (answer.status_code, answer.json()) == (503, {"status": "no database"})


def test_an_unexpected_error_says_nothing_about_its_cause(tmp_path: Path) -> None:
    app = app_alone(tmp_path)
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get(SHEETS, headers={"Authorization": "Bearer x"})
    assert answer.status_code == 500
    # What the server could not do is found again in its log.
    assert set(answer.json()) == KEYS | {"request_id"}
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    assert answer.json()["message"] == "Ocurrió un error inesperado. Inténtelo de nuevo."
    assert "None" not in answer.text


@pytest.mark.parametrize("https", [False, True])
def test_browsers_that_come_by_https_are_told_to_come_no_other_way(tmp_path: Path, https: bool) -> None:
    with TestClient(app_alone(tmp_path, https=https)) as client:
        for path in ("/health/live", "/api/nothing"):
            told = client.get(path).headers.get("strict-transport-security")
            assert told == ("max-age=31536000" if https else None)


# --- the OpenAPI document --------------------------------------------------------------------------------------------


def test_the_document_that_clients_are_generated_from_is_the_one_that_is_served(hospital: Hospital) -> None:
    committed = Path(__file__).parents[2] / "ui" / "openapi.json"
    served = hospital.stranger.get("/schema/openapi.json")
    assert served.status_code == 200
    assert served.json() == json.loads(committed.read_text()), "run `make openapi`"


def test_every_call_of_the_document_has_a_name_and_the_one_shape_of_problems(hospital: Hospital) -> None:
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
