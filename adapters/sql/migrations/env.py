"""Alembic environment: runs migrations on the given connection."""

from alembic import context

from adapters.sql.engine.columns import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
