"""The hospital's map of ADT messages, which a file has."""

from adapters.hl7.adt_paths import PATHS, InvalidPathMap, read_map
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import Settings


def adt_paths(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the paths in ADT messages, from the hospital's map if any."""
    try:
        return read_map(settings.hl7_map) if settings.hl7_map else PATHS
    except InvalidPathMap as bad:
        raise InvalidSetting(f"CONSUMO_HL7_MAP: {bad}.") from None
