"""The hot calls written by hand, as a baseline for our architecture.

Each call is one SQL statement on the bare driver, with msgspec for input and output. Beyond that it does only what
every answer needs: it verifies the token's signature and looks up the session; an addition stores its answer under the
idempotency key and writes the audit log; and everything is durable before the answer. The answers are those of ward
staff, who see no prices, compressed as browsers request it. The first reading of a sheet or of the list of sheets in an
hour writes the access log, as ours does. Statements run in threads, because a request that waits for the database must
not block the others. There is no routing, no validation, no error message, no similar name for a search that finds
nothing, no security header, no log and no metrics: this server is not for use.

SQLite has no statement that writes to several tables: there it is one transaction of as few statements as possible.
"""

import asyncio
import base64
import gzip
import hashlib
import hmac
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, cast
from urllib.parse import parse_qs

import msgspec
import psycopg

from domain.catalogue.product import gtin_key
from domain.common.text import MIN_CODE_PART, MIN_CODE_PREFIX, code_key, fold_code, product_words

_KEY = os.environ.get("CONSUMO_SECRET_KEY", "").encode()
_URL = os.environ.get("CONSUMO_DATABASE_URL", "")
_ON_SQLITE = _URL.startswith("sqlite")

Row = Sequence[Any]


class Named(msgspec.Struct):
    id: int
    name: str


class Person(msgspec.Struct):
    id: int
    name: str
    first_surname: str
    second_surname: str | None


class Patient(msgspec.Struct):
    id: int
    name: str
    first_surname: str
    second_surname: str | None
    record_number: str | None
    date_of_birth: date | None
    unidentified: bool | msgspec.UnsetType = msgspec.UNSET


class DetailProduct(msgspec.Struct):
    id: int
    code: str | None
    unit: str | None
    name: str
    gtin: str | None
    implant: bool
    category: Named


class Detail(msgspec.Struct):
    id: int
    consumption_sheet_id: int
    product_id: int
    product: DetailProduct
    staff_id: int | None
    staff: Person | None
    user_id: int
    area_id: int | None
    area: Named | None
    quantity: Decimal
    created_at: datetime
    occurred_at: datetime | None
    day: date
    room_id: int | None
    acknowledged: list[str]
    recall_reason: str | None
    implant_reason: str | None
    gtin: str | None
    lot: str | None
    expiry: date | None
    serial: str | None
    kit_id: int | None
    kit: Named | None
    form_id: int | None
    returned: Decimal
    corrected_from: Decimal | None
    version: int
    use_reason: str | None


class Product(msgspec.Struct):
    id: int
    name: str
    category_id: int
    category: Named
    code: str | None
    gtin: str | None
    unit: str | None
    active: bool
    decimals: int
    asks_lot: bool
    asks_serial: bool
    implant: bool
    also_called: list[str]
    plain_name: str | None
    picture: str | None


class Day(msgspec.Struct):
    created_at: datetime
    details: int
    last_recorded_at: datetime


class SheetRoom(msgspec.Struct):
    id: int
    name: str
    area_id: int


class Sheet(msgspec.Struct):
    id: int
    diagnosis: str
    doctor: str
    patient_id: int
    patient: Patient
    room_id: int
    room: SheetRoom
    admission_date: date
    closed: bool
    deleted_at: datetime | None
    consumptions: list[Day]
    late_entries: int
    unlisted_items: int
    visit_number: str | None
    discharge_proposed_at: datetime | None
    admission_cancelled_at: datetime | None
    version: int


class Meta(msgspec.Struct, omit_defaults=True):
    page: int
    limit: int
    total: int
    pages: int
    next: str | None = None


class Page(msgspec.Struct):
    items: list[Any]
    meta: Meta


class Sent(msgspec.Struct):
    product_id: int
    quantity: int
    staff_id: int
    area_id: int


class Claims(msgspec.Struct):
    sid: str
    sub: str
    exp: int


# --- SQL -------------------------------------------------------------------------------------------------------------

