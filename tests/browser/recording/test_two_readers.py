"""Server and client parse thousands of generated barcodes equally."""

import json
import random
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from adapters.symbols.scan import read_scan
from domain.scanning.hibc import check_character

pytestmark = pytest.mark.browser

UI = Path(__file__).parents[3] / "ui"
GS = "\x1d"
HOW_MANY = 6_000
# Loads the client's module with Vite.
READ_ALL = """
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'vite';
const [sent, read] = process.argv.slice(-2);
const server = await createServer({
  server: { middlewareMode: true, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
  appType: 'custom',
  logLevel: 'error',
});
const { parseBarcode } = await server.ssrLoadModule('/src/symbols/gs1.ts');
writeFileSync(read, JSON.stringify(JSON.parse(readFileSync(sent, 'utf8')).map(parseBarcode)));
process.exit(0);
"""


class Symbols:
    """Generates barcode texts as on labels, some of them damaged."""

    def __init__(self, seed: int) -> None:
        self.any = random.Random(seed)

    def one(self) -> str:
        kinds = (self.message, self.message, self.message, self.brackets, self.link, self.hibc, self.digits, self.code)
        text = self.any.choice(kinds)()
        for change, how_often in ((self.damaged, 0.15), (str.swapcase, 0.05), (self.prefixed, 0.3)):
            if self.any.random() < how_often:
                text = change(text)
        return text + self.any.choice(("", "", "\r", "\t", GS))

    def figures(self, length: int) -> str:
        return "".join(self.any.choices("0123456789", k=length))

    def gtin(self) -> str:
        body = self.figures(13)
        if self.any.random() < 0.1:
            return body + self.figures(1)
        total = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(body))
        return body + str(-total % 10)

    def text(self) -> str:
        letters = self.any.choice(("0123456789", "ABCDEFGHIJ0123456789", "AB-/.'_()%+2110171", "AÓñ0", "1271"))
        return "".join(self.any.choices(letters, k=self.any.choice((1, 3, 5, 8, 12, 20, 21, 31))))

    def day(self) -> str:
        real = f"2{self.figures(1)}0{self.any.randint(1, 9)}1{self.figures(1)}"
        return self.any.choice((real, self.figures(6)))

    def elements(self) -> list[tuple[str, str]]:
        makers: dict[str, Any] = {
            **dict.fromkeys(("01", "02", "03"), self.gtin),
            **dict.fromkeys(("11", "13", "14", "15", "17"), self.day),
            **dict.fromkeys(("10", "21", "22", "240", "251", "91", "8020", "4300", "7040", "8003"), self.text),
            "00": lambda: self.figures(18),
            "20": lambda: self.figures(2),
            "3103": lambda: self.figures(6),
            "30": lambda: self.figures(3),
            "37": lambda: self.figures(2),
            "7003": lambda: self.figures(10),
            "8018": lambda: self.figures(18),
            "8017": lambda: self.figures(18),
            "3922": lambda: self.figures(5),
            "414": lambda: self.figures(13),
            "422": lambda: self.figures(3),
            "59": lambda: self.figures(3),
        }
        usual = ["01", "17", "10", "21", "240", "30", "02", "37", "11"]
        ais = self.any.sample(usual, self.any.randint(1, 4))
        if self.any.random() < 0.3:
            ais.insert(self.any.randint(0, len(ais)), self.any.choice([*makers]))
        if "01" in ais and self.any.random() < 0.8:
            ais.sort(key=lambda ai: ai != "01")
        return [(ai, makers[ai]()) for ai in ais]

    def message(self) -> str:
        separator = self.any.choice((GS, GS, "{GS}", "^]", "", "", ""))
        return separator.join(ai + value for ai, value in self.elements())

    def brackets(self) -> str:
        between = self.any.choice(("", "", " ", GS))
        return between.join(f"({ai}){value}" for ai, value in self.elements())

    def link(self) -> str:
        elements = self.elements()
        path = "/".join(f"{ai}/{value}" for ai, value in elements[:2])
        query = "&".join(f"{ai}={value}" for ai, value in elements[2:])
        return f"https://id.example/{self.any.choice(('', 'es/'))}{path}{'?' if query else ''}{query}"

    def hibc(self) -> str:
        primary = "+E" + "".join(self.any.choices("ABC0123456789", k=self.any.randint(3, 12))) + self.figures(1)
        dates = ("0128", "1328", "2123128", "3281231", "3281340", "428123112", "528366", "527366", "62836612", "7", "")
        day = self.any.choice(dates)
        quantity = self.any.choice(("", "", "805", "900250", "8"))
        lot = "".join(self.any.choices("ABC012389", k=self.any.choice((0, 4, 12, 21))))
        data = self.any.choice((f"$$+{quantity}{day}{lot}", f"$$+{day}{lot}", f"$${quantity}{day}{lot}"))
        data = self.any.choice((data, data, f"${lot}", f"$+{lot}", f"28001{lot}", lot))
        data += self.any.choice(("", "", f"/S{lot}", "/14D20281231", "/14D20281331", "/16D20240101", "/Q12", "/Z"))
        text = self.any.choice((primary, f"{primary}/{data}", f"{primary}/{data}", f"+{data}L"))
        return text + (self.any.choice("AX0 ") if self.any.random() < 0.3 else check_character(text) or "")

    def digits(self) -> str:
        return self.any.choice((self.gtin(), self.gtin()[1:], self.figures(8), self.figures(self.any.randint(1, 20))))

    def code(self) -> str:
        return self.any.choice(("10", "17", "21", "30", "MC-", "EXP-2025-", "*", "8018")) + self.text()

    def damaged(self, text: str) -> str:
        at = self.any.randrange(len(text) + 1)
        return text[:at] + self.any.choice(("", "Ñ", " ", "1", "(", GS, "٣")) + text[at + 1 :]

    def prefixed(self, text: str) -> str:
        return self.any.choice(("]d2", "]C1", "]C0", "]Q3", "]E0", "]e0", "]c1", "]D2", "]J1", GS)) + text


