"""The HTTP API in Litestar: one file per resource, and what routes share. No SQL, no rule."""
