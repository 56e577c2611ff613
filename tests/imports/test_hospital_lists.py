"""Lists as other hospitals and systems write them.

Each has its expected layout, products, warnings and errors. All lists are made up, in the form of real ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from application.imports.reading.fields import Noun
from tests.builders import Ward
from tests.imports.catalogue import of, products
from tests.imports.importing import asked, brought_in, file_of, tried, understood, warnings
from tests.spreadsheets.workbooks import (
    DATE,
    formula,
    number,
    ods_of,
    ods_table,
    web_page,
    xls,
    xlsx,
    xml_workbook,
)

Written = Callable[[Path], Path]
Said = tuple[str | None, str]


@dataclass(frozen=True, kw_only=True)
class HospitalList:
    """A list, the expected column of each field, and results by line."""

    written: Written
    mapping: Mapping[str, str]
    taken: Mapping[str, tuple[str, str]]
    warned: Mapping[int, Sequence[Said]] = field(default_factory=dict)
    refused: Mapping[int, Sequence[Said]] = field(default_factory=dict)
    asks: Sequence[tuple[str, str | None, tuple[str, ...]]] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)


def text(*lines: str, encoding: str = "utf-8") -> Written:
    return lambda folder: file_of(folder, lines, encoding=encoding)


SAP = HospitalList(
    written=text(
        "Material\tTexto breve\tUMB\tGrupo art.\tPrecio\tMon.",
        "102371\tCATETER VENOSO CENTRAL 7FR\tUN\tM-01\t1.234,50\tUSD",
        "102372\tSOLUCIÓN SALINA 0,9 % 500 ML\tFRA\tM-02\t2,75\tUSD",
        "000000000000102373\tGUANTE NITRILO\tPAR\tM-01\t0,08\tUSD",
        encoding="cp1252",
    ),
    mapping={
        "code": "Material",
        "name": "Texto breve",
        "unit": "UMB",
        "category": "Grupo art.",
        "price": "Precio",
        "currency": "Mon.",
    },
    taken={
        "102371": ("CATETER VENOSO CENTRAL 7FR", "1234.50"),
        "102372": ("SOLUCIÓN SALINA 0,9 % 500 ML", "2.75"),
        "000000000000102373": ("GUANTE NITRILO", "0.08"),
    },
)

SAP_WORKBOOK = HospitalList(
    written=lambda folder: xml_workbook(
        folder,
        ["Material", "Texto breve de material", "UM", "Precio unitario"],
        ["000000000000102371", "Catéter venoso", "UN", 1234.5],
        ["000000000000102372", "Sonda =16FR", "UN", 12],
    ),
    mapping={"code": "Material", "name": "Texto breve de material", "unit": "UM", "price": "Precio unitario"},
    taken={
        "000000000000102371": ("Catéter venoso", "1234.50"),
        "000000000000102372": ("Sonda =16FR", "12.00"),
    },
)

HMIS = HospitalList(
    written=text(
        "ItemCode|ItemName|ItemGroup|UOM|UnitPrice|Status",
        'MC-0005|GAUZE 4" X 4"|DRESSINGS|PACK|1,250.00|ACTIVE',
        "MC-0006|SYRINGE 5ML|SYRINGES|EA|0.375|ACTIVE",
        "MC-0007|NEEDLE 21G|SYRINGES|EA|0.10|INACTIVE",
        "mc-0006|SYRINGE 5 ML|SYRINGES|EA|0.375|ACTIVE",
    ),
    mapping={
        "code": "ItemCode",
        "name": "ItemName",
        "category": "ItemGroup",
        "unit": "UOM",
        "price": "UnitPrice",
        "active": "Status",
    },
    taken={
        "MC-0005": ('GAUZE 4" X 4"', "1250.00"),
        "MC-0006": ("SYRINGE 5ML", "0.38"),
        "MC-0007": ("NEEDLE 21G", "0.10"),
    },
    warned={3: [("price", "money.rounded")], 5: [("code", "code.but_for_case")]},
)

CHARGEMASTER = HospitalList(
    written=text(
        "General Hospital,,,,",
        '"Standard charges as of 01/01/2026, subject to change without notice",,,,',
        "",
        "Charge Code,Charge Description,Revenue Code,CPT/HCPCS,Gross Charge",
        '00123,"CATHETER, FOLEY 16FR",272,A4338,"$1,234.50"',
        "00124,STENT CORONARY,278,C1874,$9999.00",
        "00125,TUBE FEEDING,272,B4087,call",
    ),
    mapping={"code": "Charge Code", "name": "Charge Description", "price": "Gross Charge"},
    taken={"00123": ("CATHETER, FOLEY 16FR", "1234.50"), "00124": ("STENT CORONARY", "9999.00")},
    refused={7: [("price", "number.expected")]},
)

TARIFF = HospitalList(
    written=text(
        "TARIFA DE MATERIAL SANITARIO 2026;;;",
        "Cód.;Artículo;Ud.;P. unit.",
        "A-01;Algodón hidrófilo;paq.;1.234,56 €",
        "A-02;Apósito 10×10;u.;0,35 €",
        "A-03;Bisturí nº 11;u.;1,2 €",
        encoding="cp1252",
    ),
    mapping={"code": "Cód.", "name": "Artículo", "price": "P. unit."},
    taken={
        "A-01": ("Algodón hidrófilo", "1234.56"),
        "A-02": ("Apósito 10×10", "0.35"),
        "A-03": ("Bisturí nº 11", "1.20"),
    },
    warned={line: [("price", "money.foreign")] for line in (3, 4, 5)},
)

THOUSANDS = HospitalList(
    written=text("codigo;descripcion;precio", "1;Prótesis;1.500", "2;Malla;2.250"),
    mapping={"code": "codigo", "name": "descripcion", "price": "precio"},
    asks=[("decimal.unclear", None, ("point", "comma"))],
    chosen={"decimal": "comma"},
    taken={"1": ("Prótesis", "1500.00"), "2": ("Malla", "2250.00")},
)

DOS = HospitalList(
    written=text(
        "CODIGO;DESCRIPCION;PRECIO",
        "001;ALGODÓN 100 G;12.50",
        "002;PAÑAL ADULTO;3.10",
        "003;Cánula nasal niño;8.00",
        encoding="cp850",
    ),
    mapping={"code": "CODIGO", "name": "DESCRIPCION", "price": "PRECIO"},
    taken={
        "001": ("ALGODÓN 100 G", "12.50"),
        "002": ("PAÑAL ADULTO", "3.10"),
        "003": ("Cánula nasal niño", "8.00"),
    },
)

WEB_SYSTEM = HospitalList(
    written=lambda folder: web_page(
        folder,
        "<table><tr><td>Hospital San José</td></tr></table><table border=1>"
        "<tr><th>Clave<th>Descripci&oacute;n<th>Precio</tr>"
        "<tr><td>00123</td><td>Gasa est&eacute;ril</td><td align=right>1.234,50</td></tr>"
        "<tr><td>00124</td><td>Cánula &lt;5&nbsp;mm&gt;</td><td align=right>3,75</td></tr>"
        "<tr><td colspan=2>TOTAL</td><td align=right>1.238,25</td></tr></table>",
        head="<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>",
        encoding="cp1252",
    ),
    mapping={"code": "Clave", "name": "Descripción", "price": "Precio"},
    taken={"00123": ("Gasa estéril", "1234.50"), "00124": ("Cánula <5 mm>", "3.75")},
    refused={4: [("name", "required")]},
)

LIBREOFFICE = HospitalList(
    written=lambda folder: ods_of(
        folder,
        ods_table([["Notas"], ["Precios sin IVA"]], "Portada"),
        ods_table(
            [
                ["Clave", "Insumo", "Presentación", "Costo unitario"],
                ["010.000.0101.00", "Ácido acetilsalicílico", "caja", 12.5],
                ["010.000.0104.00", "Paracetamol", "caja", 7],
                [None, None, None, None],
                ["0060", "Venda", "pieza", "sin precio"],
            ],
            "Cuadro básico",
        ),
    ),
    mapping={"code": "Clave", "name": "Insumo", "unit": "Presentación", "price": "Costo unitario"},
    taken={"010.000.0101.00": ("Ácido acetilsalicílico", "12.50"), "010.000.0104.00": ("Paracetamol", "7.00")},
    refused={5: [("price", "number.expected")]},
)

RECKONED = HospitalList(
    written=lambda folder: xlsx(
        folder,
        ["Código", "Producto", "Costo", "Precio de venta"],
        ["P-1", "Jeringa 5 ml", 2, formula("C2*1.16", 2.32)],
        ["P-2", "Aguja", 0.5, formula("C3*1.16", 0.58)],
        ["P-3", "Llave", 1, formula("C4*1.16")],
    ),
    mapping={"code": "Código", "name": "Producto", "price": "Precio de venta"},
    asks=[("column.several", "price", ("Costo", "Precio de venta"))],
    chosen={"mapping": {"price": "Precio de venta"}},
    taken={"P-1": ("Jeringa 5 ml", "2.32"), "P-2": ("Aguja", "0.58")},
    warned={2: [("price", "cell.formula_taken")], 3: [("price", "cell.formula_taken")]},
    refused={4: [("price", "cell.formula")]},
)

WITH_TOTALS = HospitalList(
    written=lambda folder: xlsx(
        folder,
        ["HOSPITAL GENERAL"],
        ["Inventario valorizado", None, None, number(46115, DATE)],
        [],
        ["Código", "Descripción", "Unidad", "Importe"],
        ["0001", "Suero", "fco", 10],
        ["0002", "Equipo", "pza", 20.5],
        ["0003", "Sonda", "pza", 5],
        ["T", "TOTAL GENERAL", None, formula("SUM(D5:D7)", 35.5)],
    ),
    mapping={"code": "Código", "name": "Descripción", "unit": "Unidad", "price": "Importe"},
    taken={
        "0001": ("Suero", "10.00"),
        "0002": ("Equipo", "20.50"),
        "0003": ("Sonda", "5.00"),
        # Imported because the test confirms all warnings; a person can leave the row out instead.
        "T": ("TOTAL GENERAL", "35.50"),
    },
    warned={8: [("price", "cell.formula_taken"), ("name", "row.of_totals")]},
)

TWO_CURRENCIES = HospitalList(
    written=text(
        "Clave,Nombre,Precio,Moneda",
        "1,Gasa,10.00,USD",
        "2,Stent,1200.00,EUR",
        "3,Venda,4.00,USD",
        "4,Tul,5.00,",
    ),
    mapping={"code": "Clave", "name": "Nombre", "price": "Precio", "currency": "Moneda"},
    taken={"1": ("Gasa", "10.00"), "2": ("Stent", "1200.00"), "3": ("Venda", "4.00"), "4": ("Tul", "5.00")},
    warned={3: [("price", "money.of_another_currency")]},
)

OLD_WORKBOOK = HospitalList(
    written=lambda folder: xls(
        folder,
        ["CLAVE DEL INSUMO", "DESCRIPCIÓN", "PRECIO", "ESTADO"],
        [10100, "Guante", 3.5, "VIGENTE"],
        [datetime(2026, 3, 1), "Lápiz", 9.0, "BAJA"],
        ["01-mar", "Electrodo", 7.0, "en trámite"],
        ["1.23E+11", "Marcapasos", 9.0, "VIGENTE"],
    ),
    mapping={"code": "CLAVE DEL INSUMO", "name": "DESCRIPCIÓN", "price": "PRECIO", "active": "ESTADO"},
    taken={"10100": ("Guante", "3.50"), "01-mar": ("Electrodo", "7.00")},
    warned={4: [("code", "code.like_a_date"), ("active", "active.unknown")]},
    refused={3: [("code", "cell.date")], 5: [("code", "code.cut_off")]},
)

SHOP = HospitalList(
    written=text(
        "Internal Reference,Name,Barcode,Sales Price,Unit of Measure",
        "\u200bREF-1,Gasa,7501031311309,10.00,Units",
        "REF-2,Venda,7501031311308,4.00,Units",
    ),
    mapping={
        "code": "Internal Reference",
        "name": "Name",
        "gtin": "Barcode",
        "price": "Sales Price",
        "unit": "Unit of Measure",
    },
    taken={"REF-1": ("Gasa", "10.00")},
    warned={2: [("code", "characters.unseen")]},
    refused={3: [("gtin", "gtin.invalid")]},
)

LISTS = {
    "SAP list": SAP,
    "SAP workbook in XML": SAP_WORKBOOK,
    "HMIS": HMIS,
    "chargemaster": CHARGEMASTER,
    "Spanish tariff": TARIFF,
    "thousands": THOUSANDS,
    "DOS program": DOS,
    "web system": WEB_SYSTEM,
    "LibreOffice": LIBREOFFICE,
    "reckoned prices": RECKONED,
    "titles and totals": WITH_TOTALS,
    "two currencies": TWO_CURRENCIES,
    "old workbook": OLD_WORKBOOK,
    "shop": SHOP,
}


def said(reported: Mapping[int, Sequence[tuple[object, ...]]]) -> dict[int, list[tuple[object, ...]]]:
    return {line: [one[:2] for one in each] for line, each in reported.items()}


@pytest.mark.parametrize("one", LISTS.values(), ids=LISTS)
def test_lists_of_other_hospitals_are_imported_as_expected(ward: Ward, tmp_path: Path, one: HospitalList) -> None:
    file = one.written(tmp_path)
    how = understood(ward, file)
    assert how.noun is Noun.PRODUCTS
    assert asked(how) == list(one.asks)

    brought = tried(ward, file, **one.chosen)
    assert brought.how
    assert brought.how.named_mapping == one.mapping
    assert said(warnings(brought)) == {line: list(each) for line, each in one.warned.items()}
    assert brought.refusals == {line: list(each) for line, each in one.refused.items()}

    brought_in(ward, file, **one.chosen)
    assert {code: of(product) for code, product in products(ward).items()} == one.taken
    again = brought_in(ward, file, **one.chosen)
    assert (again.report.created, again.report.changed) == (0, 0)
