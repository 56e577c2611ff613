"""Read the state of the installation, judged."""

from dataclasses import dataclass

from application.accounts.ports.identity_provider import IdentityProvider, ProviderState
from application.common.clock import Clock
from application.common.mail import Mailer
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.status.findings import Facts, Finding, judge
from application.status.installation import Installation
from application.status.views import FindingView, StatusView
from application.status.work import Read
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ReadStatus:
    """Read what works and what needs attention. It contains no secret."""

    read: Read
    clock: Clock
    installation: Installation
    mailer: Mailer
    identity_provider: IdentityProvider | None

    @permitted(Permission.READ_STATUS)
    def __call__(self, actor: Actor) -> StatusView:
        facts = self.facts()
        view = StatusView(at=facts.now, findings=[_view(finding) for finding in judge(facts)])
        return redact_for(actor, view, StatusView)

    def facts(self) -> Facts:
        """Return the state of the installation now."""
        installation = self.installation
        # They may take seconds, so no connection waits for them.
        provider = self.identity_provider.state() if self.identity_provider else ProviderState.OFF
        replica = installation.replica()
        with self.read() as views:
            status = views.status
            return Facts(
                now=self.clock(),
                version=installation.version,
                started_at=installation.started_at,
                database_kind=installation.database_kind,
                database_bytes=status.database_size(),
                free_bytes=installation.free_bytes(),
                last_backup=status.last_backup(),
                replica=replica,
                last_seal_at=status.last_seal_at(),
                unsent_audit=status.unsent_audit() if installation.sends_audit else None,
                last_message_at=status.last_message_at(),
                held_messages=views.inbound_messages.held(),
                sends_charges=installation.sends_charges,
                billing=status.billing(),
                sends_email=self.mailer.delivers,
                identity_provider=provider,
                unsent=status.unsent(),
                time_zone=installation.time_zone,
            )


def _view(finding: Finding) -> FindingView:
    return FindingView(
        key=finding.key,
        level=finding.level,
        advice=finding.advice,
        name=finding.name,
        at=finding.at,
        oldest_at=finding.oldest_at,
        size=finding.size,
        free=finding.free,
        count=finding.count,
        failed=finding.failed,
        problem=finding.problem,
    )
