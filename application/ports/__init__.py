"""Ports of the use cases: protocols that adapters implement.

Adapters do not need to inherit from them.
"""
