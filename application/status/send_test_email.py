"""Send a test email to the signed-in administrator."""

from dataclasses import dataclass

from application.accounts.sessions.throttle import count_test_email
from application.audit.audit_log import entry_by_id
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailFailure, MailMessage
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.status.views import SentEmailView
from application.status.work import Begin
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Actor, Permission

_CODES = {
    MailFailure.UNREACHABLE: Code.MAIL_UNREACHABLE,
    MailFailure.NOT_ENCRYPTED: Code.MAIL_NOT_ENCRYPTED,
    MailFailure.LOGIN_REFUSED: Code.MAIL_LOGIN_REFUSED,
    MailFailure.REFUSED: Code.MAIL_REFUSED,
}


@dataclass(frozen=True, slots=True)
class SendTestEmail:
    """Send a test email, and wait until the mail server has accepted it.

    A failure is ``Refused`` with the reason. Raise ``TooManyAttempts`` after several emails.
    """

    begin: Begin
    clock: Clock
    mailer: Mailer

    @permitted(Permission.READ_STATUS)
    def __call__(self, actor: Actor, language: str) -> SentEmailView:
        if not self.mailer.delivers:
            raise Refused(Reason(Code.MAIL_OFF))
        now = self.clock()
        with self.begin() as work:
            count_test_email(work, actor.user_id, now)
            user = work.users.get(actor.user_id)
            if user is None or user.deleted:
                raise Unauthenticated
            work.audit_log.append(entry_by_id(actor, now, AuditAction.USER_TEST_EMAIL_SENT, user.id, {}))
        # Outside of the unit of work: a slow mail server must not hold a lock.
        failure = self.mailer.deliver(MailMessage(user.email, "test", language, now))
        if failure is not None:
            raise Refused(Reason(_CODES[failure], params={"email": user.email}))
        return redact_for(actor, SentEmailView(email=user.email), SentEmailView)
