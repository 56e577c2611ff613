"""Rows that may be about something else than the record they match.

Some get a warning, others are refused.
"""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from adapters.i18n import messages
from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from application.imports.report import ImportDecision
from application.people.views import PatientQuery
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from tests.builders import Ward
from tests.imports.catalogue import products
from tests.imports.importing import ImportOutcome, RowCollector, brought_in, file_of, warnings


def bring(ward: Ward, folder: Path, *lines: str, noun: Noun = Noun.PRODUCTS, **choices: Any) -> ImportOutcome:
    return brought_in(ward, file_of(folder, lines), noun, **choices)


def spanish(brought: ImportOutcome) -> list[str]:
    return [messages.refusal("es", one) for row in brought.rows for one in (*row.reasons, *row.warnings)]


# --- a catalogue -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "warned"),
    [
        ("1.50", "15.00", True),
        ("1.50", "14.99", False),
        ("15.00", "1.50", True),
        ("15.00", "1.51", False),
        ("1.50", "150", True),
        ("0", "1.50", True),
        ("1.50", "0", True),
        ("0", "0.00", False),
        ("1.50", "1.50", False),
        ("1.50", "", False),
    ],
)
def test_a_tenfold_price_change_is_warned_about(
    ward: Ward, tmp_path: Path, before: str, after: str, warned: bool
) -> None:
    ward.product("Gasa", before, code="1")
    brought = bring(ward, tmp_path, "code;name;price", f"1;Gasa;{after}")
    assert warnings(brought) == ({2: [("price", "price.jumps", after)]} if warned else {})


def test_the_price_warning_has_the_old_and_the_new_price(ward: Ward, tmp_path: Path) -> None:
    ward.product("Gasa", "12.50", code="1")
    brought = bring(ward, tmp_path, "code;name;price", "1;Gasa;1,250.00")
    assert spanish(brought) == ["«1,250.00» cambia el precio de 12,5 a 1.250: revíselo."]


@pytest.mark.parametrize(
    ("there", "comes", "warned"),
    [
        ("00123", "123", True),
        ("123", "00123", True),
        ("0A-1", "a-1", True),
        ("00123", "1230", False),
        ("0", "00", True),
    ],
)
def test_a_code_differing_only_in_leading_zeros_gets_a_warning(
    ward: Ward, tmp_path: Path, there: str, comes: str, warned: bool
) -> None:
    ward.product("Gasa", "1.50", code=there)
    file = ["code;name;price", f"{comes};Gasa;1.50"]
    brought = bring(ward, tmp_path, *file)
    assert set(products(ward)) == {there, comes}
    assert warnings(brought) == ({2: [("code", "code.but_for_zeros", comes)]} if warned else {})
    assert spanish(brought) == (
        [f"Ya existe «{there}»: «{comes}» solo se distingue por los ceros iniciales."] if warned else []
    )
    assert warnings(bring(ward, tmp_path, *file)) == {}


def test_codes_in_a_file_that_differ_only_in_zeros_get_a_warning(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "code;name;price", "0123;Gasa;1.50", "123;Gasa;1.50")
    assert warnings(brought) == {3: [("code", "code.but_for_zeros", "123")]}


def test_codes_in_a_file_that_differ_only_in_case_are_one(ward: Ward, tmp_path: Path) -> None:
    file = ["code;name;price", "abc1;Gasa;1.50", "ABC1;Sonda;7.50", "abc1;Gasa;1.50"]
    brought = bring(ward, tmp_path, *file)
    assert brought.outcomes == {2: "created", 3: "unchanged", 4: "unchanged"}
    assert warnings(brought) == {3: [("code", "code.but_for_case", "ABC1")]}
    assert spanish(brought) == [
        "«ABC1» y «abc1» (línea 2) solo se distinguen por mayúsculas: se importa solo la línea 2."
    ]
    assert {code: one["name"] for code, one in products(ward).items()} == {"abc1": "Gasa"}
    assert warnings(bring(ward, tmp_path, *file)) == {}


@pytest.mark.parametrize(
    ("name", "warned"), [("Sonda Foley", True), ("GASA ESTERIL 10 X 10", False), ("Gasa no estéril 10x10", True)]
)
def test_a_code_with_a_different_product_name_is_warned_about(
    ward: Ward, tmp_path: Path, name: str, warned: bool
) -> None:
    ward.product("Gasa estéril 10x10", "1.50", code="1")
    brought = bring(ward, tmp_path, "code;name;price", f"1;{name};1.50")
    assert brought.counts == (0, 1, 0, 0)
    assert warnings(brought) == ({2: [("name", "product.renamed", name)]} if warned else {})
    assert not warned or spanish(brought) == [
        f"El código «1» es de «Gasa estéril 10x10», y el archivo dice «{name}»: revise si es el mismo producto."
    ]


