"""Benchmark of questions over several hospitals in one database.

Run ``python -m tools.benchmarks.network --details 1000000``. It fills hospitals, each a schema with a year of
consumption, in a PostgreSQL of our own (or in the server of TEST_PG_DSN), creates the views of the network, and prints
the median of some questions in milliseconds.
"""

import argparse
import secrets
from contextlib import ExitStack

import psycopg
from sqlalchemy import make_url

from adapters.sql.engine.connections import to_url
from adapters.sql.hospital_schemas import ROLE_PREFIX, hospital_schema
from adapters.sql.migrate import migrate
from adapters.sql.network_views import OWNER, READER, create_network_views
from tests.servers import postgresql
from tools.benchmarks.reports import TODAY, fill
from tools.benchmarks.timing import milliseconds

HOSPITALS = ("norte", "sur", "este")
_SINCE = {"one day": 0, "30 days": 29, "the year": 365}
_QUESTIONS = {
    "lines and total by hospital": "SELECT hospital, count(*), sum(total) FROM network.details {days} GROUP BY 1",
    "total by hospital and area": ("SELECT hospital, area_name, sum(total) FROM network.details {days} GROUP BY 1, 2"),
    "the ten products that cost most": (
        "SELECT product_name, sum(total) FROM network.details {days} GROUP BY 1 ORDER BY 2 DESC LIMIT 10"
    ),
    "the same at one hospital": (
        "SELECT product_name, sum(total) FROM network.details {days} AND hospital = 'sur' "
        "GROUP BY 1 ORDER BY 2 DESC LIMIT 10"
    ),
}


def main() -> None:
    """Fill, measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--details", type=int, default=1_000_000, help="of each hospital")
    options.add_argument("--times", type=int, default=7)
    asked = options.parse_args()
    with postgresql() as cluster, ExitStack() as schemas:
        name = f"consumo_bench_{secrets.token_hex(4)}"
        admin_url = cluster.create(name)
        urls = {one: schemas.enter_context(hospital_schema(admin_url, one)) for one in HOSPITALS}
        for url in urls.values():
            migrate(url)
            fill(url, asked.details)
        create_network_views(admin_url, urls)
        plain = make_url(to_url(admin_url)).set(drivername="postgresql").render_as_string(hide_password=False)
        print(f"{len(HOSPITALS)} hospitals with {asked.details:,} lines each; median of {asked.times}, in ms")
        print(f"| question | {' | '.join(_SINCE)} |")
        print(f"|---|{'---|' * len(_SINCE)}")
        with psycopg.connect(plain, autocommit=True) as connection:
            for about, question in _QUESTIONS.items():
                figures = []
                for days in _SINCE.values():
                    period = f"WHERE day BETWEEN date '{TODAY}' - {days} AND date '{TODAY}'"
                    statement = question.format(days=period).encode()
                    figures.append(milliseconds(lambda: connection.execute(statement).fetchall(), asked.times))  # noqa: B023
                print(f"| {about} | {' | '.join(f'{one:.0f}' for one in figures)} |")
        cluster.drop(name)
        with psycopg.connect(cluster.url("postgres").replace("+psycopg", ""), autocommit=True) as connection:
            for role in (OWNER, READER, *(f"{ROLE_PREFIX}{one}" for one in HOSPITALS)):
                connection.execute(f"DROP ROLE {role}".encode())


if __name__ == "__main__":
    main()
