"""Pictures of products over HTTP."""

from threading import current_thread
from typing import Any

import pytest
from PIL import Image

from adapters.files.images import read_picture
from domain.catalogue.picture import MAX_PICTURE_BYTES
from tests.builders import an_image
from tests.http.hospital import Hospital, refused

SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


@pytest.fixture
def path(hospital: Hospital) -> str:
    return f"/api/products/{hospital.gauze}/picture"


def test_a_picture_is_sent_with_its_checked_type(hospital: Hospital, path: str) -> None:
    answer = hospital.supervisor.put(path, an_image(), content_type="image/svg+xml")
    assert answer.status_code == 200, answer.text
    digest = answer.json()["picture"]
    picture = hospital.nurse.get(path, accept_encoding="gzip")
    assert (picture.status_code, picture.content) == (200, read_picture(an_image()).content)
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["x-content-type-options"] == "nosniff"
    assert "content-encoding" not in picture.headers
    assert picture.headers["etag"] == f'"{digest}"'
    assert hospital.nurse.get(f"/api/products/{hospital.gauze}").json()["picture"] == digest


def test_browsers_keep_only_the_picture_with_its_digest(hospital: Hospital, path: str) -> None:
    digest = hospital.admin.put(path, an_image()).json()["picture"]
    kept = {one: hospital.nurse.get(f"{path}{one}").headers.get_list("cache-control") for one in ("", "?digest=0")}
    assert kept == {"": ["private, no-cache"], "?digest=0": ["private, no-cache"]}
    asked = hospital.nurse.get(f"{path}?digest={digest}")
    assert asked.headers.get_list("cache-control") == ["private, max-age=31536000, immutable"]
    same = hospital.nurse.get(path, if_none_match=f'"{digest}"')
    assert (same.status_code, same.content) == (304, b"")
    assert hospital.nurse.get(path, if_none_match='"1"').status_code == 200


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (SVG, "picture.unreadable", "Elija otra imagen: debe ser JPEG, PNG o WebP."),
        (b"", "picture.unreadable", "Elija otra imagen: debe ser JPEG, PNG o WebP."),
        (
            an_image().ljust(MAX_PICTURE_BYTES + 5_000, b"\0"),
            "picture.too_large",
            "Elija una imagen de 300 kB como máximo: esta tiene 305 kB.",
        ),
    ],
    ids=["an svg", "nothing", "too many bytes"],
)
def test_a_refused_picture_says_what_to_do(
    hospital: Hospital, path: str, content: bytes, code: str, message: str
) -> None:
    answer = hospital.admin.put(path, content, content_type="image/png", accept_language="es")
    assert refused(answer) == [("picture", code)]
    assert answer.json()["message"] == [message]
    assert hospital.admin.get(path).status_code == 404


def test_a_multipart_form_is_not_taken_for_a_picture(hospital: Hospital, path: str) -> None:
    answer = hospital.admin.put(path, b"--x--", content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 415


def test_ward_staff_cannot_change_pictures(hospital: Hospital, path: str) -> None:
    # Refused before the content is looked at.
    assert hospital.nurse.put(path, SVG).status_code == 403
    assert hospital.nurse.delete(path).status_code == 403
    hospital.admin.put(path, an_image())
    assert hospital.admin.delete(path).status_code == 204
    assert hospital.admin.delete(path).status_code == 204
    assert hospital.nurse.get(path).status_code == 404


def test_pictures_are_unpacked_in_the_queue_of_heavy_work(
    hospital: Hospital, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, open_image = list[str](), Image.open

    def note(*args: Any, **kwargs: Any) -> Image.Image:
        threads.append(current_thread().name)
        return open_image(*args, **kwargs)

    monkeypatch.setattr(Image, "open", note)
    assert hospital.admin.put(path, an_image()).status_code == 200
    assert threads
    assert all(name.startswith("heavy-work") for name in threads), threads
