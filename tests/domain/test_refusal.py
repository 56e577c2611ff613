"""Domain errors: data for the answer, and only codes and fields for logs."""

from domain.common.errors import Code, Forbidden, Reason, Refused


def test_a_refusal_has_all_reasons_and_logs_codes_and_fields() -> None:
    refused = Refused(Reason(Code.TAKEN, "email", {"value": "ana@consumo.test"}), Reason(Code.SHEET_CLOSED))
    assert [reason.code for reason in refused.reasons] == [Code.TAKEN, Code.SHEET_CLOSED]
    assert str(refused) == "email:taken, -:sheet.closed"


def test_forbidden_tells_apart_a_missing_profile() -> None:
    assert (Forbidden().code, Forbidden("profile_required").code) == ("forbidden", "profile_required")