def read_by_device(symbols: list[str], folder: Path) -> list[dict[str, Any]]:
    sent, read = folder / "sent.json", folder / "read.json"
    sent.write_text(json.dumps(symbols))
    command = ["node", "--input-type=module", "--eval", READ_ALL, "--", str(sent), str(read)]
    subprocess.run(command, cwd=UI, stdin=subprocess.DEVNULL, check=True)
    found: list[dict[str, Any]] = json.loads(read.read_text())
    return found


def test_server_and_client_parse_every_barcode_equally(tmp_path: Path) -> None:
    make = Symbols(seed=20)
    symbols = [make.one() for _ in range(HOW_MANY)]
    differing = [
        (symbol, of_server, of_device)
        for symbol, device in zip(symbols, read_by_device(symbols, tmp_path), strict=True)
        if (of_server := by_server(symbol)) != (of_device := by_device(device))
    ]
    assert differing == []
    read = [by_server(symbol) for symbol in symbols]
    # Every field occurs often enough for the comparison to be meaningful.
    flags = ("separator_lost", "expiry_unreadable", "incomplete", "bare", "of_person")
    for name in ("gtin", "hibc", "lot", "expiry", "serial", "count", *flags):
        assert sum(bool(one.get(name)) for one in read) > HOW_MANY / 500, name


def by_server(symbol: str) -> dict[str, Any]:
    read = read_scan(symbol)
    names = read.__slots__ if read.has_data else ("text", "symbology", "hibc", "of_person", "gsrn")
    values = {name: getattr(read, name) for name in names}
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items() if value}


def by_device(read: dict[str, Any]) -> dict[str, Any]:
    values = {**(read.pop("reading") or {}), **read, "of_person": read["ofPerson"]}
    del values["ofPerson"]
    return {name: value for name, value in values.items() if value}
