"""A hospital of several years, created in SQL within seconds.

It is used to query lists and read the plans of the database. The data is skewed, as in reality: the rows of the last
area, room, user, staff member and product are all in the oldest tenth. A search for them that starts with the newest
rows finds nothing for a long time.
"""

from sqlalchemy import Connection, text

DETAILS, ENTRIES, SHEETS, OPEN_SHEETS = 60_000, 60_000, 30_000, 300
PATIENTS, PRODUCTS, IMPORTS = 30_000, 10_000, 2_000
AREAS, ROOMS, STAFF, USERS, CATEGORIES = 10, 200, 300, 200, 40
DAYS = 5 * 365

_NUMBERS = {
    "postgresql": "SELECT n FROM generate_series(1::bigint, {count}) AS n",
    "sqlite": "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) "
    "SELECT n FROM numbers",
}
# Times and days, counted from the start of 2020.
_MOMENT = {
    "postgresql": "timestamptz '2020-01-01 00:00Z' + ({minutes}) * interval '1 minute'",
    "sqlite": "strftime('%Y-%m-%d %H:%M:%S.000000', '2020-01-01', '+' || ({minutes}) || ' minutes')",
}
_DAY = {
    "postgresql": "date '2020-01-01' + ({days})::int",
    "sqlite": "date('2020-01-01', '+' || ({days}) || ' days')",
}


def fill(connection: Connection, *, analyse: bool = True) -> None:
    """Fill a migrated, empty database, except for unreferenced tables."""
    kind = connection.dialect.name

    def insert(table: str, count: int, **columns: str) -> None:
        names, values = ", ".join(columns), ", ".join(columns.values())
        numbers = _NUMBERS[kind].format(count=count)
        filling = f"INSERT INTO {table} ({names}) SELECT {values} FROM ({numbers}) AS numbers"  # noqa: S608 all ours
        connection.execute(text(filling))

    def moment(count: int) -> str:
        return _MOMENT[kind].format(minutes=f"n * {DAYS * 24 * 60 // count}")

    def day(count: int) -> str:
        return _DAY[kind].format(days=f"n * {DAYS} / {count}")

    def one_of(most: int, count: int, nth: int = 0) -> str:
        return f"CASE WHEN n < {count // 10} AND n % 20 = {nth} THEN {most} ELSE 1 + n * 31 % {most - 1} END"

    if kind == "postgresql":
        # Checking the foreign keys of each row would take most of the time.
        connection.execute(text("SET session_replication_role = replica"))
    insert("areas", AREAS, name="'Area ' || n", name_key="'area ' || n", name_folded="'area ' || n")
    insert(
        "rooms",
        ROOMS,
        name="'Room ' || n",
        name_folded="'room ' || n",
        status="1 + n % 4",
        type="1",
        # The last area has only the last room.
        area_id=f"CASE WHEN n = {ROOMS} THEN {AREAS} ELSE 1 + n % {AREAS - 1} END",
    )
    insert(
        "categories",
        CATEGORIES,
        code="'C' || n",
        code_key="'c' || n",
        name="'Category ' || n",
        name_folded="'category ' || n",
    )
    insert(
        "staff",
        STAFF,
        name="'Name ' || n",
        first_surname="'Surname'",
        search_folded="'name ' || n",
        sort_folded="'surname ' || n",
        job_title="n % 5",
    )
    insert("users", USERS, email="n || '@ward.test'", email_key="n || '@ward.test'", role="1", deleted="false")
    insert(
        "products",
        PRODUCTS,
        name="'Product ' || n",
        name_folded="'product ' || n",
        price="n * 7919 % 100000",
        category_id=f"1 + n % {CATEGORIES}",
        code="'P' || n",
        code_key="'p' || n",
        active="n % 500 <> 0",
    )
    insert(
        "patients",
        PATIENTS,
        name="'Ana ' || n",
        first_surname="'Gil'",
        date_of_birth=day(PATIENTS),
        active="n % 100 = 0",
        record_number="'R' || n",
        record_key="'r' || n",
        search_folded="'ana ' || n || ' gil'",
        sort_folded="'gil ana ' || n",
    )
    insert(
        "consumption_sheets",
        SHEETS,
        patient_id=f"1 + n * 7919 % {PATIENTS}",
        room_id=one_of(ROOMS, SHEETS),
        admission_date=day(SHEETS),
        diagnosis="'Flu'",
        doctor="'Dr. ' || n % 50",
        search_folded="'dr. ' || n % 50 || '\tflu'",
        total="n * 7919 % 1000000",
        version="1",
        closed_at=f"CASE WHEN n <= {SHEETS - OPEN_SHEETS} THEN {moment(SHEETS)} END",
    )
    insert(
        "consumption_details",
        DETAILS,
        sheet_id=f"1 + (n - 1) / {DETAILS // SHEETS}",
        product_id=one_of(PRODUCTS, DETAILS, 3),
        staff_id=one_of(STAFF, DETAILS, 7),
        user_id=one_of(USERS, DETAILS, 11),
        area_id=one_of(AREAS, DETAILS),
        quantity="n * 7919 % 9000",
        unit_price="n * 6007 % 100000",
        total="n * 5003 % 1000000",
        created_at=moment(DETAILS),
        day=day(DETAILS),
        version="1",
        # A few old ones, so that a page of them is far from the newest details.
        use_reason=f"CASE WHEN n <= {DETAILS // 100} THEN 'dropped' END",
        unbilled=f"CASE WHEN n <= {DETAILS // 200} THEN 'area' END",
    )
    first, listed = f"n < {ENTRIES // 50}", "n % 3 = 0"
    insert(
        "audit_trail",
        ENTRIES,
        at=moment(ENTRIES),
        user_id=one_of(USERS, ENTRIES),
        action=f"CASE WHEN {first} THEN 'product.created' WHEN {listed} THEN 'patient.listed' ELSE 'detail.added' END",
        entity=f"CASE WHEN {first} THEN 'product' WHEN {listed} THEN 'patient' ELSE 'consumption_detail' END",
        entity_id=f"CASE WHEN NOT ({first}) AND {listed} THEN 0 ELSE n END",
        changes="'{}'",
        sheet_id=f"CASE WHEN NOT ({listed}) THEN 1 + (n - 1) / {ENTRIES // SHEETS} END",
    )
    # Some are waiting, few are dead, all others were sent long ago.
    insert(
        "outbound_messages",
        SHEETS,
        sheet_id="n",
        control_id="n || '.1.1'",
        body="'MSH'",
        charges="2",
        state=f"CASE WHEN n > {SHEETS - 50} THEN 'waiting' WHEN n % 1000 = 0 THEN 'dead' ELSE 'sent' END",
        tries="1",
        created_at=moment(SHEETS),
        next_try_at=moment(SHEETS),
    )
    insert(
        "imports",
        IMPORTS,
        noun="'products'",
        file_name="'file'",
        file_folded="'file'",
        user_id="1",
        at=moment(IMPORTS),
        created="1",
        changed="0",
        unchanged="0",
        refused="0",
    )
    connection.commit()
    if kind == "postgresql" and analyse:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))
