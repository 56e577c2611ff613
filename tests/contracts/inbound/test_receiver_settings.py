"""Contract of every store: whether server and receiver have equal settings."""

from tests.builders import Ward


def test_the_settings_of_the_last_receiver_count(ward: Ward) -> None:
    messages = ward.use_cases.inbound_messages
    # It never ran.
    assert messages.check_receiver_settings("a")
    assert [messages.record_receiver_settings(digest) for digest in ("a", "a", "b")] == [False, False, True]
    assert [messages.check_receiver_settings(digest) for digest in ("a", "b")] == [False, True]
