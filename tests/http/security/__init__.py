"""Tests of who may do what, of sessions and of the access log."""
