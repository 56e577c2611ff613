"""What one database alone does: migrations, plans, statements, backups, locks. What all do belongs in contracts/."""
