"""Pictures of products."""

from dataclasses import dataclass

from application.audit.audit_log import Changes, entry_by_id
from application.catalogue.work import Begin, BeginReadOnly
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.images import ReadPicture as ReadPictureFile
from application.common.use_case import permitted
from domain.catalogue.picture import MAX_PICTURE_BYTES, ProductPicture, picture_too_large
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """Read the picture of a product."""

    begin_read_only: BeginReadOnly

    @permitted(Permission.READ_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int) -> ProductPicture:
        with self.begin_read_only() as work:
            picture = work.product_pictures.get(product_id)
        if picture is None:
            raise NotFound
        return picture


@dataclass(frozen=True, slots=True)
class SetPicture:
    """Set the picture of a product, instead of an earlier one.

    The audit log has the digests, not the pictures.
    """

    begin: Begin
    clock: Clock
    read_picture: ReadPictureFile

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int, content: bytes) -> None:
        if len(content) > MAX_PICTURE_BYTES:
            raise picture_too_large(len(content))
        # Decoding is slow, so it happens outside the unit of work.
        given = self.read_picture(content)
        now = self.clock()
        with self.begin() as work:
            if work.products.lock(product_id) is None:
                raise NotFound
            picture = ProductPicture(
                product_id=product_id,
                digest=given.digest,
                media_type=given.media_type,
                width=given.width,
                height=given.height,
                content=given.content,
                at=now,
            )
            before = work.product_pictures.digest(product_id)
            if before == picture.digest:
                return
            work.product_pictures.save(picture)
            changes: Changes = {"picture": (before, picture.digest)}
            work.audit_log.append(entry_by_id(actor, now, AuditAction.PRODUCT_PICTURE_SET, product_id, changes))


@dataclass(frozen=True, slots=True)
class RemovePicture:
    """Remove the picture of a product, if it has one."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_CATALOGUE)
    def __call__(self, actor: Actor, product_id: int) -> None:
        now = self.clock()
        with self.begin() as work:
            if work.products.lock(product_id) is None:
                raise NotFound
            before = work.product_pictures.digest(product_id)
            if before is None:
                return
            work.product_pictures.remove(product_id)
            changes: Changes = {"picture": (before, None)}
            work.audit_log.append(entry_by_id(actor, now, AuditAction.PRODUCT_PICTURE_REMOVED, product_id, changes))
