"""The composition root: wires adapters to ports.

It is the only place of dependency injection.
"""
