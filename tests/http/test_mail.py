"""Letters, received by a real SMTP server, and what happens when it is dead."""

import logging
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.http.accounts import (
    NEW_PASSWORD,
    USERS,
    ask_for_letter,
    confirm,
    register,
    reset_link,
    sign_in,
    token_of,
)
from tests.http.hospital import PASSWORD, Hospital, hospital_on, refused
from tests.servers import reserved_port

# The server that receives the letters is none of ours: whom they go to is its own affair to write down.
logging.getLogger("mail.log").setLevel(logging.CRITICAL)

EMAIL = "marta.gil@hospital.test"
SENDER = "consumo@hospital.test"


class Inbox:
    """A real SMTP server on this machine, and the letters that it received."""

    def __init__(self, port: int) -> None:
        self.received: Queue[tuple[list[str], EmailMessage]] = Queue()
        self.full = False
        self.port = port

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.full:
            return "552 The mailbox is full"
        assert isinstance(envelope.content, bytes)
        letter = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.received.put((envelope.rcpt_tos, letter))
        return "250 OK"

    def next(self) -> tuple[list[str], EmailMessage]:
        """The next letter, for which it waits."""
        return self.received.get(timeout=20)


@contextmanager
def receiving(user: str = "", password: str = "") -> Iterator[Inbox]:
    """A mail server that runs until the block ends; with a user it takes letters of that user alone."""

    def known(server: SMTP, session: Session, envelope: Envelope, mechanism: str, sent: object) -> AuthResult:
        right = isinstance(sent, LoginPassword) and sent == LoginPassword(user.encode(), password.encode())
        return AuthResult(success=right)

    with reserved_port() as port:
        inbox = Inbox(port)
        controller = Controller(
            inbox,
            hostname="127.0.0.1",
            port=port,
            authenticator=known,
            auth_required=bool(user),
            auth_require_tls=False,
        )
        controller.start()
        try:
            yield inbox
        finally:
            controller.stop()


def link_in(letter: EmailMessage) -> str:
    (link,) = re.findall(r"^https?://\S+", letter.get_content(), re.MULTILINE)
    return str(link)


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    with receiving() as inbox:
        yield inbox


@pytest.fixture
def mailing(sqlite_url: str, tmp_path: Path, inbox: Inbox) -> Iterator[Hospital]:
    """A hospital that sends letters to the inbox."""
    with hospital_on(
        sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}?from={SENDER}&tls=none"
    ) as hospital:
        yield hospital


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [
        ("es", "Active su cuenta de Consumo", "Elija su contraseña en este enlace"),
        ("en-GB", "Activate your Consumo account", "Choose your password on this link"),
    ],
)
def test_a_new_user_gets_the_activation_link_by_mail(
    mailing: Hospital, inbox: Inbox, language: str, subject: str, words: str
) -> None:
    user = register(mailing.admin.speaking(language), EMAIL)
    recipients, letter = inbox.next()
    assert recipients == [EMAIL]
    assert (letter["To"], letter["From"], letter["Subject"]) == (EMAIL, SENDER, subject)
    assert letter["Date"].datetime.tzinfo is not None
    assert letter["Message-ID"].endswith("@hospital.test>")
    assert letter.get_content_type() == "text/plain"
    assert words in letter.get_content()
    expires = user["activation"]["expires_at"]
    assert f"{expires[:10]} {expires[11:16]} UTC" in letter.get_content()
    # The very link that the administrator was shown.
    assert link_in(letter) == user["activation"]["url"]
    assert confirm(mailing.stranger, token_of({"url": link_in(letter)})).status_code == 204
    assert sign_in(mailing, EMAIL, NEW_PASSWORD).status_code == 201


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [
        ("es", "Elija una contraseña nueva de Consumo", "Si no fue usted, no haga nada"),
        ("en", "Choose a new password for Consumo", "If it was not you, do nothing"),
    ],
)
def test_who_forgot_the_password_gets_a_link_by_mail(
    mailing: Hospital, inbox: Inbox, language: str, subject: str, words: str
) -> None:
    email = mailing.email(mailing.nurse)
    assert ask_for_letter(mailing, f" {email.upper()}", language).status_code == 202
    recipients, letter = inbox.next()
    # To the address that is on record, not to what was typed.
    assert recipients == [email] == [letter["To"]]
    assert letter["Subject"] == subject
    assert words in letter.get_content()
    token = token_of({"url": link_in(letter)})
    assert confirm(mailing.stranger, token).status_code == 204
    assert refused(confirm(mailing.stranger, token)) == [("token", "link.invalid")]
    assert sign_in(mailing, email, NEW_PASSWORD).status_code == 201


