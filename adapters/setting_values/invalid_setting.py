"""The error of a setting."""


class InvalidSetting(Exception):
    """An invalid setting; the message names it and says what to do."""
