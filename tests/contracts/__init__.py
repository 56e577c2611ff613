"""What every store must do alike, on memory, SQLite and PostgreSQL. What one database alone does belongs in sql/."""
