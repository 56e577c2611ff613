"""Valid, partly wrong and wild requests from the OpenAPI document."""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

from hypothesis import strategies as st

from tests.http.accounts.signed_in import NEW_PASSWORD
from tests.http.hospital import PASSWORD

Operation = Mapping[str, Any]

# The kinds of things that these parameters and fields refer to.
KINDS = {
    "account_id": "service_account",
    "area_id": "area",
    "category_id": "category",
    "code_id": "code",
    "consumption_sheet_id": "sheet",
    "detail_id": "detail",
    "entity_id": "sheet",
    "import_id": "import",
    "into": "patient",
    "into_id": "patient",
    "key_id": "key",
    "kit_id": "kit",
    "late_entry_id": "late_entry",
    "unlisted_item_id": "unlisted_item",
    "outbound_message_id": "outbound_message",
    "message_id": "message",
    "patient_id": "patient",
    "product_id": "product",
    "recall_id": "recall",
    "room_id": "room",
    "session_id": "session",
    "sheet_id": "sheet",
    "staff_id": "staff",
    "token": "token",
    "typed_name_id": "typed_name",
    "user_id": "user",
}


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a thing of that kind: 0 is the newest, higher is older."""

    kind: str
    slot: int


@dataclass(frozen=True, slots=True)
class Raw:
    """Raw JSON, such as a number that Python cannot represent."""

    text: str


@dataclass(frozen=True, slots=True)
class Made:
    """A generated request; its references are resolved when it is sent."""

    where: Mapping[str, Any]
    query: tuple[tuple[str, Any], ...] = ()
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: Any = None


@dataclass(frozen=True, slots=True)
class Known:
    """Ids and tokens to refer to, by kind, newest first."""

    things: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, kind: str, thing: Any) -> None:
        self.things.setdefault(kind, []).insert(0, thing)
        del self.things[kind][12:]

    def resolve(self, value: Any) -> Any:
        """The value, with references replaced by what they refer to."""
        if isinstance(value, Ref):
            known = self.things.get(value.kind, [1])
            return known[value.slot % len(known)]
        if isinstance(value, dict):
            return {name: self.resolve(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.resolve(inner) for inner in value]
        return value


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    """Method, path and description of every operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


# --- values ----------------------------------------------------------------------------------------------------------

ODD_TEXTS = st.text(max_size=12) | st.text(st.characters(categories=["Cs", "Cc", "Cf", "Co", "Mn", "So"]), max_size=4)
HOSTILE: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(
            None,
            True,
            False,
            [],
            {},
            [[]],
            {"id": 1},
            [None],
            "",
            " ",
            "\x00",
            "a\x00b",
            "\ud800",
            "\udfff\ud800",
            "NaN",
        ),
        *(Raw(n) for n in ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "1e999999999999999999", "-0")),
        *(Raw("9" * 400), Raw("-" + "9" * 5000), Raw("0." + "3" * 500), Raw("01"), Raw("[" * 300 + "]" * 300), Raw("")),
        *(2**31, 2**53, 2**63 - 1, 2**63, 2**64, -1, -(2**63), -(2**63) - 1, 0, 0.1, 1e15, 999999999999.995),
        *("0000-00-00", "9999-12-31", "0001-01-01", "10000-01-01", "2026-02-30", "2026-W01-1", "2026-05-04T25:00:00Z"),
        *("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "1", "-1", "1e3", "٣", "x" * 201, "ñ" * 2_001),
        *("=1+1", "'; DROP TABLE users;--", "<script>", "%s%n", "../../etc/passwd", "\u202e\u200b\ufeff", "İ", "ﬁ"),
    ]
)
BROKEN = HOSTILE | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD_TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD_TEXTS, inner, max_size=3),
    max_leaves=4,
)
WORDS = st.sampled_from(["Ana", "Gasa estéril", "Núñez Peña", "Quirófano 3", "MC-0008", "x", "漢字", "🧻", "O'Neil"])
DAYS = st.dates(date(1900, 1, 1), date(2026, 12, 31)).map(str)
SLOTS = st.integers(0, 11)


