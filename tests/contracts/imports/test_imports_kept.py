"""Contract of the SQL stores: an import is stored whole or not at all.

Concurrent changes and killed processes make no difference.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest

from adapters.sql.engine.connections import Limits
from adapters.sql.store import SqlStore
from application.catalogue.areas import AreaDraft
from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.catalogue.views import ProductQuery
from application.common.entities import PRODUCT, SHEET
from application.common.paging import ListQuery
from application.common.store_errors import StoreUnavailable
from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from domain.catalogue.product import gtin_key
from domain.common.errors import Code
from tests.assertions import refused
from tests.builders import ZONE, Ward, a_ward
from tests.contracts.audit.audit_logs import trail_of
from tests.contracts.common.concurrently import at_once
from tests.imports.importing import ImportOutcome, RowCollector, brought_in, file_of
from tests.pace import PATIENCE
from tests.servers import ROOT, dying_with_us
from tests.walk import WALKS_ALL

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
    return ward.use_cases.products.reader.page(ward.admin, ProductQuery(limit=1))["meta"]["total"]


def imports(ward: Ward) -> list[tuple[str, int]]:
    return [
        (one["noun"], one["created"]) for one in ward.use_cases.imports.reader.page(ward.admin, ListQuery())["items"]
    ]


@contextmanager
def worker(ward: Ward, database_url: str, task: str, file: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process ready to import; kill it at the end or after a minute."""
    command = [
        *dying_with_us("KILL"), sys.executable, "-m", "tests.contracts.imports.import_worker",
        database_url, task, str(ward.admin.user_id), str(file),
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        too_late = threading.Timer(PATIENCE, process.kill)
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


def test_a_process_killed_before_its_commit_leaves_nothing(ward: Ward, database_url: str, catalogue: Path) -> None:
    before = how_many(ward), trail_of(ward.store)
    with worker(ward, database_url, "halfway", catalogue) as process:
        go(process)
        assert line_of(process) == "halfway"
        process.kill()
        process.wait(PATIENCE)
    assert (how_many(ward), trail_of(ward.store)) == before
    assert imports(ward) == []
    # The dead process holds no lock, and the ids that it reserved block nothing.
    assert brought_in(ward, catalogue).counts == (MANY, 0, 0, 0)


def test_killed_at_any_time_an_import_is_stored_whole_or_not(ward: Ward, database_url: str, catalogue: Path) -> None:
    alone, times = how_many(ward), 8 if WALKS_ALL else 2
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
            process.wait(PATIENCE)
        kept = imports(ward)
        assert how_many(ward) == alone + 1 + (MANY if ("products", MANY) in kept else 0)
        assert len(kept) in (1, 2)
    brought_in(ward, catalogue)
    assert how_many(ward) == alone + 1 + MANY


# --- concurrent changes ----------------------------------------------------------------------------------------------


def disturbed(ward: Ward, file: Path, disturb: Callable[[], object], **choices: Any) -> ImportOutcome:
    """Import a file, with ``disturb`` called between check and write."""
    begin_bulk_load = ward.store.begin_bulk_load
    done: list[object] = []

    @contextmanager
    def prepare_later() -> Iterator[Any]:
        if not done:
            done.append(disturb())
        with begin_bulk_load() as ready:
            yield ready

    how, batch = ward.use_cases.imports.read_file(ward.admin, file, Noun.PRODUCTS, Choices(**choices))
    reported = RowCollector()
    report = replace(unwrap(ward.use_cases.imports.run), begin_bulk_load=prepare_later)(ward.admin, batch, reported)
    return ImportOutcome(how, report, reported.rows, len(reported.begun))


def test_a_change_made_meanwhile_is_not_overwritten(ward: Ward, tmp_path: Path) -> None:
    gauze = ward.product("Gasa", "1.00", code="1", unit="caja")
    change = ProductDraft(
        name="Gasa", price=gauze.price, category_id=gauze.category_id, code="1", unit="bolsa", active=0
    )
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"])
    brought = disturbed(ward, file, lambda: ward.use_cases.products.update(ward.admin, gauze.id, change))
    assert brought.counts == (0, 1, 0, 0)
    found = ward.use_cases.products.reader.one(ward.admin, gauze.id)
    assert (str(found["price"]), found["unit"], found["active"]) == ("2.50", "bolsa", False)


def test_a_product_created_meanwhile_is_not_created_twice(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50", "2;Venda;1,50"])
    brought = disturbed(ward, file, lambda: ward.product("Gasa", "2.50", code="1"))
    assert (brought.counts, brought.begun) == ((1, 0, 1, 0), 2)
    assert how_many(ward) == 3


def test_rows_are_locked_between_the_last_check_and_the_write(
    ward: Ward, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gauze = ward.product("Gasa", "1.00", code="1")
    begin_bulk_load, impatient = ward.store.begin_bulk_load, SqlStore(database_url, ZONE, Limits(lock_timeout=0.2))

    @contextmanager
    def prepare_beside_another() -> Iterator[Any]:
        with begin_bulk_load() as ready:
            commit = ready.commit

            def keep_meanwhile(*given: Any) -> None:
                with pytest.raises(StoreUnavailable), impatient.begin() as other:
                    other.products.lock(gauze.id)
                commit(*given)

            monkeypatch.setattr(ready, "commit", keep_meanwhile)
            yield ready

    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"])
    _, batch = ward.use_cases.imports.read_file(ward.admin, file, Noun.PRODUCTS, Choices())
    report = replace(unwrap(ward.use_cases.imports.run), begin_bulk_load=prepare_beside_another)(
        ward.admin, batch, RowCollector()
    )
    impatient.close()
    assert report.changed == 1


def test_an_unrelated_change_does_not_repeat_the_check(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"])
    brought = disturbed(ward, file, lambda: ward.use_cases.areas.create(ward.admin, AreaDraft(name="Pediatría")))
    assert brought.counts == (1, 0, 0, 0)
    assert brought.begun == 1


def test_a_row_refused_because_of_a_change_stops_the_import(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price;gtin", "1;Gasa;2,50;4006381333931", "2;Venda;1,50;"])
    with refused(Code.IMPORT_CONFLICT):
        disturbed(ward, file, lambda: ward.product("Otra", gtin="4006381333931"))
    assert how_many(ward) == 2


def test_concurrent_imports_of_one_file_create_its_rows_once(ward: Ward, catalogue: Path, tmp_path: Path) -> None:
    patients = file_of(
        tmp_path, ["nombre;apellido;nacimiento", *(f"Ana {n};Gil;1980-01-01" for n in range(300))], name="p.csv"
    )
    for file, noun, many in ((catalogue, Noun.PRODUCTS, MANY), (patients, Noun.PATIENTS, 300)):
        outcomes = at_once([lambda file=file, noun=noun: brought_in(ward, file, noun)] * 3)  # type: ignore[misc]
        counts = sorted(one.counts for one in outcomes)
        assert counts == [(0, 0, many, 0), (0, 0, many, 0), (many, 0, 0, 0)]


def test_others_can_record_while_a_large_file_is_checked(ward: Ward, catalogue: Path) -> None:
    """Reading and checking hold no write lock: a writer gets in between."""
    recorded = threading.Event()
    sheet_id = ward.sheet()["id"]

    class Recording(RowCollector):
        def row(self, reported: Any) -> None:
            super().row(reported)
            if reported.line == MANY // 2:
                ward.detail(sheet_id)
                recorded.set()

    how, batch = ward.use_cases.imports.read_file(ward.admin, catalogue, Noun.PRODUCTS, Choices())
    assert how.questions == ()
    assert ward.use_cases.imports.run(ward.admin, batch, Recording()).created == MANY
    assert recorded.is_set()


def test_after_several_disturbances_the_last_check_is_locked(ward: Ward, tmp_path: Path) -> None:
    gauze = ward.product("Gasa", "1.00", code="1")
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;2,50", "2;Venda;1,50"])
    begin_bulk_load, units = ward.store.begin_bulk_load, iter(("caja", "bolsa", "rollo"))

    @contextmanager
    def prepare_disturbed() -> Iterator[Any]:
        with begin_bulk_load() as ready:
            begin = ready.begin

            @contextmanager
            def begin_disturbed() -> Iterator[Any]:
                if unit := next(units, None):
                    draft = ProductDraft(
                        name="Gasa", price=gauze.price, category_id=gauze.category_id, code="1", unit=unit
                    )
                    ward.use_cases.products.update(ward.admin, gauze.id, draft)
                with begin() as work:
                    yield work

            ready.begin = begin_disturbed  # type: ignore[method-assign]
            yield ready

    _, batch = ward.use_cases.imports.read_file(ward.admin, file, Noun.PRODUCTS, Choices())
    reported = RowCollector()
    report = replace(unwrap(ward.use_cases.imports.run), begin_bulk_load=prepare_disturbed)(ward.admin, batch, reported)
    assert (report.created, report.changed, report.kept, len(reported.begun)) == (1, 1, True, 5)
    found = ward.use_cases.products.reader.one(ward.admin, gauze.id)
    assert (str(found["price"]), found["unit"]) == ("2.50", "rollo")
    # The staged rows of earlier attempts are not stored as well.
    assert how_many(ward) == 3
    bandages = [one.changes["name"] for one in trail_of(ward.store) if one.changes.get("code") == (None, "2")]
    prices = [one.changes.get("price") for one in trail_of(ward.store) if one.action == "product.updated"]
    assert len(bandages) == 1, bandages
    assert prices.count(("1.00", "2.50")) == 1


# --- staged rows -----------------------------------------------------------------------------------------------------


def test_reserved_ids_are_not_reused(ward: Ward) -> None:
    with ward.store.begin_bulk_load() as ready:
        ids = ready.reserve({PRODUCT: 3, SHEET: 2})
        again = ready.reserve({PRODUCT: 1})
        made = ward.product("Venda").id
    assert len({*ids[PRODUCT], *again[PRODUCT], made, ward.product_id}) == 6
    assert len(ids[SHEET]) == 2


def test_staged_rows_that_are_not_committed_are_gone(ward: Ward) -> None:
    gauze = replace(ward.product("Gasa"), name="Gasa de otro")
    before = how_many(ward), trail_of(ward.store)
    with ward.store.begin_bulk_load() as ready:
        [new] = ready.reserve({PRODUCT: 1})[PRODUCT]
        ready.add_all(PRODUCT, [replace(gauze, id=new)])
        ready.change_all(PRODUCT, [(replace(gauze, name="Gasa"), gauze)])
        ready.discard()
        with ready.begin():
            ready.commit(ward.clock.now, ward.clock.now.date(), ward.admin.user_id)
    assert (how_many(ward), trail_of(ward.store)) == before
    assert ward.use_cases.products.reader.one(ward.admin, gauze.id)["name"] == "Gasa"


def test_a_gtin_changed_by_a_file_replaces_the_old_one(ward: Ward, tmp_path: Path) -> None:
    old, new, packed = "4006381333931", "7501031311309", "17501031311306"
    gauze = ward.product("Gasa", code="1", gtin=old)
    ward.use_cases.products.add_code(
        ward.admin, gauze.id, ProductCodeDraft(system="gtin", code=packed, units=Decimal(10))
    )
    file = file_of(tmp_path, ["code;name;price;gtin", f"1;Gasa;1,00;{new}", "2;Venda;1,00;96385074"])
    assert brought_in(ward, file).counts == (1, 1, 0, 0)
    with ward.store.begin_read_only() as work:
        found = {
            gtin: [one.code for one in work.products.find_many("gtin", [gtin_key(gtin)])] for gtin in (old, new, packed)
        }
        assert found == {old: [], new: ["1"], packed: ["1"]}
        assert [one.code for one in work.products.find_many("gtin", [gtin_key("96385074")])] == ["2"]


def test_the_catalogue_gets_the_changes_of_a_file_except_prices(ward: Ward, tmp_path: Path) -> None:
    def version() -> int:
        with ward.store.read() as views:
            return views.catalogue_version()

    ward.product("Gasa", "1.00", code="1")
    first = version()
    brought_in(ward, file_of(tmp_path, ["code;name;price", "1;Gasa;2,50"]))
    assert version() == first
    brought_in(ward, file_of(tmp_path, ["code;name;price", "1;Gasa grande;2,50"]))
    assert version() == first + 1
    brought_in(ward, file_of(tmp_path, ["code;name;price", "2;Venda;2,50"]))
    assert version() == first + 2
