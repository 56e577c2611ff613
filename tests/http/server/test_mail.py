"""Emails through a real SMTP server, and what happens without one."""

import logging
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from adapters.mail.smtp import SmtpMailer
from adapters.setting_values.mail_server import parse_mail_server
from application.common.mail import MailFailure, MailMessage
from tests.http.accounts.signed_in import (
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
from tests.pace import PATIENCE
from tests.servers import reserved_port

# aiosmtpd logs recipients, which is not our concern here.
logging.getLogger("mail.log").setLevel(logging.CRITICAL)

EMAIL = "marta.gil@hospital.test"
SENDER = "consumo@hospital.test"


class Inbox:
    """A local SMTP server and the emails that it received."""

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
        """Wait for the next email."""
        return self.received.get(timeout=PATIENCE)


@contextmanager
def receiving(user: str = "", password: str = "") -> Iterator[Inbox]:
    """Run an SMTP server; with a user, it requires authentication."""

    def known(server: SMTP, session: Session, envelope: Envelope, mechanism: str, sent: object) -> AuthResult:
        right = isinstance(sent, LoginPassword) and sent == LoginPassword(user.encode(), password.encode())
        return AuthResult(success=right, handled=False)

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
    """A hospital that sends emails to the inbox."""
    with hospital_on(
        sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}?from={SENDER}&tls=none"
    ) as hospital:
        yield hospital


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [
        ("es", "Active su cuenta de Consumo", "Elija su contraseña en este enlace"),
        ("en-GB", "Activate your Consumo account", "Choose your password with this link"),
    ],
)
def test_a_new_user_gets_the_activation_link_by_email(
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
    # The same link as shown to the administrator.
    assert link_in(letter) == user["activation"]["url"]
    assert confirm(mailing.stranger, token_of({"url": link_in(letter)})).status_code == 201
    assert sign_in(mailing, EMAIL, NEW_PASSWORD).status_code == 201


@pytest.mark.parametrize(
    ("language", "subject", "words"),
    [
        ("es", "Elija una contraseña nueva de Consumo", "Si no fue usted, no haga nada"),
        ("en", "Choose a new password for Consumo", "If it wasn’t you, do nothing"),
    ],
)
def test_a_forgotten_password_can_be_reset_by_email(
    mailing: Hospital, inbox: Inbox, language: str, subject: str, words: str
) -> None:
    email = mailing.email(mailing.nurse)
    assert ask_for_letter(mailing, f" {email.upper()}", language).status_code == 202
    recipients, letter = inbox.next()
    # Sent to the stored address, not to the typed one.
    assert recipients == [email] == [letter["To"]]
    assert letter["Subject"] == subject
    assert words in letter.get_content()
    token = token_of({"url": link_in(letter)})
    assert confirm(mailing.stranger, token).status_code == 201
    assert refused(confirm(mailing.stranger, token)) == [("token", "link.invalid")]
    assert sign_in(mailing, email, NEW_PASSWORD).status_code == 201


def test_no_other_request_sends_an_email(mailing: Hospital, inbox: Inbox) -> None:
    gone = mailing.email(mailing.colleague)
    mailing.admin.delete(f"{USERS}/{mailing.colleague.user_id}")
    for email in ("unknown@hospital.test", gone, "no email"):
        assert ask_for_letter(mailing, email).status_code == 202
    assert mailing.admin.post("/api/auth/register-by-admin", {"email": EMAIL, "role": "7"}).status_code == 422
    assert mailing.supervisor.post("/api/auth/register-by-admin", {"email": EMAIL, "role": "10"}).status_code == 422
    # This link is handed over in person.
    assert mailing.admin.post(f"{USERS}/{mailing.nurse.user_id}/reset-link").status_code == 201
    # Emails are sent in order: the next one is the first that was sent.
    register(mailing.admin, EMAIL)
    assert inbox.next()[0] == [EMAIL]


@pytest.mark.parametrize(
    ("language", "password", "email"),
    [
        ("es", "Cambió la contraseña de su cuenta de Consumo", "Cambió el correo de su cuenta de Consumo"),
        ("en", "Your Consumo password was changed", "Your Consumo email was changed"),
    ],
)
def test_changes_of_password_or_email_are_sent_to_the_old_email(
    mailing: Hospital, inbox: Inbox, language: str, password: str, email: str
) -> None:
    nurse, old = mailing.nurse.speaking(language), mailing.email(mailing.nurse)
    body = {"email": EMAIL, "password": NEW_PASSWORD, "password_confirmation": NEW_PASSWORD}
    assert nurse.put(f"{USERS}/{nurse.user_id}", body | {"current_password": PASSWORD}).status_code == 200
    for subject in (password, email):
        recipients, letter = inbox.next()
        assert (recipients, letter["Subject"]) == ([old], subject)
        assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", letter.get_content())
        # No link, no new address, no password.
        for secret in ("http", EMAIL, "termómetro"):
            assert secret not in letter.get_content()
    # Changed by an administrator.
    admin = mailing.admin.speaking(language)
    form = {"email": "marta@hospital.test", "role": "1", "staff_id": nurse.staff_id}
    assert admin.put(f"{USERS}/{nurse.user_id}", form).status_code == 200
    recipients, letter = inbox.next()
    assert (recipients, letter["Subject"]) == ([EMAIL], email)
    # Changed with a link.
    token = token_of(reset_link(mailing.admin, nurse))
    assert confirm(mailing.stranger.speaking(language), token).status_code == 201
    recipients, letter = inbox.next()
    assert (recipients, letter["Subject"]) == (["marta@hospital.test"], password)


@pytest.mark.parametrize("email", ["marta@ñandú.test", "o'neil+ward@hospital.test"])
def test_an_unusual_address_receives_its_email(mailing: Hospital, inbox: Inbox, email: str) -> None:
    register(mailing.admin, email)
    assert inbox.next()[0] == [email]


@pytest.mark.parametrize("email", ["a,b@c.test", "x<evil@y.test", "a:b@c.test", "a@[.c", "(@b.test", "a@b.test)"])
def test_an_address_cannot_inject_other_recipients(mailing: Hospital, inbox: Inbox, email: str) -> None:
    answer = mailing.admin.post("/api/auth/register-by-admin", {"email": email, "role": "1"})
    assert answer.status_code in (201, 422)
    register(mailing.admin, EMAIL)
    assert inbox.next()[0] == [EMAIL]
    with pytest.raises(Empty):
        inbox.received.get_nowait()


def test_an_address_in_brackets_is_the_only_recipient(mailing: Hospital, inbox: Inbox) -> None:
    """The account has that address, without the name before it."""
    for written, address in (("Marta <m@y.test>", "m@y.test"), (EMAIL, EMAIL)):
        assert register(mailing.admin, written)["email"] == address
        assert inbox.next()[0] == [address]
    with pytest.raises(Empty):
        inbox.received.get_nowait()


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_the_mail_server_can_require_authentication(sqlite_url: str, tmp_path: Path) -> None:
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


def test_pending_emails_are_sent_before_the_server_ends(sqlite_url: str, tmp_path: Path) -> None:
    with receiving() as inbox:
        with hospital_on(sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}?tls=none") as hospital:
            for number in range(5):
                register(hospital.admin, f"{number}@hospital.test")
        assert [inbox.received.get_nowait()[0] for _ in range(5)] == [[f"{n}@hospital.test"] for n in range(5)]


# --- without mail ----------------------------------------------------------------------------------------------------


def secrets_of_letters(hospital: Hospital) -> list[str]:
    """Request emails that can't be sent; returns what no log may contain."""
    user = register(hospital.admin, EMAIL)
    assert ask_for_letter(hospital, hospital.email(hospital.nurse)).status_code == 202
    assert confirm(hospital.stranger, token_of(user["activation"])).status_code == 201
    return [token_of(user["activation"]), "token=", EMAIL, hospital.email(hospital.nurse), "@hospital.test"]


def test_an_unreachable_mail_server_is_logged_without_secrets(
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


def test_a_refused_email_fails_no_request(sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with receiving() as inbox:
        inbox.full = True
        with hospital_on(sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}?tls=none") as hospital:
            secrets = secrets_of_letters(hospital)
    assert "A letter (reset) could not be sent: SMTPDataError" in caplog.text
    for secret in secrets:
        assert secret not in caplog.text


def test_no_email_is_sent_without_tls_unless_configured(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as inbox:
        with hospital_on(sqlite_url, tmp_path, smtp_url=f"smtp://127.0.0.1:{inbox.port}") as hospital:
            register(hospital.admin, EMAIL)
        assert inbox.received.empty()
    assert "A letter (activation) could not be sent: SMTPNotSupportedError" in caplog.text


def test_a_mail_server_that_never_answers_delays_no_request(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    done = Event()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        smtp_url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"

        def say_nothing() -> None:
            connection, _ = silent.accept()
            with connection:
                done.wait(PATIENCE)

        listening = Thread(target=say_nothing)
        listening.start()
        try:
            with hospital_on(sqlite_url, tmp_path, smtp_url=smtp_url) as hospital:
                secrets = secrets_of_letters(hospital)
                # All were answered while the first letter still waits for the mail server.
                assert "could not be sent" not in caplog.text
        finally:
            done.set()
            listening.join()
    assert "given up" in caplog.text
    for secret in secrets:
        assert secret not in caplog.text


def test_without_mail_the_link_is_handed_over(hospital: Hospital) -> None:
    user = register(hospital.admin, EMAIL)
    assert ask_for_letter(hospital, EMAIL).status_code == 202
    assert confirm(hospital.stranger, token_of(user["activation"])).status_code == 201


@pytest.mark.parametrize(("language", "subject"), [("es", "Correo de prueba de Consumo"), ("en", "Consumo test email")])
def test_an_administrator_gets_a_test_email(mailing: Hospital, inbox: Inbox, language: str, subject: str) -> None:
    answer = mailing.admin.speaking(language).post("/api/status/test-email")
    email = mailing.email(mailing.admin)
    assert (answer.status_code, answer.json()) == (200, {"email": email})
    recipients, letter = inbox.next()
    assert (recipients, letter["Subject"]) == ([email], subject)


def test_a_failed_test_email_says_why(inbox: Inbox) -> None:
    def failure(url: str) -> MailFailure | None:
        mailer = SmtpMailer(parse_mail_server(url))
        try:
            return mailer.deliver(MailMessage(EMAIL, "test", "es", datetime.now(UTC)))
        finally:
            mailer.close()

    with reserved_port() as port:
        assert failure(f"smtp://127.0.0.1:{port}?tls=none") is MailFailure.UNREACHABLE
    # The inbox offers no TLS, which is the default.
    assert failure(f"smtp://127.0.0.1:{inbox.port}") is MailFailure.NOT_ENCRYPTED
    with receiving("consumo", "right") as closed:
        assert failure(f"smtp://consumo:wrong@127.0.0.1:{closed.port}?tls=none") is MailFailure.LOGIN_REFUSED
    assert inbox.received.empty()
    assert failure(f"smtp://127.0.0.1:{inbox.port}?tls=none") is None
    inbox.full = True
    assert failure(f"smtp://127.0.0.1:{inbox.port}?tls=none") is MailFailure.REFUSED


def test_the_reason_of_a_failed_test_email_is_the_answer(mailing: Hospital, inbox: Inbox) -> None:
    inbox.full = True
    answer = mailing.admin.post("/api/status/test-email")
    assert refused(answer) == [(None, "mail.refused")]
    assert f"«{mailing.email(mailing.admin)}»" in answer.json()["message"][0]