_CALLER = """caller AS (SELECT users.id, users.staff_id FROM sessions JOIN users ON users.id = sessions.user_id
  WHERE sessions.id = %(session)s AND users.id = %(user)s AND sessions.expires_at > %(at)s AND NOT sessions.ended
  AND NOT users.deleted AND users.role = 1)"""

# Once an hour of each user and object; ``object`` is the sheet, or 0 for the list of sheets.
_ONCE = """INSERT INTO noted_looks (user_id, action, entity_id, hour)
  SELECT caller.id, %(action)s, %(object)s, %(hour)s FROM caller
  WHERE %(object)s = 0 OR EXISTS (SELECT 1 FROM consumption_sheets WHERE id = %(object)s)
  ON CONFLICT DO NOTHING RETURNING user_id"""
_TELL_READING = """INSERT INTO audit_trail (at, user_id, action, entity, entity_id, changes, patient_id)
  SELECT %(at)s, %(user)s, %(action)s, 'consumption_sheet', %(object)s, '{}',
    (SELECT patient_id FROM consumption_sheets WHERE id = %(object)s)"""
_NOTED = f", once AS ({_ONCE}), trail AS ({_TELL_READING} FROM once)"

_COLUMNS = """d.id, d.sheet_id, d.product_id, p.code, p.unit, p.name, p.gtin, p.implant, c.id, c.name, d.staff_id,
  s.name, s.first_surname, s.second_surname, d.user_id, d.area_id, a.name, d.quantity, d.created_at, d.occurred_at,
  d.day, d.room_id, d.acknowledged, d.recall_reason, d.implant_reason, d.gtin, d.lot, d.expiry, d.serial, d.kit_id,
  k.name, d.form_id, d.returned, d.corrected_from, d.version, d.use_reason"""
_JOINED = """JOIN products p ON p.id = d.product_id JOIN categories c ON c.id = p.category_id
  LEFT JOIN staff s ON s.id = d.staff_id LEFT JOIN areas a ON a.id = d.area_id LEFT JOIN kits k ON k.id = d.kit_id"""

_DETAILS = f"""WITH {_CALLER}NOTED SELECT {_COLUMNS}, count(*) OVER ()
  FROM caller, consumption_details d {_JOINED}
  WHERE d.sheet_id = %(object)s AND d.voided_at IS NULL ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s"""

_KNOWN = """(SELECT product_id FROM product_codes
  WHERE code_key = %(exactly)s OR system = 'gtin' AND code_key = %(gtin)s)"""
# Beside an OR, PostgreSQL would run the subquery for each row.
_KNOWN = f"IN {_KNOWN}" if _ON_SQLITE else f"= ANY (ARRAY{_KNOWN})"
_EXACTLY = f"(p.code_key = %(exactly)s OR p.gtin = %(exactly)s OR p.id {_KNOWN})"
_BEGINS = "(p.code_folded >= %(code)s AND p.code_folded < %(code_end)s)"
_PRODUCTS = f"""WITH {_CALLER} SELECT p.id, p.name, c.id, c.name, p.code, p.gtin, p.unit, p.active, p.decimals,
  p.asks_lot, p.asks_serial, p.implant, p.also_called, p.plain_name,
  (SELECT digest FROM product_pictures WHERE product_id = p.id), COUNTED
  FROM caller, products p JOIN categories c ON c.id = p.category_id WHERE FOUND
  ORDER BY coalesce({_EXACTLY}, false) DESC, coalesce(p.code_folded = %(code)s, false) DESC,
  p.name_folded LIKE %(beginning)s DESC, RANKED p.name_folded, p.id LIMIT %(limit)s"""
_HOLDS = {
    False: "p.code_folded LIKE %(code_part)s",
    True: "p.id IN (SELECT rowid FROM products_words_code WHERE products_words_code MATCH %(code_part)s)",
}
# In SQLite a separate count costs less than carrying all columns of all matches through a window function.
_COUNTED = {False: "count(*) OVER ()", True: "(SELECT count(*) FROM products p WHERE FOUND)"}

