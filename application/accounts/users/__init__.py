"""Users, their passwords, and the links that they get."""