def test_nobody_else_gets_a_letter(mailing: Hospital, inbox: Inbox) -> None:
    gone = mailing.email(mailing.colleague)
    mailing.admin.delete(f"{USERS}/{mailing.colleague.user_id}")
    for email in ("nobody@hospital.test", gone, "no email"):
        assert ask_for_letter(mailing, email).status_code == 202
    assert mailing.admin.post("/api/auth/register-by-admin", {"email": EMAIL, "role": "7"}).status_code == 422
    assert mailing.supervisor.post("/api/auth/register-by-admin", {"email": EMAIL, "role": "10"}).status_code == 422
    # Handed over in person.
    assert mailing.admin.post(f"{USERS}/{mailing.nurse.user_id}/reset-link").status_code == 201
    # One after the other: what comes first now was the first to be sent.
    register(mailing.admin, EMAIL)
    assert inbox.next()[0] == [EMAIL]


@pytest.mark.parametrize(
    ("language", "password", "email"),
    [
        ("es", "Cambió la contraseña de su cuenta de Consumo", "Cambió el correo de su cuenta de Consumo"),
        ("en", "Your Consumo password was changed", "Your Consumo email was changed"),
    ],
)
def test_whoever_s_password_or_email_was_changed_is_told_by_letter_at_the_old_address(
    mailing: Hospital, inbox: Inbox, language: str, password: str, email: str
) -> None:
    nurse, old = mailing.nurse.speaking(language), mailing.email(mailing.nurse)
    body = {"email": EMAIL, "password": NEW_PASSWORD, "password_confirmation": NEW_PASSWORD}
    assert nurse.put(f"{USERS}/{nurse.user_id}", body | {"current_password": PASSWORD}).status_code == 200
    for subject in (password, email):
        recipients, letter = inbox.next()
        assert (recipients, letter["Subject"]) == ([old], subject)
        assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", letter.get_content())
        # Nothing to click on, and nothing of the new address or the password.
        for secret in ("http", EMAIL, "termómetro"):
            assert secret not in letter.get_content()
    # By an administrator.
    admin = mailing.admin.speaking(language)
    form = {"email": "marta@hospital.test", "role": "1", "staff_id": nurse.staff_id}
    assert admin.put(f"{USERS}/{nurse.user_id}", form).status_code == 200
    recipients, letter = inbox.next()
    assert (recipients, letter["Subject"]) == ([EMAIL], email)
    # On a link.
    token = token_of(reset_link(mailing.admin, nurse))
    assert confirm(mailing.stranger.speaking(language), token).status_code == 204
    recipients, letter = inbox.next()
    assert (recipients, letter["Subject"]) == (["marta@hospital.test"], password)


@pytest.mark.parametrize("email", ["marta@ñandú.test", "o'neil+ward@hospital.test"])
def test_a_letter_reaches_an_unusual_address(mailing: Hospital, inbox: Inbox, email: str) -> None:
    register(mailing.admin, email)
    assert inbox.next()[0] == [email]


