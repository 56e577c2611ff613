"""The application as a server process runs it."""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from litestar import Litestar
from litestar.concurrency import set_asyncio_executor

from adapters.container import THREADS, Container, now
from adapters.http.app import create_app
from adapters.settings import read_settings
from application.session.sign_in import WINDOW

# One day more than answers must be kept (contract, section 5).
_ANSWERS_LAST = timedelta(days=8)


def create() -> Litestar:
    """The application over the settings of this process."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    settings = read_settings()
    container = Container(settings=settings)
    store = container.store()
    set_asyncio_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="request"))
    with store.begin() as work:
        work.answers.forget(now() - _ANSWERS_LAST)
        work.failures.forget(now() - WINDOW)
    app = create_app(
        container.use_cases(),
        {"currency": settings.currency, "time_zone": settings.time_zone.key},
        ready=store.answers,
    )
    app.on_shutdown.extend([container.mailer().close, store.close])
    return app