_SHEETS = f"""WITH {_CALLER}NOTED SELECT h.id, h.diagnosis, h.doctor, h.patient_id, p.name, p.first_surname,
  p.second_surname, p.record_number, h.room_id, r.name, r.area_id, h.admission_date, h.closed_at, DAYS,
  (SELECT count(*) FROM late_entries l WHERE l.sheet_id = h.id AND l.decided_at IS NULL), h.visit_number,
  h.discharge_proposed_at, h.admission_cancelled_at, h.version, p.date_of_birth,
  p.unidentified_number,
  (SELECT count(*) FROM unlisted_items u WHERE u.sheet_id = h.id AND u.decided_at IS NULL),
  (SELECT count(*) FROM consumption_sheets WHERE closed_at IS NULL)
  FROM caller, (SELECT * FROM consumption_sheets WHERE closed_at IS NULL ORDER BY admission_date DESC, id DESC
  LIMIT %(limit)s) h JOIN patients p ON p.id = h.patient_id JOIN rooms r ON r.id = h.room_id
  ORDER BY h.admission_date DESC, h.id DESC"""
_EACH_DAY = """SELECT day, min(coalesce(occurred_at, created_at)) AS at, count(*) AS n, max(created_at) AS last
  FROM consumption_details WHERE sheet_id = h.id AND voided_at IS NULL GROUP BY day"""
_DAYS = {
    False: f"(SELECT json_agg(json_build_array(at, n, last) ORDER BY day)::text FROM ({_EACH_DAY}) days)",
    True: f"(SELECT json_group_array(json_array(at, n, last)) FROM ({_EACH_DAY} ORDER BY day))",
}

_ADD = f"""WITH {_CALLER},
product AS (SELECT id, price FROM products p WHERE p.id = %(product)s AND p.active),
sheet AS (UPDATE consumption_sheets h SET total = total + product.price * %(quantity)s, lines = lines + 1,
    version = version + 1
  FROM product, caller WHERE h.id = %(sheet)s AND closed_at IS NULL RETURNING h.id, h.room_id),
detail AS (INSERT INTO consumption_details (sheet_id, product_id, staff_id, user_id, area_id, quantity, unit_price,
    total, created_at, day, room_id, returned, entry_digest, version)
  SELECT sheet.id, product.id, caller.staff_id, caller.id, %(area)s, %(quantity)s * 1000, price, price * %(quantity)s,
    %(at)s, %(day)s, sheet.room_id, 0, %(digest)s, 1 FROM sheet, product, caller RETURNING *),
answer AS (SELECT {_COLUMNS} FROM detail d {_JOINED}),
trail AS (INSERT INTO audit_trail (at, user_id, action, entity, entity_id, changes, sheet_id)
  SELECT %(at)s, user_id, 'detail.added', 'consumption_detail', id, to_json(detail)::text, sheet_id FROM detail),
kept AS (INSERT INTO idempotent_answers (user_id, key, fingerprint, answer, at)
  SELECT detail.user_id, %(key)s, %(fingerprint)s, to_json(answer)::text, %(at)s FROM detail, answer)
SELECT * FROM answer"""


def _quantity(thousandths: int) -> Decimal:
    return Decimal(thousandths).scaleb(-3)


def _moment(value: Any) -> Any:
    return datetime.fromisoformat(value).replace(tzinfo=UTC) if isinstance(value, str) else value


def _detail(row: Row) -> Detail:
    return Detail(
        row[0],
        row[1],
        row[2],
        DetailProduct(row[2], row[3], row[4], row[5], row[6], bool(row[7]), Named(row[8], row[9])),
        row[10],
        Person(row[10], row[11], row[12], row[13]) if row[10] else None,
        row[14],
        row[15],
        Named(row[15], row[16]) if row[15] else None,
        _quantity(row[17]),
        _moment(row[18]),
        _moment(row[19]),
        row[20],
        row[21],
        row[22].split() if row[22] else [],
        row[23],
        row[24],
        row[25],
        row[26],
        row[27],
        row[28],
        row[29],
        Named(row[29], row[30]) if row[29] else None,
        row[31],
        _quantity(row[32]),
        None if row[33] is None else _quantity(row[33]),
        row[34],
        row[35],
    )


