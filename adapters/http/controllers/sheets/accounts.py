"""Routes of a patient's account for the family, and of frozen papers."""

from functools import partial
from typing import Annotated

from litestar import Controller, Response
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from adapters.documents.pdf.account import account_pdf
from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import document_response
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import DecimalJSONResponse, PathId
from adapters.http.routes import Use, get, post
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.reports.check_paper import CheckPaper
from application.sheets.account_views import AccountChangesView, AccountView, IssuedAccountView
from application.sheets.accounts import CompareAccounts, IssueAccount, PrintAccount, ReadAccount
from application.sheets.summary_views import PaperCheckView


class AccountController(Controller):
    path = "/api/consumption-sheets/{sheet_id:int}"
    tags = ("accounts",)

    @get("/account", guards=[requires(ReadAccount)], sync_to_thread=True)
    def read_account(self, request: ApiRequest, sheet_id: PathId, read_account: Use[ReadAccount]) -> AccountView:
        """Return the account of a sheet in plain words, as it is now.

        A closed sheet's is the one that its closing froze. ``issued`` are the moments with which it can be compared.

        A name is the product's ``plain_name``, or else that of its category: ``quantity`` then counts ``articles``.
        ``kinds`` are the categories, ``returned`` what came back; ``without_price``, ``unlisted_items`` and
        ``late_entries`` are still open. Callers who see prices also get ``included`` and ``total``.
        """
        return read_account(request.user, sheet_id)

    @post(
        "/accounts",
        guards=[requires(IssueAccount)],
        responses={
            200: ResponseSpec(
                IssuedAccountView, description="Unchanged since the last issued account, which is returned"
            )
        },
        sync_to_thread=True,
    )
    def issue_account(
        self, request: ApiRequest, sheet_id: PathId, issue_account: Use[IssueAccount]
    ) -> Response[IssuedAccountView]:
        """Freeze the account of a sheet, so that it can be printed and compared.

        If nothing changed since the last one, that one is returned, and for a closed sheet its closing.
        """
        view, is_new = issue_account(request.user, sheet_id)
        return DecimalJSONResponse(view, status_code=201 if is_new else 200)

    @get("/account/changes", guards=[requires(CompareAccounts)], sync_to_thread=True)
    def compare_accounts(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        since: Annotated[
            str, QueryParameter(description="Issued account or closing to compare with, such as account-1 or closing-1")
        ],
        compare_accounts: Use[CompareAccounts],
    ) -> AccountChangesView:
        """Return why the account is another one than at a moment.

        The amounts add up to the difference of the totals.

        ``kind`` is added, corrected, returned, wasted, voided or moved. Without prices, items with the same quantity
        are left out. A malformed moment is a 400, one that the sheet does not have a 404.
        """
        return compare_accounts(request.user, sheet_id, since)

    @get("/account/pdf", guards=[requires(PrintAccount)], media_type="application/pdf")
    async def print_account(
        self,
        request: ApiRequest,
        sheet_id: PathId,
        of: Annotated[
            str, QueryParameter(description="Issued account or closing to print, such as account-2 or closing-1")
        ],
        prices: Annotated[
            bool, QueryParameter(description="Print amounts; ignored for users who may not see prices")
        ] = True,
    ) -> Response[bytes]:
        """Return an issued account, or that of a closing, as a PDF."""
        return await HEAVY_WORK.run(request.owner, partial(_print, request, sheet_id, of, prices))


class DocumentController(Controller):
    path = "/api/documents"
    tags = ("accounts",)

    @get("/paper", guards=[requires(CheckPaper)], sync_to_thread=True, raises=[UnprocessableException])
    def check_document(
        self,
        request: ApiRequest,
        text: Annotated[str, QueryParameter(description="Text in the paper's symbol")],
        check_paper: Use[CheckPaper],
    ) -> PaperCheckView:
        """Return whether a paper equals what is stored: account, closing or month.

        A text that is on no such paper, another hospital's paper and what is not stored here are refused with 422.

        ``kind`` is closing, document (an account) or month. ``closing`` is what GET …/closings/{turn} returns; for a
        month it is null, like ``sheet_id``, and ``month`` has its id, month, ``area`` and ``total``. ``same`` is false
        if the paper was printed from something else, or if what is stored was altered. The codes of the refusals are
        paper.unreadable, paper.foreign, paper.unknown (a closing) and document.unknown (an account or a month). A
        month's paper is unknown to callers who may not read months.

        The text of 61 characters is beside the QR code of the paper: CNSC, installation (6 digits), sheet (8), number
        of the closing (2), the first 128 bits of the digest as a decimal number (39), and two check digits as on
        labels. That of an account or a month is CNSD, with its number (8) and its turn (2). It may be typed with
        spaces. The digest is the SHA-256 of a secret salt and the stored document.
        """
        return check_paper(request.user, text)


def _print(request: ApiRequest, sheet_id: int, of: str, prices: bool) -> Response[bytes]:
    view = request.use_cases.accounts.print(request.user, sheet_id, of, with_prices=prices)
    return document_response(account_pdf(request.hospital, view, language_of(request)), f"{sheet_id}-{of}.pdf")
