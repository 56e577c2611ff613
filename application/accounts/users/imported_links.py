"""Personal links for the users of an import."""

from dataclasses import dataclass

from application.accounts.users.password_links import PasswordResetLink, new_link
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import USER, AuditAction
from application.common.use_case import permitted
from application.people.people import names_of_users
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator

# How many links one request creates.
MAX_LINKS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLinksDraft(Draft):
    """The import, and the id of the last user who got a link already."""

    import_id: int | None = None
    after_id: int | None = None


@dataclass(frozen=True, slots=True)
class UserLink:
    """A user with a new personal link; ``name`` is that of the profile."""

    user_id: int
    email: str
    name: str | None
    link: PasswordResetLink


@dataclass(frozen=True, slots=True)
class CreateImportedLinks:
    """Create a link for each user of an import who has no password yet.

    Earlier links of these users become invalid. At most ``MAX_LINKS`` are created, in the order of the ids.
    """

    begin: Begin
    clock: Clock
    public_address: str

    @permitted(Permission.MANAGE_USERS, Permission.IMPORT)
    def __call__(self, actor: Actor, draft: ImportedLinksDraft) -> list[UserLink]:
        checks = Validator(draft.parse_errors)
        import_id = checks.required_id("import_id", draft.import_id)
        checks.raise_if_invalid()
        now = self.clock()
        with self.begin() as work:
            if work.imports.lock(import_id) is None:
                raise NotFound
            imported: list[int] = []
            before = None
            while page := work.audit_log.of_import(import_id, USER.name, before=before, limit=MAX_LINKS):
                before = page[-1][0]
                imported += [done.entity_id for _, done in page]
            wanted = sorted(user_id for user_id in imported if user_id > (draft.after_id or 0))
            links: list[UserLink] = []
            for first in range(0, len(wanted), MAX_LINKS):
                users = work.users.find_many("id", wanted[first : first + MAX_LINKS], locked=True)
                waiting = [
                    user
                    for user in users
                    if not user.deleted and user.password_hash is None and actor.can_manage(user.role)
                ][: MAX_LINKS - len(links)]
                names = names_of_users(work.views, {user.id for user in waiting if user.staff_id})
                for user in waiting:
                    link = new_link(work, self.public_address, user.id, now, made_by=actor)
                    done = entry(actor, now, AuditAction.USER_RESET_LINK_HANDED_OUT, before=user, after=user)
                    work.audit_log.append(done)
                    links.append(UserLink(user.id, user.email, names.get(user.id), link))
                if len(links) == MAX_LINKS:
                    break
        return links