def _product(row: Row) -> Product:
    category = Named(row[2], row[3])
    flags = bool(row[7]), row[8], bool(row[9]), bool(row[10]), bool(row[11])
    return Product(row[0], row[1], row[2], category, row[4], row[5], row[6], *flags, row[12].splitlines(), *row[13:15])


def _sheet(row: Row) -> Sheet:
    is_unidentified = msgspec.UNSET if row[20] is None else True
    return Sheet(
        row[0],
        row[1],
        row[2],
        row[3],
        Patient(row[3], row[4], row[5], row[6], row[7], row[19], is_unidentified),
        row[8],
        SheetRoom(row[8], row[9], row[10]),
        row[11],
        row[12] is not None,
        _moment(row[12]),
        [Day(_moment(at), count, _moment(last)) for at, count, last in msgspec.json.decode(row[13] or "[]")],
        row[14],
        row[21],
        row[15],
        _moment(row[16]),
        _moment(row[17]),
        row[18],
    )


def _page(rows: Sequence[Row], limit: int, shape: Callable[[Row], Any]) -> Page:
    total = rows[0][-1] if rows else 0
    return Page([shape(row) for row in rows], Meta(1, limit, total, -(-total // limit)))


# --- drivers ---------------------------------------------------------------------------------------------------------

_local = threading.local()


def _connection() -> Any:
    """Return this thread's connection."""
    connection = getattr(_local, "connection", None)
    if connection is None:
        if _ON_SQLITE:
            connection = sqlite3.connect(_URL.removeprefix("sqlite:///"), isolation_level=None)
            for pragma in ("busy_timeout = 30000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {pragma}")
        else:
            url = _URL.replace("postgresql+psycopg", "postgresql")
            connection = psycopg.connect(url, autocommit=True, options="-c timezone=UTC")
        _local.connection = connection
    return connection


def _ask(statement: str, params: dict[str, Any]) -> list[Row]:
    if _ON_SQLITE:
        return cast("list[Row]", _connection().execute(_in_sqlite(statement), params).fetchall())
    return cast("list[Row]", _connection().execute(statement, params, prepare=True).fetchall())


_SQLITE: dict[str, str] = {}


def _in_sqlite(statement: str) -> str:
    written = _SQLITE.get(statement)
    if written is None:
        written = _SQLITE[statement] = statement.replace("%(", ":").replace(")s", "")
    return written


# --- calls -----------------------------------------------------------------------------------------------------------


def _claims(token: str) -> Claims:
    signed, _, signature = token.rpartition(".")
    ours = base64.urlsafe_b64encode(hmac.digest(_KEY, signed.encode(), "sha256")).rstrip(b"=")
    if not hmac.compare_digest(ours, signature.encode()):
        raise PermissionError
    return msgspec.json.decode(base64.urlsafe_b64decode(signed.partition(".")[2] + "=="), type=Claims)


def now() -> datetime:
    """Return the time of all that is written."""
    return datetime.now(UTC)


def _base_params(token: str, limit: int = 0) -> dict[str, Any]:
    claims = _claims(token)
    at = now()
    written = at.replace(tzinfo=None).isoformat(" ") if _ON_SQLITE else at
    return {"session": claims.sid, "user": int(claims.sub), "at": written, "limit": limit}


_noted: set[tuple[int, str, int, int]] = set()


def _ask_and_note(statement: str, asked: dict[str, Any], action: str, object_id: int) -> list[Row]:
    """Run the statement, and log that its object was read in this hour."""
    hour = int(now().timestamp()) // 3_600
    look = asked["user"], action, object_id, hour
    if look in _noted:
        return _ask(statement.replace("NOTED", ""), asked | {"object": object_id})
    asked |= {"object": object_id, "action": action, "hour": hour}
    if _ON_SQLITE:
        with _ONE_WRITER:
            _connection().execute("BEGIN IMMEDIATE")
            if _ask(f"WITH {_CALLER} {_ONCE}", asked):
                _ask(_TELL_READING, asked)
            rows = _ask(statement.replace("NOTED", ""), asked)
            _connection().execute("COMMIT")
    else:
        rows = _ask(statement.replace("NOTED", _NOTED), asked)
    _noted.add(look)
    return rows


def list_details(token: str, sheet: int, limit: int) -> Page:
    rows = _ask_and_note(_DETAILS, _base_params(token, limit), "consumption_sheet.read", sheet)
    return _page(rows, limit, _detail)


def list_sheets(token: str, limit: int) -> Page:
    statement = _SHEETS.replace("DAYS", _DAYS[_ON_SQLITE])
    return _page(_ask_and_note(statement, _base_params(token, limit), "consumption_sheet.listed", 0), limit, _sheet)


def search_products(token: str, text: str, limit: int) -> Page:
    words, code = product_words(text), fold_code(text)
    exactly = code_key(text)
    asked = _base_params(token, limit) | {f"word{number}": f"%{word}%" for number, word in enumerate(words)}
    asked |= {"beginning": " ".join(words) + "%", "exactly": exactly, "gtin": gtin_key(exactly), "code": code}
    # A trigram index is of no use for less than three letters; the empty text keeps PostgreSQL from reading it.
    is_indexed = [len(word) >= 3 for word in words]
    named = [
        f"(p.name_folded{whole} LIKE %(word{number})s OR p.also_called_folded{whole} LIKE %(word{number})s)"
        for number, whole in enumerate("" if indexed else " || ''" for indexed in is_indexed)
    ]
    parts, found, ranked = [], named, ""
    if _ON_SQLITE and any(is_indexed):
        match = "p.id IN (SELECT rowid FROM products_words WHERE products_words MATCH %(match)s)"
        asked["match"] = " AND ".join(f'"{word}"' for word in words if len(word) >= 3)
        found = [match, *(name for name, indexed in zip(named, is_indexed, strict=True) if not indexed)]
    if len(code) >= MIN_CODE_PREFIX:
        asked["code_end"] = f"{code}\U0010ffff"
        parts, ranked = [_BEGINS], f"({' AND '.join(named)}) DESC, coalesce({_BEGINS}, false) DESC,"
    if len(code) >= MIN_CODE_PART:
        asked["code_part"] = f'"{code}"' if _ON_SQLITE else f"%{code}%"
        parts.append(_HOLDS[_ON_SQLITE])
    condition = " OR ".join([f"({' AND '.join(found)})", _EXACTLY, "p.code_folded = %(code)s", *parts])
    statement = _PRODUCTS.replace("COUNTED", _COUNTED[_ON_SQLITE]).replace("FOUND", condition)
    return _page(_ask(statement.replace("RANKED", ranked), asked), limit, _product)


def add_detail(token: str, sheet: int, sent: Sent, body: bytes, key: str) -> Detail:
    asked, day = _base_params(token), now().date()
    asked |= {
        "sheet": sheet, "product": sent.product_id, "area": sent.area_id or None, "quantity": sent.quantity, "key": key,
        "fingerprint": hashlib.sha256(body).hexdigest(), "day": day,
        "digest": hashlib.sha256(f"{asked['user']}:{key}".encode()).digest()[:16],
    }  # fmt: skip
    if not _ON_SQLITE:
        return _detail(_ask(_ADD, asked)[0])
    asked["day"] = day.isoformat()
    return _add_on_sqlite(_connection(), asked)


_ONE_WRITER = threading.Lock()
_LOOK = f"""WITH {_CALLER} SELECT p.code, p.unit, p.name, p.gtin, p.implant, c.id, c.name, s.id, s.name,
  s.first_surname, s.second_surname, a.name, p.price FROM caller, products p
  JOIN categories c ON c.id = p.category_id LEFT JOIN staff s ON s.id = caller.staff_id
  LEFT JOIN areas a ON a.id = %(area)s WHERE p.id = %(product)s AND p.active"""
_COUNT_UP = """UPDATE consumption_sheets SET total = total + %(total)s, lines = lines + 1, version = version + 1
  WHERE id = %(sheet)s AND closed_at IS NULL RETURNING room_id"""
_INSERT = """INSERT INTO consumption_details (sheet_id, product_id, staff_id, user_id, area_id, quantity, unit_price,
    total, created_at, day, room_id, returned, entry_digest, version)
  VALUES (%(sheet)s, %(product)s, %(staff)s, %(user)s, %(area)s, %(quantity)s * 1000, %(price)s, %(total)s,
    %(at)s, %(day)s, %(room)s, 0, %(digest)s, 1) RETURNING id"""
_TELL = """INSERT INTO audit_trail (at, user_id, action, entity, entity_id, changes, sheet_id)
  VALUES (%(at)s, %(user)s, 'detail.added', 'consumption_detail', %(id)s, %(answer)s, %(sheet)s)"""
_KEEP = """INSERT INTO idempotent_answers (user_id, key, fingerprint, answer, at)
  VALUES (%(user)s, %(key)s, %(fingerprint)s, %(answer)s, %(at)s)"""


def _add_on_sqlite(connection: Any, asked: dict[str, Any]) -> Detail:
    with _ONE_WRITER:
        connection.execute("BEGIN IMMEDIATE")
        *product, staff, name, surname, second_surname, area, price = _ask(_LOOK, asked)[0]
        asked |= {"price": price, "total": price * asked["quantity"], "staff": staff}
        asked["room"] = _ask(_COUNT_UP, asked)[0][0]
        asked["id"] = _ask(_INSERT, asked)[0][0]
        row = (
            asked["id"], asked["sheet"], asked["product"], *product, staff, name, surname, second_surname,
            asked["user"], asked["area"], area, asked["quantity"] * 1000, asked["at"], None, asked["day"],
            asked["room"], *[None] * 10, 0, None, 1, None,
        )  # fmt: skip
        detail = _detail(row)
        asked["answer"] = _ENCODER.encode(detail).decode()
        _ask(_TELL, asked)
        _ask(_KEEP, asked)
        connection.execute("COMMIT")
        return detail


# --- HTTP ------------------------------------------------------------------------------------------------------------

_ENCODER = msgspec.json.Encoder(decimal_format="number")
_THREADS = ThreadPoolExecutor(8)
_JSON = (b"content-type", b"application/json")


def _answer(
    method: str, path: str, query: dict[str, list[str]], token: str, key: str, body: bytes
) -> tuple[int, bytes]:
    limit = int(query.get("limit", ["25"])[0])
    match path.split("/")[2:]:
        case ["consumption-sheets", sheet, "consumption-details"] if method == "POST":
            sent = msgspec.json.decode(body, type=Sent)
            return 201, _ENCODER.encode(add_detail(token, int(sheet), sent, body, key))
        case ["consumption-sheets", sheet, "consumption-details"]:
            return 200, _ENCODER.encode(list_details(token, int(sheet), limit))
        case ["products"]:
            return 200, _ENCODER.encode(search_products(token, query["q"][0], limit))
        case ["consumption-sheets"]:
            return 200, _ENCODER.encode(list_sheets(token, limit))
    return 404, b"{}"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer one request."""
    if scope["type"] != "http":
        return
    body = b""
    if scope["method"] == "POST":
        while True:
            message = await receive()
            body += message["body"]
            if not message.get("more_body"):
                break
    token = key = ""
    for name, value in scope["headers"]:
        if name == b"authorization":
            token = value[7:].decode()
        elif name == b"idempotency-key":
            key = value.decode()
    query = parse_qs(scope["query_string"].decode())
    status, answer = await asyncio.get_running_loop().run_in_executor(
        _THREADS, _answer, scope["method"], scope["path"], query, token, key, body
    )
    headers = [_JSON]
    # Like Consumo.
    if b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"") and len(answer) >= 1000:
        answer = gzip.compress(answer, compresslevel=5)
        headers.append((b"content-encoding", b"gzip"))
    headers.append((b"content-length", str(len(answer)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": answer})
