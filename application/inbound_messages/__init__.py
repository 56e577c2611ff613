"""Inbound messages, such as ADT: store, apply, hold or dismiss them."""
