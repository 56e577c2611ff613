"""Tests of the built client in Chromium on a real server.

Everything that needs no browser belongs in ui/src.
"""
