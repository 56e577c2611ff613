"""The state of the installation: server, backups, connections, devices."""
