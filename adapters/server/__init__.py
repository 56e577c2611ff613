"""Server processes: the ASGI application, workers, health, connections.

No routes.
"""