@pytest.mark.parametrize(
    ("name", "warned"),
    [
        ("TOTAL", True),
        ("Subtotal", True),
        ("SUB-TOTAL:", True),
        ("Gran Total", True),
        ("Total general", True),
        ("Suma de precios", True),
        ("Total artículos: 250", True),
        ("TTL", True),
        ("Total (USD)", True),
        ("Nutrición parenteral total", False),
        ("Prótesis total de cadera", False),
        ("Sumatriptán 50 mg", False),
        ("Tul total", False),
    ],
)
def test_a_row_of_totals_as_a_product_is_warned_about(ward: Ward, tmp_path: Path, name: str, warned: bool) -> None:
    brought = bring(ward, tmp_path, "name;price", "Gasa;1.50", f"{name};9.00")
    assert warnings(brought) == ({3: [("name", "row.of_totals", name)]} if warned else {})


def test_rows_of_totals_as_areas_and_rooms_are_warned_about(ward: Ward, tmp_path: Path) -> None:
    reported = {3: [("name", "row.of_totals", "Total áreas: 1")]}
    assert warnings(bring(ward, tmp_path, "Área", "Hemodiálisis", "Total áreas: 1", noun=Noun.AREAS)) == reported
    rooms = bring(ward, tmp_path, "Habitación;Área", "9;Hemodiálisis", "Total;1", noun=Noun.ROOMS)
    assert warnings(rooms) == {3: [("name", "row.of_totals", "Total")]}


@pytest.mark.parametrize(
    ("prices", "warned"),
    [
        (["1.50", "2.50", "3.25", "7.25"], {5: [("price", "row.is_sum", "7.25")]}),
        (["1.50", "2.50", "3.25", "7.26"], {}),
        (["1.50", "2.50", "4.00"], {}),
        (["0", "0", "0", "0"], {}),
        (["1.50", "2.50", "3.25", "7.25", "9.00"], {}),
    ],
)
def test_a_last_row_with_the_sum_of_all_prices_is_warned_about(
    ward: Ward, tmp_path: Path, prices: list[str], warned: dict[int, Any]
) -> None:
    rows = [f"{n};Cosa {n};{price}" for n, price in enumerate(prices)]
    assert warnings(bring(ward, tmp_path, "code;name;price", *rows, decimal="point")) == warned


def test_left_out_rows_count_for_the_sum_of_the_file(ward: Ward, tmp_path: Path) -> None:
    rows = [f"{n};Cosa {n};{price}" for n, price in enumerate(["1.50", "2.50", "3.25", "7.25"])]
    reported = RowCollector()
    _, batch = ward.use_cases.imports.read_file(
        ward.admin, file_of(tmp_path, ["code;name;price", *rows]), Noun.PRODUCTS, Choices()
    )
    ward.use_cases.imports.run(ward.admin, batch, reported, decision=ImportDecision(leave_out=frozenset({3})))
    assert [row.line for row in reported.rows if row.warnings] == [5]


# --- patients --------------------------------------------------------------------------------------------------------

PATIENTS = "NHC;Nombre;Primer apellido;Segundo apellido;Nacimiento"


@pytest.mark.parametrize(
    ("row", "warned"),
    [
        ("E-1;Ana;Ruiz;Peña;1980-02-01", []),
        ("E-1;ANA;RUIZ;;1980-02-01", []),
        ("E-1;A.;Ruis;Pena;", []),
        ("E-1;Luis;Mora;;1980-02-01", [("name", "patient.named_otherwise", "Luis Mora")]),
        ("E-1;Ana;Ruiz;Peña;1981-02-01", [("date_of_birth", "patient.born_otherwise", "1981-02-01")]),
    ],
)
def test_a_record_number_with_a_different_person_gets_a_warning(
    ward: Ward, tmp_path: Path, row: str, warned: list[Any]
) -> None:
    ward.patient("Ana", "Ruiz", second_surname="Peña", record_number="E-1", date_of_birth=date(1980, 2, 1))
    brought = bring(ward, tmp_path, PATIENTS, row, noun=Noun.PATIENTS)
    assert warnings(brought) == ({2: warned} if warned else {})


def test_record_numbers_that_differ_only_in_zeros_get_a_warning(ward: Ward, tmp_path: Path) -> None:
    ward.patient("Ana", "Ruiz", record_number="00123")
    brought = bring(ward, tmp_path, PATIENTS, "123;Ana;Ruiz;;", noun=Noun.PATIENTS)
    assert warnings(brought) == {2: [("record_number", "code.but_for_zeros", "123")]}


# --- consumption -----------------------------------------------------------------------------------------------------

