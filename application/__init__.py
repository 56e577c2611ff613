"""Use cases, the ports they need and the shapes they answer. Standard library and ``domain`` alone."""
