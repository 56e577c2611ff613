"""Recognizing columns, headers, sheets, and number and date formats.

What is not clear is asked, and every finding can be overridden.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from application.imports.reading.fields import Noun
from application.imports.reading.layout import FileLayout
from application.imports.reading.table import Choices
from domain.common.errors import Code
from tests.assertions import refused
from tests.builders import Ward
from tests.imports.importing import asked, brought_in, file_of, findings, understood
from tests.spreadsheets.workbooks import Raw, xls, xlsx, xlsx_of


def columns(ward: Ward, folder: Path, header: str, noun: Noun = Noun.PRODUCTS, **choices: Any) -> FileLayout:
    """Return the layout of a file with that header and a row of letters."""
    row = ",".join("x" for _ in header.split(","))
    return understood(ward, file_of(folder, [header, row]), noun, separator="comma", **choices)


# --- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("noun", "header", "mapping"),
    [
        (Noun.PRODUCTS, "codigo,nombre,precio", {"code": 0, "name": 1, "price": 2}),
        (Noun.PRODUCTS, "CÓDIGO,DESCRIPCIÓN,PRECIO UNITARIO", {"code": 0, "name": 1, "price": 2}),
        (Noun.PRODUCTS, "Clave del insumo,Descripción del artículo,Precio ($)", {"code": 0, "name": 1, "price": 2}),
        (Noun.PRODUCTS, "ChargeCode,ChargeCode Description,Charge", {"code": 0, "name": 1, "price": 2}),
        (Noun.PRODUCTS, "Item No.,Item Description,Price per unit", {"code": 0, "name": 1, "price": 2}),
        (
            Noun.PRODUCTS,
            "Service Area,Px Code,Procedure Description,Supply #,Unit Price",
            {"name": 2, "code": 3, "price": 4},
        ),
        (
            Noun.PRODUCTS,
            "id,code,name,price,unit,gtin,category_id,category_code,category_name,active,also_called,"
            "decimals,asks_lot,asks_serial,implant",
            {
                "code": 1, "name": 2, "price": 3, "unit": 4, "gtin": 5, "category_code": 7, "category": 8,
                "active": 9, "also_called": 10, "decimals": 11, "asks_lot": 12, "asks_serial": 13, "implant": 14,
            },
        ),
        (
            Noun.PRODUCTS,
            "Código,Nombre,También se llama,Precio",
            {"code": 0, "name": 1, "also_called": 2, "price": 3},
        ),
        (
            Noun.PRODUCTS,
            "Cód.,Artículo,Familia,U.M.,Código de barras,P.V.P.,Precio de venta",
            {"code": 0, "name": 1, "category": 2, "unit": 3, "gtin": 4, "price": 6},
        ),
        (
            Noun.PATIENTS,
            "NHC,Nombre,Primer apellido,Segundo apellido,Fecha de nacimiento",
            {"record_number": 0, "name": 1, "first_surname": 2, "second_surname": 3, "date_of_birth": 4},
        ),
        (Noun.PRODUCTS, "Procedure ID,Description,Amount", {"code": 0, "name": 1, "price": 2}),
        (Noun.PRODUCTS, "Cód.,Artículo,P. Unit.", {"code": 0, "name": 1, "price": 2}),
        (Noun.PRODUCTS, "CDM NAME,HOSPITAL,TECHNICAL DESCRIPTION,TOTAL CHARGE", {"name": 2, "price": 3}),
        (Noun.PRODUCTS, "Procedure ,Description   ,Std Chg Eff Date,Std Chg", {"code": 0, "name": 1, "price": 3}),
        (
            Noun.PRODUCTS,
            "description,code|1,code|1|type,code|2,standard_charge|gross,standard_charge|discounted_cash",
            {"name": 0, "code": 1, "price": 4},
        ),
        (
            Noun.PATIENTS,
            "MRN,First Name,Last Name,DOB",
            {"record_number": 0, "name": 1, "first_surname": 2, "date_of_birth": 3},
        ),
        (
            Noun.PATIENTS,
            "Id,BIRTHDATE,DEATHDATE,FIRST,LAST",
            {"record_number": 0, "date_of_birth": 1, "name": 3, "first_surname": 4},
        ),
        (
            Noun.PATIENTS,
            "id,name,first_surname,second_surname,date_of_birth,active,record_number",
            {"name": 1, "first_surname": 2, "second_surname": 3, "date_of_birth": 4, "active": 5, "record_number": 6},
        ),
        (Noun.PATIENTS, "Expediente,Paciente,F. Nac.", {"record_number": 0, "full_name": 1, "date_of_birth": 2}),
        (
            Noun.STAFF,
            "Nombre(s),Apellidos,Teléfono,Puesto",
            {"name": 0, "first_surname": 1, "telephone_number": 2, "job_title": 3},
        ),
        (Noun.AREAS, "Servicio", {"name": 0}),
        (Noun.ROOMS, "Habitación,Área,Estado,Tipo", {"name": 0, "area": 1, "status": 2, "type": 3}),
        (Noun.ROOMS, "Room number,Ward", {"name": 0, "area": 1}),
        (
            Noun.CONSUMPTION,
            "Expediente,Habitación,Fecha de ingreso,Código,Cantidad,Fecha,Precio,Enfermera,Área",
            {"record_number": 0, "room": 1, "admission_date": 2, "product_code": 3, "quantity": 4, "created_at": 5,
             "price": 6, "staff": 7, "area": 8},
        ),
        (
            Noun.CONSUMPTION,
            "Patient ID,Admission date,Item description,Qty,Date of service",
            {"record_number": 0, "admission_date": 1, "product_name": 2, "quantity": 3, "created_at": 4},
        ),
    ],
)  # fmt: skip
def test_columns_are_recognized_by_their_names(
    ward: Ward, tmp_path: Path, noun: Noun, header: str, mapping: dict[str, int]
) -> None:
    how = columns(ward, tmp_path, header, noun)
    assert dict(how.mapping) == mapping
    assert how.questions == ()


def test_each_column_has_a_reason(ward: Ward, tmp_path: Path) -> None:
    found = findings(columns(ward, tmp_path, "Supply #,Procedure Description,Precio neto"))
    assert found["column.code"] == ("Supply #", "column.called_so")
    assert found["column.name"] == ("Procedure Description", "column.called_so")
    assert found["column.price"] == ("Precio neto", "column.called_alike")


@pytest.mark.parametrize(
    ("header", "field", "options"),
    [
        ("code,name,Lowest Price,Highest Price", "price", ("Lowest Price", "Highest Price")),
        ("code,name,Precio público,Precio mayoreo", "price", ("Precio público", "Precio mayoreo")),
        ("Px Code,Service Code,name,price", "code", ("Px Code", "Service Code")),
        ("code,Producto,Descripción,price", "name", ("Producto", "Descripción")),
        ("code,name,Price,Price", "price", ("Price", "Price (2)")),
    ],
)
def test_one_of_several_matching_columns_is_asked_for(
    ward: Ward, tmp_path: Path, header: str, field: str, options: tuple[str, ...]
) -> None:
    how = columns(ward, tmp_path, header)
    assert asked(how) == [("column.several", field, options)]
    assert field not in how.mapping
    answered = columns(ward, tmp_path, header, mapping={field: options[1]})
    assert asked(answered) == []
    assert answered.named_mapping[field] == options[1]
    assert findings(answered)[f"column.{field}"] == (options[1], "column.chosen")


def test_an_import_with_open_questions_is_refused(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code,name,Lowest Price,Highest Price", "1,Gasa,1.50,2.50"])
    with refused(Code.IMPORT_UNANSWERED):
        brought_in(ward, file)
    assert brought_in(ward, file, mapping={"price": "Highest Price"}).counts == (1, 0, 0, 0)


def test_a_missing_required_column_is_asked_for(ward: Ward, tmp_path: Path) -> None:
    header = ("A1", "B2", "C3")
    how = columns(ward, tmp_path, ",".join(header), header_row=1)
    assert [(code, field) for code, field, _ in asked(how)] == [
        ("column.missing", "code"),
        ("column.missing", "name"),
        ("column.missing", "price"),
    ]
    assert asked(how)[0][2] == header


@pytest.mark.parametrize(
    ("rows", "suggested"),
    [
        ([["X9", "Y9", "Z9"], ["A-1", "Gasa estéril de algodón", "1.50"], ["A-2", "Venda elástica", "2.25"]],
         ["X9", "Y9", "Z9"]),
        ([["X9", "Y9", "Z9"], ["A-1", "Gasa", "$ 1"], ["A-1", "Venda elástica", "$ 2"]], [None, "Y9", "Z9"]),
        ([["X9", "Y9", "Z9", "W9"], ["1", "Gasa estéril", "1.50", "2.50"], ["2", "Venda elástica", "2.25", "3.5"]],
         ["X9", "Y9", None]),
    ],
)  # fmt: skip
def test_the_content_of_a_column_is_only_a_suggestion(
    ward: Ward, tmp_path: Path, rows: list[list[str]], suggested: list[str | None]
) -> None:
    how = understood(ward, file_of(tmp_path, [";".join(row) for row in rows]))
    assert how.mapping == {}
    assert [question.suggestion for question in how.questions] == suggested


def test_names_and_codes_of_other_things_are_not_the_products(ward: Ward, tmp_path: Path) -> None:
    how = columns(ward, tmp_path, "HOSPITAL_NAME,REVENUE_CODE,CPT Code,Proveedor,CHARGE")
    assert dict(how.mapping) == {"price": 4}
    assert [question.field for question in how.questions] == ["code", "name"]


def test_a_missing_column_cannot_be_chosen(ward: Ward, tmp_path: Path) -> None:
    with refused((Code.FILE_COLUMN_UNKNOWN, "column")):
        columns(ward, tmp_path, "code,name,price", mapping={"price": "Preis"})


def test_an_optional_column_can_be_left_out(ward: Ward, tmp_path: Path) -> None:
    how = columns(ward, tmp_path, "code,name,price,unit", mapping={"unit": ""})
    assert "unit" not in how.mapping


def test_a_used_mapping_is_remembered_for_the_same_header(ward: Ward, tmp_path: Path) -> None:
    lines = ["Ref X;Texto;Bajo;Alto", "1;Gasa;1,50;2,50"]
    mapping = {"code": "Ref X", "name": "Texto", "price": "Alto"}
    file = file_of(tmp_path, lines)
    assert asked(understood(ward, file, header_row=1)) != []
    assert brought_in(ward, file, mapping=mapping).counts == (1, 0, 0, 0)

    again = file_of(tmp_path, ["Lista de precios", "", "REF X;TEXTO;BAJO;ALTO", "2;Venda;3,50;4,50"])
    how = understood(ward, again, header_row=3)
    assert (how.named_mapping, asked(how)) == ({"code": "REF X", "name": "TEXTO", "price": "ALTO"}, [])
    assert findings(how)["column.price"] == ("ALTO", "column.remembered")
    chosen = understood(ward, again, header_row=3, mapping={"price": "BAJO"})
    assert chosen.named_mapping["price"] == "BAJO"
    another = file_of(tmp_path, ["Ref X;Texto;Alto;Bajo", "2;Venda;3,50;4,50"])
    assert asked(understood(ward, another, header_row=1)) != []


def test_a_check_remembers_no_mapping(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["Ref X;Texto;Alto", "1;Gasa;1,50"])
    mapping = {"code": "Ref X", "name": "Texto", "price": "Alto"}
    how, batch = ward.use_cases.imports.read_file(ward.admin, file, Noun.PRODUCTS, Choices(mapping=mapping))
    assert how.questions == ()
    with ward.store.begin() as work:
        assert work.imports.mapping("products", batch.shape) == {}


# --- header and sheet ------------------------------------------------------------------------------------------------


ABOVE: list[list[str]] = [["CENTRAL SERVICE / SURGERY"], [], ["Precios sujetos a cambio", "", "2026"]]


@pytest.mark.parametrize("write", [xlsx, xls])
def test_titles_above_the_header_are_skipped(ward: Ward, tmp_path: Path, write: Any) -> None:
    rows: list[Sequence[Any]] = [*ABOVE, ["Código", "Descripción", "Precio"], [1, "Gasa", 1.5], [2, "Venda", 2]]
    how = understood(ward, write(tmp_path, *rows))
    assert (how.header_row, how.rows, asked(how)) == (4, 2, [])
    assert findings(how)["header_row"] == ("4", "header.known")


def test_unknown_names_above_numbers_are_a_header(ward: Ward, tmp_path: Path) -> None:
    how = understood(ward, file_of(tmp_path, ["Lista 2026;;", "Foo;Bar;Baz", "A-1;Gasa;1,50", "A-2;Venda;2,50"]))
    assert how.header_row == 2
    assert findings(how)["header_row"] == ("2", "header.above_data")


def test_a_missing_header_is_asked_about(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["A-1;Gasa;1,50", "A-2;Venda;2,50"])
    how = understood(ward, file)
    assert asked(how)[0][0] == "header.none"
    assert how.columns == ("A", "B", "C")
    mapping = {"code": "A", "name": "B", "price": "C"}
    brought = brought_in(ward, file, header_row=0, mapping=mapping)
    assert brought.counts == (2, 0, 0, 0)


def test_the_header_can_be_chosen(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["code;name;price", "old code;old name;old price", "1;Gasa;1,50"])
    assert understood(ward, file).header_row == 1
    how = understood(ward, file, header_row=2)
    assert (how.header_row, how.rows) == (2, 1)
    assert findings(how)["header_row"] == ("2", "header.chosen")
    with refused((Code.FILE_HEADER_UNKNOWN, "header_row")):
        understood(ward, file, header_row=999)


def test_a_repeated_header_is_no_row(ward: Ward, tmp_path: Path) -> None:
    lines = ["code;name;price", "1;Gasa;1,50", "code;name;price", "2;Venda;2,50", ";;"]
    assert understood(ward, file_of(tmp_path, lines)).rows == 2


def test_the_line_that_names_more_columns_is_the_header(ward: Ward, tmp_path: Path) -> None:
    for groups, names, row in (
        ("Insumo;;Precio;", "Código;Nombre;Compra;Venta", "P-1;Gasa;1.5;2.5"),
        ("Producto;;Precio;", "Clave;Descripción;Público;Convenio", "P-1;Gasa;1.5;2.5"),
        ("Artículo;;;Precio", "Clave;Descripción;Unidad;Importe", "P-1;Gasa;pza;2.5"),
    ):
        how = understood(ward, file_of(tmp_path, [groups, names, row]))
        assert (how.header_row, how.named_mapping["code"]) == (2, names.split(";")[0])
        assert how.named_mapping["name"] == names.split(";")[1]
    how = understood(ward, file_of(tmp_path, ["Código;Nombre;Precio;", "P-1;Gasa;1.5;pza", "P-2;Tul;2;pza"]))
    assert how.header_row == 1


@pytest.mark.parametrize("names", ["Compra,Venta", "Precio de compra,Precio de venta", "Costo,Venta"])
def test_purchase_or_sale_price_is_asked_for(ward: Ward, tmp_path: Path, names: str) -> None:
    how = columns(ward, tmp_path, f"Código,Nombre,{names}")
    assert [(one.code, one.options) for one in how.questions] == [("column.several", tuple(names.split(",")))]


def test_empty_sheets_and_disclaimers_are_skipped(ward: Ward, tmp_path: Path) -> None:
    sheets: dict[str, list[list[Any]]] = {
        "Disclaimer": [],
        "Notas": [["Estos precios no incluyen impuestos."]],
        "Datos": [["Código", "Descripción", "Precio"], [1, "Gasa", 1.5]],
    }
    how = understood(ward, xlsx_of(tmp_path, sheets))
    assert (how.sheet, how.rows) == ("Datos", 1)
    assert findings(how)["sheet"] == ("Datos", "sheet.best")


def test_one_of_several_matching_sheets_is_asked_for(ward: Ward, tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Código", "Descripción", "Precio"], [1, "Gasa", 1.5]]
    file = xlsx_of(tmp_path, {"2025": rows, "2026": rows})
    assert asked(understood(ward, file)) == [("sheet.several", None, ("2025", "2026"))]
    how = understood(ward, file, sheet="2026")
    assert (how.sheet, asked(how)) == ("2026", [])
    with refused((Code.FILE_SHEET_UNKNOWN, "sheet")):
        understood(ward, file, sheet="2027")


# --- numbers and dates -----------------------------------------------------------------------------------------------


def prices(ward: Ward, folder: Path, *texts: str, **choices: Any) -> FileLayout:
    lines = ["code|name|price", *(f"{number}|Gasa|{text}" for number, text in enumerate(texts))]
    return understood(ward, file_of(folder, lines), **choices)


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (("1.234", "1,512.00"), "point"),
        (("1.234", "1.512,00"), "comma"),
        (("$1,512.00", "$1,151.00"), "point"),
        (("1.234", "0,5"), "comma"),
        (("1,234", "7.50"), "point"),
    ],
)
def test_one_unambiguous_number_decides_for_all(ward: Ward, tmp_path: Path, texts: tuple[str, ...], mark: str) -> None:
    how = prices(ward, tmp_path, *texts)
    assert (how.mark, asked(how)) == (mark, [])
    assert findings(how)["decimal"] == (mark, "decimal.told")


def test_ambiguous_numbers_are_asked_about(ward: Ward, tmp_path: Path) -> None:
    how = prices(ward, tmp_path, "1.234", "12.500", "100")
    assert asked(how) == [("decimal.unclear", None, ("point", "comma"))]
    assert how.questions[0].params == {"example": "1.234"}
    assert asked(prices(ward, tmp_path, "1,234")) == [("decimal.unclear", None, ("point", "comma"))]
    assert prices(ward, tmp_path, "1.234", decimal="comma").questions == ()
    assert findings(prices(ward, tmp_path, "1.234", decimal="comma"))["decimal"] == ("comma", "decimal.chosen")


@pytest.mark.parametrize(
    ("texts", "suggestion"),
    [
        (("$3,277", "$104,937", "$128"), "point"),
        (("3.277", "104.937", "128"), "comma"),
        (("1.234", "5000"), None),
    ],
)
def test_marks_in_large_numbers_only_suggest_thousands(
    ward: Ward, tmp_path: Path, texts: tuple[str, ...], suggestion: str | None
) -> None:
    (question,) = prices(ward, tmp_path, *texts).questions
    assert (question.code, question.suggestion) == ("decimal.unclear", suggestion)


def test_contradicting_numbers_are_asked_about(ward: Ward, tmp_path: Path) -> None:
    how = prices(ward, tmp_path, "1,512.00", "12,50")
    assert asked(how) == [("decimal.both", None, ("point", "comma"))]
    assert how.questions[0].params == {"first": "1,512.00", "second": "12,50"}


def test_numbers_without_a_mark_cause_no_question(ward: Ward, tmp_path: Path) -> None:
    assert prices(ward, tmp_path, "1", "200", "$ 3").questions == ()


def test_numbers_of_other_columns_do_not_count(ward: Ward, tmp_path: Path) -> None:
    lines = ["code|name|price|size", "1|Gasa|1.234|7,50"]
    assert asked(understood(ward, file_of(tmp_path, lines))) == [("decimal.unclear", None, ("point", "comma"))]


def test_text_results_of_formulas_count_for_the_number_format(ward: Ward, tmp_path: Path) -> None:
    text = Raw('<c t="str"><f>TEXT(A1,"0.000")</f><v>1.234</v></c>')
    file = xlsx(tmp_path, ["codigo", "nombre", "precio"], ["1", "Gasa", text])
    assert asked(understood(ward, file)) == [("decimal.unclear", None, ("point", "comma"))]


def test_numeric_cells_of_a_workbook_need_no_decimal_mark(ward: Ward, tmp_path: Path) -> None:
    assert understood(ward, xlsx(tmp_path, ["code", "name", "price"], ["1", "Gasa", 1.234])).questions == ()


def test_ignored_currency_marks_are_reported(ward: Ward, tmp_path: Path) -> None:
    assert findings(prices(ward, tmp_path, "$1.50", "2 €"))["currency"] == ("“$”, “€”", "currency.passed_over")


def births(ward: Ward, folder: Path, *texts: str, **choices: Any) -> FileLayout:
    lines = ["nhc;nombre;apellido;nacimiento", *(f"{number};Ana;Ríos;{text}" for number, text in enumerate(texts))]
    return understood(ward, file_of(folder, lines), Noun.PATIENTS, **choices)


def test_the_order_of_dates_is_recognized_or_asked_like_numbers(ward: Ward, tmp_path: Path) -> None:
    assert asked(births(ward, tmp_path, "03/04/1980", "05/06/1990")) == [
        ("dates.unclear", None, ("day-first", "month-first"))
    ]
    assert births(ward, tmp_path, "03/04/1980", "13/04/1990").order == "day-first"
    assert births(ward, tmp_path, "03/04/1980", "04/13/1990").order == "month-first"
    assert asked(births(ward, tmp_path, "13/04/1980", "04/13/1990"))[0][0] == "dates.both"
    assert births(ward, tmp_path, "1980-04-03", "3 de abril de 1980", "04/04/1980").questions == ()
    assert births(ward, tmp_path, "03/04/1980", dates="month-first").order == "month-first"


# --- kinds of files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "nouns"),
    [
        ("código;descripción;precio", [Noun.PRODUCTS]),
        ("nhc;nombre;apellido;nacimiento", [Noun.PATIENTS, Noun.STAFF]),
        ("expediente;fecha de ingreso;código;cantidad", [Noun.CONSUMPTION]),
        ("habitación;área", [Noun.ROOMS, Noun.AREAS]),
        ("nombre;apellido;puesto", [Noun.STAFF, Noun.PATIENTS]),
        ("foo;bar", []),
        ("nombre;apellido", []),
    ],
)
def test_the_noun_of_a_file_is_suggested_by_its_columns(
    ward: Ward, tmp_path: Path, header: str, nouns: list[Noun]
) -> None:
    file = file_of(tmp_path, [header, header.replace("c", "x")])
    found = ward.use_cases.imports.read_file.nouns(ward.admin, file, Choices())
    assert found[: len(nouns)] == nouns
    assert bool(found) == bool(nouns)
