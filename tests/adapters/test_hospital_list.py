"""The list of hospitals of one installation, from a TOML file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import Settings, read_all_settings, read_settings

SECRET = "a secret key of the environment, long enough"

NORTE = """
[norte]
public_url = "https://norte.consumo.example"
host_names = ["NORTE.hospital.test"]
currency = "MXN"
idle_minutes = 3
offline = false
"""
SUR = """
[sur]
public_url = "https://sur.consumo.example"
"""

ReadAll = Callable[..., list[Settings]]


def environment(folder: Path, content: str | bytes, **given: str) -> dict[str, str]:
    file = folder / "hospitals.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return {"CONSUMO_HOSPITALS": str(file), **{f"CONSUMO_{name}": value for name, value in given.items()}}


@pytest.fixture
def read_all(tmp_path: Path) -> ReadAll:
    return lambda content, **given: read_all_settings(environment(tmp_path, content, **given), folder=tmp_path)


def test_each_hospital_has_its_own_settings_and_those_of_all(read_all: ReadAll, tmp_path: Path) -> None:
    norte, sur = read_all(NORTE + SUR, PORT="8123", CURRENCY="USD")
    assert (norte.name, sur.name) == ("norte", "sur")
    assert norte.host_names == {"norte.consumo.example", "norte.hospital.test"}
    assert sur.host_names == {"sur.consumo.example"}
    assert (norte.port, sur.port) == (8123, 8123)
    assert (norte.hospital.currency, sur.hospital.currency) == ("MXN", "USD")
    assert (norte.hospital.idle_minutes, norte.offline) == (3, False)
    assert norte.database_url == f"sqlite:///{tmp_path / 'norte' / 'consumo.db'}"
    assert sur.database_url == f"sqlite:///{tmp_path / 'sur' / 'consumo.db'}"


def test_no_two_hospitals_have_the_same_keys(read_all: ReadAll) -> None:
    norte, sur = read_all(NORTE + SUR)
    assert norte.secret_key != sur.secret_key
    derived = read_all(NORTE + SUR, SECRET_KEY=SECRET, SECRET_KEY_OLD=SECRET + "!")
    keys = {key for one in derived for key in (one.secret_key, one.old_secret_key)}
    assert len(keys) == 4
    assert SECRET not in keys
    assert read_all(NORTE + SUR, SECRET_KEY=SECRET)[0].secret_key == derived[0].secret_key
    own = read_all(f'{NORTE}secret_key = "{SECRET}"\n{SUR}')
    assert own[0].secret_key == SECRET


def test_a_secret_of_a_hospital_may_be_a_file(read_all: ReadAll, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(SECRET)
    table = f'{NORTE}secret_key_file = "{tmp_path / "key"}"\n'
    [norte, _] = read_all(table + SUR, SECRET_KEY="the key of the environment is another one")
    assert norte.secret_key == SECRET


def test_a_command_is_for_one_hospital(tmp_path: Path) -> None:
    two = environment(tmp_path, NORTE + SUR)
    assert read_settings({**two, "CONSUMO_HOSPITAL": "sur"}, folder=tmp_path).name == "sur"
    assert [one.name for one in read_all_settings({**two, "CONSUMO_HOSPITAL": "sur"}, folder=tmp_path)] == ["sur"]
    with pytest.raises(InvalidSetting, match="Say for which hospital: “consumo --hospital NAME …”, one of norte, sur"):
        read_settings(two, folder=tmp_path)
    with pytest.raises(InvalidSetting, match=r"there is no hospital “este” in .*, only norte, sur"):
        read_settings({**two, "CONSUMO_HOSPITAL": "este"}, folder=tmp_path)
    assert read_settings(environment(tmp_path, SUR), folder=tmp_path).name == "sur"


def test_without_a_list_there_is_one_hospital_without_a_name(tmp_path: Path) -> None:
    [only] = read_all_settings({}, folder=tmp_path)
    assert (only.name, only.host_names) == ("", frozenset())
    with pytest.raises(InvalidSetting, match="CONSUMO_HOSPITAL: set CONSUMO_HOSPITALS as well"):
        read_settings({"CONSUMO_HOSPITAL": "norte"}, folder=tmp_path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "lists no hospital"),
        ("[norte", "is not TOML"),
        (b"\xff", "is not TOML"),
        ('currency = "USD"', "put “currency” below the \\[name\\] of a hospital"),
        ('["Hospital Norte"]\npublic_url = "https://a.example"', "“Hospital Norte” is no name for a hospital"),
        ("[norte]", "norte: give the address at which browsers reach this hospital"),
        (NORTE + 'databse_url = "x"', "norte: there is no setting “databse_url”"),
        (NORTE + 'Currency = "USD"', "there is no setting “Currency”"),
        (NORTE + "port = 8000", "“port” is the same for all hospitals: set CONSUMO_PORT instead"),
        (NORTE + "token_hours = 1.5", "give “token_hours” a text, a whole number, true or false, or a list of texts"),
        (NORTE + 'token_hours = "many"', "CONSUMO_TOKEN_HOURS"),
        (NORTE + SUR + 'host_names = ["norte.hospital.test"]', "norte and sur are both reached at norte.hospital.test"),
        (SUR + 'host_names = ["sur hospital"]', "host_names: give names such as"),
        (
            NORTE + 'database_url = "postgresql://h@d/x"\n' + SUR + 'database_url = "postgresql+psycopg://h@d/x"',
            "norte and sur have the same database_url",
        ),
    ],
)
def test_a_mistake_in_the_list_is_named(read_all: ReadAll, content: str | bytes, sentence: str) -> None:
    with pytest.raises(InvalidSetting, match=sentence):
        read_all(content)


def test_a_list_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match=r"none\.toml cannot be read"):
        read_all_settings({"CONSUMO_HOSPITALS": str(tmp_path / "none.toml")}, folder=tmp_path)
