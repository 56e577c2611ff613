"""The contract of every store on disk: an import is kept whole or not at all, whoever else is at work or is killed."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest

from adapters.sql.connections import Limits
from adapters.sql.store import SqlStore
from application.areas import AreaDraft
from application.imports.reading.columns import Noun
from application.imports.reading.table import Choices
from application.paging import ListQuery
from application.ports.unit_of_work import StoreUnavailable
from application.products import ProductDraft
from application.views import ProductQuery
from domain.refusal import Code
from tests.builders import ZONE, Ward, a_ward
from tests.contracts.audit_logs import trail_of
from tests.contracts.together import at_once
from tests.expecting import refused
from tests.servers import ROOT, dying_with_us
from tests.spreadsheets.importing import Brought, Told, brought_in, file_of

MANY = 1_000


@pytest.fixture
def ward(database_url: str) -> Iterator[Ward]:
    store = SqlStore(database_url, ZONE)
    yield a_ward(store)
    store.close()


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    return file_of(tmp_path, ["code;name;price;category", *(f"{n};Gasa {n};1,50;Grupo {n % 7}" for n in range(MANY))])


def how_many(ward: Ward) -> int:
    return ward.use_cases.products.page(ward.admin, ProductQuery(limit=1))["meta"]["total"]


def imports(ward: Ward) -> list[tuple[str, int]]:
    return [(one["noun"], one["created"]) for one in ward.use_cases.imports.page(ward.admin, ListQuery())["items"]]


@contextmanager
def worker(ward: Ward, database_url: str, task: str, file: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is ready to import; killed when the block ends, or after a minute."""
    command = [
        *dying_with_us("KILL"), sys.executable, "-m", "tests.contracts.import_worker",
        database_url, task, str(ward.admin.user_id), str(file),
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        too_late = threading.Timer(60, process.kill)
        too_late.start()
        try:
            assert line_of(process) == "ready"
            yield process
        finally:
            too_late.cancel()
            process.kill()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def test_who_is_killed_with_everything_written_and_nothing_kept_leaves_nothing(
    ward: Ward, database_url: str, catalogue: Path
) -> None:
    before = how_many(ward), trail_of(ward.store)
    with worker(ward, database_url, "halfway", catalogue) as process:
        go(process)
        assert line_of(process) == "halfway"
        process.kill()
        process.wait(30)
    assert (how_many(ward), trail_of(ward.store)) == before
    assert imports(ward) == []
    # Nobody waits for the dead, and what was reserved is no hindrance.
    assert brought_in(ward, catalogue).counts == (MANY, 0, 0, 0)


def test_killed_at_any_moment_all_of_it_is_there_or_nothing(ward: Ward, database_url: str, catalogue: Path) -> None:
    alone, times = how_many(ward), 4
    short = file_of(catalogue.parent, "code;name;price\nx;x;1\n", name="short.csv")
    begun = time.monotonic()
    with worker(ward, database_url, "whole", short) as process:
        go(process)
        assert line_of(process) == "1"
    longest = max(time.monotonic() - begun, 1)
    for part in range(times):
        with worker(ward, database_url, "whole", catalogue) as process:
            go(process)
            time.sleep(longest * part / times)
            process.kill()
            process.wait(30)
        kept = imports(ward)
        assert how_many(ward) == alone + 1 + (MANY if ("products", MANY) in kept else 0)
        assert len(kept) in (1, 2)
    brought_in(ward, catalogue)
    assert how_many(ward) == alone + 1 + MANY


# --- others at work --------------------------------------------------------------------------------------------------


def disturbed(ward: Ward, file: Path, disturb: Callable[[], object], **choices: Any) -> Brought:
    """Import that file while somebody else does something: after the rows were looked at and before they are kept."""
    prepare = ward.store.prepare
    done: list[object] = []

    @contextmanager
    def prepare_later() -> Iterator[Any]:
        if not done:
            done.append(disturb())
        with prepare() as ready:
            yield ready

    how, batch = ward.use_cases.read_file(ward.admin, file, Noun.PRODUCTS, Choices(**choices))
    told = Told()
    report = replace(unwrap(ward.use_cases.import_rows), prepare=prepare_later)(ward.admin, batch, told)
    return Brought(how, report, told.rows, len(told.begun))


def test_what_somebody_else_changed_meanwhile_is_not_overwritten_unseen(ward: Ward, tmp_path: Path) -> None:
    gauze = ward.product("Gasa", "1.00", code="1", unit="caja")
    change = ProductDraft(
        name="Gasa", price=gauze.price, category_id=gauze.category_id, code="1", unit="bolsa", active=0
    )
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"])
    brought = disturbed(ward, file, lambda: ward.use_cases.update_product(ward.admin, gauze.id, change))
    assert brought.counts == (0, 1, 0, 0)
    found = ward.use_cases.products.one(ward.admin, gauze.id)
    assert (str(found["price"]), found["unit"], found["active"]) == ("2.50", "bolsa", False)


def test_what_somebody_else_made_meanwhile_is_not_made_twice(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50", "2;Venda;1,50"])
    brought = disturbed(ward, file, lambda: ward.product("Gasa", "2.50", code="1"))
    assert (brought.counts, brought.begun) == ((1, 0, 1, 0), 2)
    assert how_many(ward) == 3


def test_between_the_last_look_and_the_writing_nobody_else_changes_what_is_about_to_change(
    ward: Ward, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gauze = ward.product("Gasa", "1.00", code="1")
    prepare, impatient = ward.store.prepare, SqlStore(database_url, ZONE, Limits(lock_timeout=0.2))

    @contextmanager
    def prepare_beside_another() -> Iterator[Any]:
        with prepare() as ready:
            keep = ready.keep

            def keep_meanwhile() -> None:
                with pytest.raises(StoreUnavailable), impatient.begin() as other:
                    other.products.lock(gauze.id)
                keep()

            monkeypatch.setattr(ready, "keep", keep_meanwhile)
            yield ready

    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"])
    _, batch = ward.use_cases.read_file(ward.admin, file, Noun.PRODUCTS, Choices())
    report = replace(unwrap(ward.use_cases.import_rows), prepare=prepare_beside_another)(ward.admin, batch, Told())
    impatient.close()
    assert report.changed == 1


def test_what_somebody_else_does_elsewhere_is_no_matter(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"])
    brought = disturbed(ward, file, lambda: ward.use_cases.create_area(ward.admin, AreaDraft(name="Pediatría")))
    assert brought.counts == (1, 0, 0, 0)
    assert brought.begun == 1


def test_a_row_that_is_refused_because_of_somebody_else_stops_it_all(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price;gtin", "1;Gasa;2,50;4006381333931", "2;Venda;1,50;"])
    with refused(Code.IMPORT_DISTURBED):
        disturbed(ward, file, lambda: ward.product("Otra", gtin="4006381333931"))
    assert how_many(ward) == 2


def test_the_same_file_from_several_at_once_is_brought_in_once(ward: Ward, catalogue: Path, tmp_path: Path) -> None:
    patients = file_of(
        tmp_path, ["nombre;apellido;nacimiento", *(f"Ana {n};Gil;1980-01-01" for n in range(300))], name="p.csv"
    )
    for file, noun, many in ((catalogue, Noun.PRODUCTS, MANY), (patients, Noun.PATIENTS, 300)):
        outcomes = at_once([lambda file=file, noun=noun: brought_in(ward, file, noun)] * 3)  # type: ignore[misc]
        counts = sorted(one.counts for one in outcomes)
        assert counts == [(0, 0, many, 0), (0, 0, many, 0), (many, 0, 0, 0)]


def test_people_go_on_recording_while_a_large_file_is_looked_through(ward: Ward, catalogue: Path) -> None:
    """What is read and reckoned holds nobody up: a writer gets in between."""
    recorded = threading.Event()
    sheet_id = ward.sheet()["id"]

    class Recording(Told):
        def row(self, told: Any) -> None:
            super().row(told)
            if told.line == MANY // 2:
                ward.detail(sheet_id)
                recorded.set()

    how, batch = ward.use_cases.read_file(ward.admin, catalogue, Noun.PRODUCTS, Choices())
    assert how.questions == ()
    assert ward.use_cases.import_rows(ward.admin, batch, Recording()).created == MANY
    assert recorded.is_set()