def fitting(name: str, schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Strategy for valid values of a field or parameter."""
    if name in KINDS:
        return SLOTS.map(lambda slot: Ref(KINDS[name], slot))
    named: dict[str, st.SearchStrategy[Any]] = {
        "email": st.integers(0, 30).map(lambda number: f"made-up-{number}@hospital.test") | SLOTS.map(_email),
        "password": st.just(NEW_PASSWORD),
        "password_confirmation": st.just(NEW_PASSWORD),
        "current_password": st.just(PASSWORD),
        "role": st.sampled_from([1, 2, "1", "2", 10]),
        "status": st.integers(1, 4),
        "type": st.integers(1, 4),
        "active": st.sampled_from([0, 1]),
        "gtin": st.sampled_from([None, "9506000134352", "96385074"]),
        "sort": st.sampled_from(
            [
                "id",
                "-id",
                "name",
                "-name",
                "total",
                "-total",
                "price",
                "created_at",
                "-created_at",
                "deleted_at",
                "patient",
                "admission_date",
                "doctor",
                "room",
                "category_code",
                "-unit_price",
                "email",
                "role",
                "code",
            ]
        ),
        "q": WORDS
        | st.sampled_from(["gasa", "gasa est", "inés álvarez", "%", "_", "\\", '"', "*", "a b c d e f g h i j"]),
        "name": WORDS,
        "cursor": SLOTS.map(lambda slot: Ref("cursor", slot)) | CURSORS,
        "action": st.sampled_from(["sheet.opened", "user.updated", "nothing"]),
        "entity": st.sampled_from(["consumption_sheet", "user", "nothing"]),
        "limit": st.integers(1, 100),
        "page": st.integers(1, 4),
        "noun": st.sampled_from(["products", "patients", "staff", "areas", "rooms", "users", "consumption"]),
        "encoding": st.sampled_from(["utf-8", "windows-1252", "utf-16-le", "mac-roman"]),
        "separator": st.sampled_from(["comma", "semicolon", "tab", "none"]),
        "decimal": st.sampled_from(["point", "comma"]),
        "dates": st.sampled_from(["day-first", "month-first"]),
        "mapping": st.sampled_from(["name=nombre", "price=", "code=A", "name=Descripción", "area="]),
        "header_row": st.integers(0, 4),
        "sheet": st.sampled_from(["", "Hoja1", "x"]),
        "file_name": st.sampled_from(["precios.csv", "x", "Lista ñ.xlsx"]),
        "date_of_birth": DAYS,
        "admission_date": DAYS | DAYS.map(lambda day: f"{day}T12:00:00.000Z"),
    }
    if name in named:
        return named[name]
    kind = schema.get("type")
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if kind == "integer":
        return st.integers(1, 100)
    if kind == "number":
        return st.decimals(0, 5_000, places=2).map(float) | st.integers(0, 50)
    if kind == "boolean":
        return st.booleans()
    if schema.get("format") == "date":
        return DAYS
    return WORDS


def _email(slot: int) -> Ref:
    return Ref("email", slot)


def _cursor(content: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


CURSORS = st.one_of(
    st.sampled_from(["", "x", "W10", "====", "\x00", "\ud800", "ñ", _cursor([]), _cursor({}), "W" * 5_000]),
    st.tuples(
        st.sampled_from(
            ["1", "9" * 30, "-5", "٣", "2026-05-04T12:00:00+00:00", "0001-01-01T00:00:00+23:59", "x", "\x00"]
        )
        | st.none()
        | st.integers(),
        st.integers(-1, 2**64) | st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False),
    ).map(lambda pair: _cursor(list(pair))),
)


# --- requests --------------------------------------------------------------------------------------------------------

HEADERS: dict[bytes, list[bytes]] = {
    b"If-Match": [b'"1"', b"*", b'"2", "1"', b"", b'W/"1"', b"x", b"\xff", b'"' * 2_000, b'"99999999999999999999999"'],
    b"If-None-Match": [b'"1"', b'"2", W/"1"', b"*", b"", b"x", b"\xff", b'"' * 2_000],
    b"Idempotency-Key": [b"k1", b"k2", b"k3", b"", b"with blank", b"\xc3\xb1", b"x" * 201, b"\x7f"],
    b"Accept-Language": [b"es", b"en", b"de, en;q=0.5", b"", b"*", b"en;q=x", b"\xff", b"e" * 9_000, b";;,,"],
    b"Accept": [b"text/csv", b"application/json", b"text/html", b"", b"*/*", b"\xff\xfe", b"a/b;" * 500],
    b"Content-Type": [
        b"application/json",
        b"text/plain",
        b"application/vnd.api+json",
        b"",
        b"application/json; charset=x",
    ],
    b"Content-Encoding": [b"gzip", b"x"],
    b"Authorization": [b"", b"Bearer", b"Bearer x", b"Basic eDp5", b"Bearer \xff", b"Bearer " + b"A" * 9_000],
    b"Host": [b"", b"x", b"\xff", b"a:b:c"],
    b"X-Forwarded-For": [b"127.0.0.1", b"x" * 5_000],
    b"Cookie": [b"a=b", b"\xff=;;;"],
}
FILES = st.sampled_from(
    [
        *(b"code;name;price\n1;Gasa;1,50\n2;Venda;x\n", "código\tdescripción\tprecio\n1\tGasa\t2.5\n".encode("utf-16")),
        *(b"name;area\nSala 1;Urgencias\n", b"area\nUrgencias\n\n=1+1\n", b"A,B,C\n1,2,3\n", b"nombre\nGasa\n"),
        *(
            b"expediente;nombre;apellido;nacimiento\n1;Ana;Soto;03/04/2026\n",
            b"\x00\x01\x02",
            b"",
            b"%PDF-1.7",
            b"\n\n",
        ),
        *(
            b'paciente,fecha de ingreso,codigo,producto,cantidad\n"Soto, Ana",2026-05-04,1,Gasa,2\n',
            b"PK\x03\x04" + b"x" * 90,
        ),
        *(b"code,name,price\n" + b"1,Gasa,1.234\n" * 30, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600),
    ]
)
BODIES = st.binary(max_size=80) | st.sampled_from(
    [
        *(b"", b" ", b"null", b"[]", b"0", b'"x"', b"NaN", b"{", b"{}{}", b"{'a': 1}", b"\xff\xfe", b"\xef\xbb\xbf{}"),
        *(b"[" * 20_000, b'{"a":' * 5_000, b'{"x":' + b"[" * 900 + b"]" * 900 + b"}", b'{"name": "\xed\xa0\x80"}'),
        *(
            rb'{"\ud800": 1}',
            b'{"name": 1, "name": "x", "name": null}',
            b"name=x&price=1",
            b"<xml/>",
            b'"' + b"x" * 50_000,
        ),
        *(b'{"name": "' + b"x" * 1_100_000 + b'"}', b"{" + b",".join(b'"f%d":1' % n for n in range(3_000)) + b"}"),
    ]
)


def needed(parameter: Mapping[str, Any], temper: str) -> bool:
    return bool(parameter["required"]) and temper == "fit"


@st.composite
def requests(draw: st.DrawFn, operation: Operation) -> Made:
    """Strategy for requests: one third each valid, partly wrong, and wild."""
    temper = draw(st.sampled_from(["fit", "mixed", "wild"]))

    def value(name: str, schema: Mapping[str, Any]) -> Any:
        right = temper == "fit" or (temper == "mixed" and draw(st.integers(0, 2)) > 0)
        return draw(fitting(name, schema) if right else BROKEN)

    where: dict[str, Any] = {}
    query: list[tuple[str, Any]] = []
    for parameter in operation.get("parameters", []):
        name, schema = parameter["name"], parameter["schema"]
        if parameter["in"] == "path":
            astray = temper == "wild" and draw(st.booleans())
            where[name] = draw(HOSTILE | ODD_TEXTS) if astray else draw(fitting(name, schema))
        elif parameter["in"] == "query" and (needed(parameter, temper) or draw(st.integers(0, 2)) == 0):
            query.append((name, value(name, schema)))
    if temper != "fit":
        unknown = st.tuples(ODD_TEXTS | st.sampled_from([name for name, _ in query] or ["page"]), HOSTILE | ODD_TEXTS)
        query += draw(st.lists(unknown, max_size=2))
    names = [parameter["name"].encode() for parameter in operation.get("parameters", []) if parameter["in"] == "header"]
    asked = draw(st.lists(st.sampled_from([*names, b"Accept-Language", b"Accept"]), max_size=2, unique=True))
    if temper == "wild":
        asked += draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=2))
    most = None if temper != "fit" else 3
    headers = [(name, draw(st.sampled_from(HEADERS[name][:most]))) for name in asked]
    return Made(where, tuple(query), tuple(headers), _body(draw, operation, temper, value))


def _body(draw: st.DrawFn, operation: Operation, temper: str, value: Any) -> Any:
    if "requestBody" not in operation:
        return draw(st.none() | BODIES) if temper == "wild" else None
    if temper == "wild" and draw(st.integers(0, 2)) == 0:
        return draw(BODIES)
    if "application/octet-stream" in operation["requestBody"]["content"]:
        return draw(FILES if temper == "fit" else FILES | BODIES)
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    required = schema.get("required", [])
    form = {
        name: value(name, kind)
        for name, kind in schema["properties"].items()
        if (name in required and temper == "fit") or draw(st.integers(0, 3)) > 0
    }
    if temper == "wild":
        form |= draw(
            st.dictionaries(
                ODD_TEXTS | st.sampled_from(["id", "parse_errors", "sent_fields", "user_id"]), BROKEN, max_size=3
            )
        )
    return form


def as_path(path: str, made: Made, known: Known) -> str:
    """The path and query with references resolved."""
    for name, value in made.where.items():
        reported = known.resolve(value)
        text = reported.text if isinstance(reported, Raw) else str(reported)
        path = path.replace(f"{{{name}}}", quote(text.encode("utf-8", "surrogatepass"), safe="") or "%20")
    asked = [(name, _as_text(known.resolve(value))) for name, value in made.query]
    return f"{path}?{urlencode(asked, errors='surrogatepass')}" if asked else path


def as_body(made: Made, known: Known) -> bytes | None:
    """The body with references resolved."""
    if made.body is None or isinstance(made.body, bytes):
        return made.body
    return as_json(known.resolve(made.body)).encode()


def as_json(value: Any) -> str:
    """JSON in which `Raw` values are inserted unchanged."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {as_json(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_json, value)) + "]"
    return json.dumps(value)


