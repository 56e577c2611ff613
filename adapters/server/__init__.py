"""Running processes: the ASGI application as it is served, workers, health, connections. No routes."""