HEADER = "Expediente;Paciente;Nacimiento;Fecha de ingreso;Código;Producto;Cantidad;Precio"


@pytest.fixture
def known(ward: Ward) -> Ward:
    ward.patient("Ana", "Ruiz", second_surname="Peña", record_number="E-1", date_of_birth=date(1980, 2, 1))
    ward.product("Gasa estéril 10x10", "1.50", code="G-1")
    return ward


def consume(ward: Ward, folder: Path, *rows: str, header: str = HEADER, **choices: Any) -> ImportOutcome:
    return bring(ward, folder, header, *rows, noun=Noun.CONSUMPTION, **choices)


@pytest.mark.parametrize(
    ("row", "warned"),
    [
        ("E-1;Ruiz Peña, Ana;1980-02-01;2026-03-01;G-1;GASA EST. 10×10 CM;1;1.50", []),
        ("E-1;Ana Ruiz P.;;2026-03-01;G-1;;1;", []),
        ("E-1;;;2026-03-01;G-1;Gasa;1;", []),
        ("E-1;Mora Gil, Luis;;2026-03-01;G-1;Gasa;1;", [("full_name", "patient.named_otherwise", "Mora Gil, Luis")]),
        ("E-1;Ana Ruiz;1980-01-02;2026-03-01;G-1;Gasa;1;",
         [("date_of_birth", "patient.born_otherwise", "1980-01-02")]),
        ("E-1;Ana Ruiz;;2026-03-01;G-1;Sonda Foley;1;", [("product_name", "product.renamed", "Sonda Foley")]),
        ("E-1;Ana Ruiz;;2026-03-01;G-1;Gasa;1;150.00", [("price", "price.far_off", "150.00")]),
        ("E-1;Luis Mora;1990-07-07;2026-03-01;G-1;Sonda;1;0.15",
         [("full_name", "patient.named_otherwise", "Luis Mora"),
          ("date_of_birth", "patient.born_otherwise", "1990-07-07"),
          ("product_name", "product.renamed", "Sonda"),
          ("price", "price.far_off", "0.15")]),
    ],
)  # fmt: skip
def test_different_names_and_prices_are_warned_about(known: Ward, tmp_path: Path, row: str, warned: list[Any]) -> None:
    brought = consume(known, tmp_path, row)
    assert brought.outcomes == {2: "created"}
    assert warnings(brought) == ({2: warned} if warned else {})
    # The same file again gives no warnings.
    assert warnings(consume(known, tmp_path, row)) == {}


def test_a_price_for_an_included_product_is_warned_about(known: Ward, tmp_path: Path) -> None:
    known.product("Guante", "0.10", code="GU", included_in_stay=True)
    brought = consume(known, tmp_path, "E-1;;;2026-03-01;GU;;2;0.15", "E-1;;;2026-03-01;GU;;3;")
    assert warnings(brought) == {2: [("price", "line.included", "0.15")]}
    with known.store.begin() as work:
        lines = [(str(one.unit_price), str(one.total)) for one in work.details.find_many("sheet_id", [1])]
    assert lines == [("0.15", "0.00"), ("0.10", "0.00")]


def test_the_warning_has_both_names(known: Ward, tmp_path: Path) -> None:
    brought = consume(known, tmp_path, "E-1;Luis Mora;1990-07-07;2026-03-01;G-1;Sonda;1;")
    assert spanish(brought) == [
        "El expediente «E-1» es de «Ana Ruiz Peña», y el archivo dice «Luis Mora»: revise si es la misma persona.",
        "El paciente del expediente «E-1» nació el 1980-02-01, y el archivo dice «1990-07-07»: revise si es la misma "
        "persona.",
        "El código «G-1» es de «Gasa estéril 10x10», y el archivo dice «Sonda»: revise si es el mismo producto.",
    ]


def test_contradicting_rows_of_a_file_are_refused(known: Ward, tmp_path: Path) -> None:
    header = "Expediente;Paciente;Nacimiento;Fecha de ingreso;Fecha de alta;Código;Producto;Cantidad"
    brought = consume(
        known,
        tmp_path,
        "E-1;Ana Ruiz;1980-02-01;2026-03-01;2026-03-05;G-1;Gasa;1",
        "E-1;Luis Mora;1980-02-01;2026-03-01;2026-03-05;G-1;Gasa;2",
        "E-1;Ruiz, Ana;1990-07-07;2026-03-01;2026-03-05;G-1;Gasa;3",
        "E-1;A. Ruiz;;2026-03-01;2026-03-05;G-1;Sonda Foley;4",
        "E-1;;;2026-03-01;2026-03-05;G-1;;5",
        header=header,
    )
    assert brought.refusals == {
        3: [("record_number", "record.contradicts")],
        4: [("date_of_birth", "record.contradicts")],
        5: [("product_code", "code.contradicts")],
    }
    assert spanish(brought) == [
        "Corrija «Número de expediente» del expediente «E-1»: la línea 2 dice «Ana Ruiz» y esta «Luis Mora».",
        "Corrija «Fecha de nacimiento» del expediente «E-1»: la línea 2 dice «1980-02-01» y esta «1990-07-07».",
        "Corrija «Código del producto» del código «G-1»: la línea 2 dice «Gasa» y esta «Sonda Foley».",
    ]
    # The refused rows may belong to any patient, so no sheet is closed.
    with known.store.read() as views:
        assert [one["closed"] for one in views.sheets.page(SheetQuery())["items"]] == [False]


