"""What people do, on the store in memory. Nothing that depends on a database, HTTP or words."""
