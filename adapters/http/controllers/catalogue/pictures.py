"""Routes of pictures of products."""

from typing import Annotated

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.requests.upload import STREAMED, FileUploadOperation, receive_picture
from adapters.http.responses.wire import IfNoneMatch, PathId
from adapters.http.routes import Use, delete, get, put
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.catalogue.pictures import ReadPicture, RemovePicture, SetPicture
from application.catalogue.products import ListProducts
from application.catalogue.views import ProductView

# Another picture has another digest.
_FOR_EVER = "private, max-age=31536000, immutable"
_CHECKED = "private, no-cache"

Digest = Annotated[
    str | None, QueryParameter(description="Version of the picture; makes the answer cacheable", required=False)
]


class PictureController(Controller):
    path = "/api/products/{product_id:int}/picture"
    tags = ("products",)

    @get(
        guards=[requires(ReadPicture)],
        media_type="image/webp",
        compresses_itself=True,
        sync_to_thread=True,
    )
    def read_picture(
        self,
        request: ApiRequest,
        product_id: PathId,
        read_picture: Use[ReadPicture],
        digest: Digest = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response[bytes]:
        """Return the picture as JPEG, PNG or WebP.

        Clients may keep the answer for a year if ``digest`` is that of the picture.

        Without it, or with another one, the answer is checked by its ETag.
        """
        picture = read_picture(request.user, product_id)
        etag = f'"{picture.digest}"'
        headers = {"ETag": etag, "Cache-Control": _FOR_EVER if digest == picture.digest else _CHECKED}
        if if_none_match is not None and etag in if_none_match:
            return Response(b"", status_code=304, headers=headers)
        return Response(picture.content, media_type=picture.media_type, headers=headers)

    @put(
        guards=[requires(SetPicture)],
        operation_class=FileUploadOperation,
        dependencies={"content": Provide(receive_picture)},
        **STREAMED,
    )
    async def set_picture(
        self,
        request: ApiRequest,
        product_id: PathId,
        content: NamedDependency[bytes],
        list_products: Use[ListProducts],
        set_picture: Use[SetPicture],
    ) -> ProductView:
        """Set the picture: JPEG, PNG or WebP of up to 300 kB.

        It is stored without metadata, and reduced to 512 pixels. Its type is read from the file; the Content-Type is
        ignored.

        It is stored in the colours that viewers show; of several images in a JPEG, the first. Another file is a 422,
        picture.unreadable or picture.too_large. ``picture`` of the product is the digest.
        """

        def set_it() -> ProductView:
            set_picture(request.user, product_id, content)
            return list_products.changed(request.user, product_id)

        # A small file unpacks to many pixels: one at a time.
        return await HEAVY_WORK.run(request.owner, set_it)

    @delete(guards=[requires(RemovePicture)], sync_to_thread=True)
    def remove_picture(self, request: ApiRequest, product_id: PathId, remove_picture: Use[RemovePicture]) -> None:
        """Remove the picture, if there is one."""
        remove_picture(request.user, product_id)