def test_a_contradicting_row_can_be_left_out(known: Ward, tmp_path: Path) -> None:
    rows = ["E-1;Luis Mora;;2026-03-01;G-1;Gasa;1;", "E-1;Ana Ruiz;;2026-03-01;G-1;Gasa;2;"]
    reported = RowCollector()
    _, batch = known.use_cases.imports.read_file(
        known.admin, file_of(tmp_path, [HEADER, *rows]), Noun.CONSUMPTION, Choices()
    )
    report = known.use_cases.imports.run(
        known.admin, batch, reported, decision=ImportDecision(leave_out=frozenset({2}))
    )
    assert (report.created, report.left_out, report.refused, report.warned, report.kept) == (1, 1, 0, 0, True)


def test_created_codes_that_differ_only_in_zeros_get_a_warning(ward: Ward, tmp_path: Path) -> None:
    ward.patient("Ana", "Ruiz", record_number="0077")
    ward.product("Gasa", "1.50", code="00123")
    brought = consume(ward, tmp_path, "77;Ruiz, Ana;;2026-03-01;123;Gasa;1;")
    assert warnings(brought) == {
        2: [("product_code", "code.but_for_zeros", "123"), ("record_number", "code.but_for_zeros", "77")]
    }


# --- existing lines --------------------------------------------------------------------------------------------------

LINE = "E-1;Ana Ruiz;;2026-03-01;G-1;Gasa;2;"
THERE = ("quantity", "line.is_there", "2")


def test_a_line_repeated_by_a_later_file_is_not_recorded_again(known: Ward, tmp_path: Path) -> None:
    consume(known, tmp_path, LINE)
    later = [LINE, LINE, "E-1;Ana Ruiz;;2026-03-01;G-1;Gasa;3;"]
    brought = consume(known, tmp_path, *later)
    assert brought.outcomes == {2: "unchanged", 3: "created", 4: "created"}
    assert warnings(brought) == {2: [THERE]}
    assert spanish(brought) == [
        "Ya existe una línea igual (Gasa estéril 10x10, 2026-03-01, cantidad «2»), registrada por admin@consumo.test: "
        "no se registra otra vez. Si es un segundo uso, regístrelo en la hoja."
    ]
    with known.store.read() as views:
        assert views.details.page(DetailQuery())["meta"]["total"] == 3


def test_an_unconfirmed_repeated_line_blocks_its_file(known: Ward, tmp_path: Path) -> None:
    consume(known, tmp_path, LINE)
    file = file_of(tmp_path, [HEADER, LINE, "E-1;Ana Ruiz;;2026-03-01;G-1;Gasa;3;"])
    _, batch = known.use_cases.imports.read_file(known.admin, file, Noun.CONSUMPTION, Choices())
    assert not known.use_cases.imports.run(known.admin, batch, RowCollector()).kept


def test_the_same_file_again_gives_no_warnings_until_undone(known: Ward, tmp_path: Path) -> None:
    first = consume(known, tmp_path, LINE)
    assert warnings(consume(known, tmp_path, LINE)) == {}
    known.use_cases.imports.undo(known.admin, first.report.import_id or 0)
    consume(known, tmp_path, LINE, "")
    assert warnings(consume(known, tmp_path, LINE)) == {2: [THERE]}


def test_the_warning_about_an_existing_line_names_its_author(known: Ward, tmp_path: Path) -> None:
    patient_id = next(
        one["id"]
        for one in known.use_cases.patients.reader.page(known.admin, PatientQuery())["items"]
        if one["record_number"]
    )
    sheet = known.sheet(patient_id=patient_id, admission_date=date(2091, 5, 3))
    known.detail(sheet["id"], "2", product_id=products(known)["G-1"]["id"], by=known.nurse)
    brought = consume(known, tmp_path, "E-1;Ana Ruiz;;2091-05-03;G-1;Gasa;2;")
    assert warnings(brought) == {2: [THERE]}
    (row,) = brought.rows
    assert row.warnings[0].params["who"] == "user@consumo.test"