def _as_text(value: Any) -> str:
    if isinstance(value, Raw):
        return value.text
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- answers ---------------------------------------------------------------------------------------------------------


def faults(value: Any, schema: Mapping[str, Any], document: Mapping[str, Any], at: str = "") -> list[str]:
    """Differences between an answer and its schema, including unknown fields."""
    if "$ref" in schema:
        return faults(value, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document, at)
    if "oneOf" in schema:
        tried = [faults(value, one, document, at) for one in schema["oneOf"]]
        return min(tried, key=len)
    if "enum" in schema and value not in schema["enum"]:
        return [f"{at}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind is not None and not _is(value, kind):
        return [f"{at}: {value!r} is no {kind}"]
    if "prefixItems" in schema:
        pairs = enumerate(zip(value, schema["prefixItems"], strict=True))
        return [fault for place, (item, one) in pairs for fault in faults(item, one, document, f"{at}[{place}]")]
    if kind == "array":
        return [fault for item in value for fault in faults(item, schema["items"], document, f"{at}[]")]
    if kind != "object":
        return []
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    found = [f"{at}.{name} is missing" for name in schema.get("required", []) if name not in value]
    for name, inner in value.items():
        if name in known:
            found += faults(inner, known[name], document, f"{at}.{name}")
        elif isinstance(more, dict):
            found += faults(inner, more, document, f"{at}.{name}")
        else:
            found.append(f"{at}.{name} is unknown")
    return found


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    shapes: dict[str, tuple[type, ...]] = {
        "array": (list,),
        "boolean": (bool,),
        "integer": (int,),
        "null": (type(None),),
        "number": (int, float),
        "object": (dict,),
        "string": (str,),
    }
    return isinstance(value, shapes[kind])