@pytest.mark.parametrize("email", ["a,b@c.test", "x<evil@y.test>", "a:b@c.test", "a@[.c", "(@b.test", "a@b.test)"])
def test_a_letter_goes_to_the_account_s_own_address_or_to_nobody(mailing: Hospital, inbox: Inbox, email: str) -> None:
    answer = mailing.admin.post("/api/auth/register-by-admin", {"email": email, "role": "1"})
    assert answer.status_code in (201, 422)
    register(mailing.admin, EMAIL)
    assert inbox.next()[0] == [EMAIL]
    with pytest.raises(Empty):
        inbox.received.get_nowait()


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_the_mail_server_may_ask_for_user_and_password(sqlite_url: str, tmp_path: Path) -> None:
    with (
        receiving("consumo", "p@ss:w/d") as inbox,
        hospital_on(
            sqlite_url,
            tmp_path,
            smtp_url=f"smtp://consumo:p%40ss%3Aw%2Fd@127.0.0.1:{inbox.port}?from={SENDER}&tls=none",
        ) as hospital,
    ):
        register(hospital.admin, EMAIL)
        assert inbox.next()[0] == [EMAIL]


def test_letters_that_are_on_their_way_are_sent_before_the_server_ends(sqlite_url: str, tmp_path: Path) -> None:
    with receiving() as inbox:
        with hospital_on(sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}?tls=none") as hospital:
            for number in range(5):
                register(hospital.admin, f"{number}@hospital.test")
        assert [inbox.received.get_nowait()[0] for _ in range(5)] == [[f"{n}@hospital.test"] for n in range(5)]


# --- when there is no mail -------------------------------------------------------------------------------------------


def secrets_of_letters(hospital: Hospital) -> list[str]:
    """Ask for letters that do not leave. What no log must tell: addresses and links."""
    user = register(hospital.admin, EMAIL)
    assert ask_for_letter(hospital, hospital.email(hospital.nurse)).status_code == 202
    assert confirm(hospital.stranger, token_of(user["activation"])).status_code == 204
    return [token_of(user["activation"]), "token=", EMAIL, hospital.email(hospital.nurse), "@hospital.test"]


def test_a_dead_mail_server_fails_nothing_and_the_log_tells_neither_address_nor_link(
    sqlite_url: str, tmp_path: Path, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    smtp_url = f"smtp://someone:secret-word@127.0.0.1:{port}?from={SENDER}"
    with hospital_on(sqlite_url, tmp_path, smtp_url=smtp_url) as hospital:
        secrets = secrets_of_letters(hospital)
    logged = [record.getMessage() for record in caplog.records if record.name == "consumo.mail"]
    assert logged == [
        "A letter (activation) could not be sent: ConnectionRefusedError",
        "A letter (reset) could not be sent: ConnectionRefusedError",
        "A letter (password_changed) could not be sent: ConnectionRefusedError",
    ]
    for secret in [*secrets, "secret-word"]:
        assert secret not in caplog.text


def test_a_mail_server_that_refuses_a_letter_fails_nothing(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as inbox:
        inbox.full = True
        with hospital_on(sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}?tls=none") as hospital:
            secrets = secrets_of_letters(hospital)
    assert "A letter (reset) could not be sent: SMTPDataError" in caplog.text
    for secret in secrets:
        assert secret not in caplog.text


def test_no_letter_goes_to_a_mail_server_without_tls_unless_its_address_says_so(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as inbox:
        with hospital_on(sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}") as hospital:
            register(hospital.admin, EMAIL)
        assert inbox.received.empty()
    assert "A letter (activation) could not be sent: SMTPNotSupportedError" in caplog.text


def test_a_mail_server_that_says_nothing_holds_nobody_up(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = Event()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        smtp_url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"

        def say_nothing() -> None:
            connection, _ = silent.accept()
            with connection:
                done.wait(30)

        listening = Thread(target=say_nothing)
        listening.start()
        try:
            with hospital_on(sqlite_url, tmp_path, smtp_url=smtp_url) as hospital:
                started = time.monotonic()
                secrets = secrets_of_letters(hospital)
                assert time.monotonic() - started < 15
                ending = time.monotonic()
            assert time.monotonic() - ending < 15
        finally:
            done.set()
            listening.join()
    assert "given up" in caplog.text
    for secret in secrets:
        assert secret not in caplog.text


def test_where_no_mail_is_set_up_the_link_is_handed_over(hospital: Hospital) -> None:
    user = register(hospital.admin, EMAIL)
    assert ask_for_letter(hospital, EMAIL).status_code == 202
    assert confirm(hospital.stranger, token_of(user["activation"])).status_code == 204
