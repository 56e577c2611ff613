"""How the domain says no: as data, and nothing more in a log than codes and fields."""

from domain.errors import Code, Forbidden, Reason, Refused


def test_a_refusal_carries_all_its_reasons_and_tells_codes_and_fields_alone() -> None:
    refused = Refused(Reason(Code.TAKEN, "email", {"value": "ana@consumo.test"}), Reason(Code.SHEET_CLOSED))
    assert [reason.code for reason in refused.reasons] == [Code.TAKEN, Code.SHEET_CLOSED]
    assert str(refused) == "email:taken, -:sheet.closed"


def test_forbidden_says_whether_a_profile_would_help() -> None:
    assert (Forbidden().code, Forbidden("profile_required").code) == ("forbidden", "profile_required")
