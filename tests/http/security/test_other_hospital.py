"""Tokens of one hospital of a list open nothing at another."""

from pathlib import Path

from adapters.settings.read_settings import read_all_settings
from tests.http.hospital import SECRET_KEY, Caller, Hospital
from tests.http.routes import CALLERS, EVERY_CALL
from tests.permissions import ROLES

LIST = """
[norte]
public_url = "https://norte.consumo.test"
[sur]
public_url = "https://sur.consumo.test"
"""


def test_no_route_takes_a_token_of_another_hospital(hospital: Hospital, tmp_path: Path) -> None:
    """The users and their sessions have the same ids in both hospitals."""
    file = tmp_path / "hospitals.toml"
    file.write_text(LIST)
    listed = {"CONSUMO_HOSPITALS": str(file), "CONSUMO_SECRET_KEY": SECRET_KEY}
    foreign = {
        (name, settings.name): hospital.sign_in(CALLERS[name](hospital), secret_key=settings.secret_key).headers
        for settings in read_all_settings(listed, folder=tmp_path)
        for name in ROLES
    }
    guarded = [call for call in EVERY_CALL if call.answers["anonymous"] == 401]
    assert len(guarded) > 100
    for call in guarded:
        path, body = call.prepare(hospital, CALLERS["admin"](hospital))
        before = hospital.rows()
        for who, headers in foreign.items():
            answer = Caller(hospital.client, headers=headers).call(call.method, path, body)
            assert answer.status_code == 401, (str(call), who)
        assert hospital.rows() == before, str(call)
