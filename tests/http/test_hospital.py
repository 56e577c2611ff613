"""The hospital's settings over HTTP, as they apply in the server at once."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.builders import SettableClock, an_image
from tests.http.hospital import Hospital, hospital_on

SETTINGS = "/api/hospital/settings"
LOGO = "/api/hospital/logo"


def read(hospital: Hospital) -> dict[str, object]:
    answer: dict[str, object] = hospital.admin.get(SETTINGS).json()
    return answer


def test_a_change_is_public_at_once(hospital: Hospital) -> None:
    saved = hospital.admin.put(SETTINGS, read(hospital) | {"name": "San José", "idle_minutes": 3}, if_match='"0"')
    assert saved.headers["etag"] == '"1"'
    public = hospital.stranger.get("/api/settings").json()
    assert (public["hospital_name"], public["idle_minutes"]) == ("San José", 3)
    stale = hospital.admin.put(SETTINGS, read(hospital) | {"name": "Other"}, if_match='"0"')
    assert stale.status_code == 412
    assert read(hospital)["name"] == "San José"


def test_a_refusal_quotes_the_value(hospital: Hospital) -> None:
    refused = hospital.admin.put(
        SETTINGS, read(hospital) | {"currency": "EUR", "idle_minutes": 9999, "shift_starts": ["25:00", "06:00"]}
    )
    assert refused.status_code == 422
    said = {error["field"]: error["message"] for error in refused.json()["errors"]}
    assert said == {
        "currency": "No cambie «Moneda» aquí: está fijado en el servidor, y «EUR» no se guardaría.",
        "idle_minutes": "Escriba en «Minutos hasta el bloqueo» un número del 0 al 1.440: 9.999 no está permitido.",
        "shift_starts": "Escriba de 2 a 4 horas de inicio distintas, como 06:00, 14:00 y 22:00: "
        "«25:00, 06:00» no sirve.",
    }


def test_a_day_is_that_of_the_new_time_zone(sqlite_url: str, tmp_path: Path) -> None:
    clock = SettableClock()
    clock.now = datetime(2026, 11, 22, 3, 0, tzinfo=UTC)
    with hospital_on(sqlite_url, tmp_path, clock=clock, TIME_ZONE="", CURRENCY="") as hospital:
        sheet = hospital.open_sheet()
        days = [hospital.add_detail(sheet)["day"]]
        change = read(hospital) | {"time_zone": "America/Guayaquil", "currency": "PEN"}
        assert hospital.admin.put(SETTINGS, change).status_code == 200
        days.append(hospital.add_detail(sheet)["day"])
        assert days == ["2026-11-22", "2026-11-21"]
        assert hospital.admin.get("/api/overview").json()["day"] == "2026-11-21"
        assert "PEN" in hospital.admin.get("/fhir/R4/ChargeItem").text


def test_a_logo_is_public_and_stored_by_its_version(hospital: Hospital) -> None:
    assert hospital.stranger.get(LOGO).status_code == 404
    assert hospital.admin.put(LOGO, an_image("JPEG"), if_match='"0"').json()["logo_version"] == 1
    assert hospital.stranger.get("/api/settings").json()["logo_version"] == 1
    answer = hospital.stranger.get(LOGO)
    assert answer.headers["content-type"] == "image/jpeg"
    assert (answer.headers["etag"], answer.headers["cache-control"]) == ('"1"', "no-cache")
    assert hospital.stranger.call("GET", LOGO, **{"If-None-Match": '"1"'}).status_code == 304
    assert "immutable" in hospital.stranger.get(f"{LOGO}?version=1").headers["cache-control"]
    # Another address shows this logo, but not for ever.
    assert hospital.stranger.get(f"{LOGO}?version=2").headers["cache-control"] == "no-cache"
    assert hospital.admin.call("DELETE", LOGO, if_match='"0"').status_code == 412
    assert hospital.admin.call("DELETE", LOGO, if_match='"1"').json()["logo_version"] is None
    assert hospital.stranger.get(LOGO).status_code == 404


def test_an_svg_is_no_logo(hospital: Hospital) -> None:
    refused = hospital.admin.put(LOGO, b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["code"] == "logo.unreadable"


def test_a_preview_is_a_pdf_and_changes_nothing(hospital: Hospital) -> None:
    answer = hospital.admin.post("/api/hospital/preview", read(hospital) | {"name": "Unsaved"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert read(hospital)["name"] == ""


@pytest.mark.parametrize("name", ["SECRET_KEY", "PROXIES", "METRICS_TOKEN", "DATABASE_URL"])
def test_security_stays_in_the_environment(hospital: Hospital, name: str) -> None:
    assert name.lower() not in read(hospital)
