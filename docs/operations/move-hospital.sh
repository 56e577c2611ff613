#!/bin/bash
# move-hospital.sh prepare|switch HOSPITAL OLD NEW
# Moves the schema of a hospital to another PostgreSQL server while its wards record, as docs/operations.md says. OLD and
# NEW are addresses of an administrator (superuser) of both databases, such as "host=db1.example dbname=consumo user=postgres";
# the new server connects to OLD, too.
set -euo pipefail
step=$1 hospital=$2 old=$3 new=$4
role=h_$hospital move=move_$hospital

# Run the statements of standard input. Rows that are statements, ended with \gexec, are run as well.
on() { psql "$1" -qAtX -v ON_ERROR_STOP=1 -v schema="$hospital" -v role="$role" -v move="$move" "${@:2}"; }

# wait_until SECONDS DATABASE QUESTION: ask until the answer is "t", for so long.
wait_until() {
    local end=$((SECONDS + $1))
    until [ "$(on "$2" "${@:4}" <<<"$3")" = t ]; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}

writes() {
    on "$1" -v setting="$2" <<'SQL'
SELECT format('ALTER ROLE %I IN DATABASE %I %s', :'role', current_database(), :'setting') \gexec
SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE usename = :'role' AND datname = current_database() \g /dev/null
SELECT pg_sleep(0.1) \g /dev/null
-- A connection that was just being made then.
SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE usename = :'role' AND datname = current_database() \g /dev/null
SQL
}
forbid_writes() { writes "$1" "SET default_transaction_read_only = on"; }
allow_writes() { writes "$1" "RESET default_transaction_read_only"; }

case $step in
prepare)
    password=$(on "$old" <<<"SELECT rolpassword FROM pg_authid WHERE rolname = :'role'")
    on "$new" -v password="$password" <<'SQL'
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
CREATE ROLE :"role" LOGIN PASSWORD :'password';
SELECT format('ALTER ROLE %I IN DATABASE %I SET search_path = %I, public', :'role', current_database(), :'schema') \gexec
SQL
    # Until the switch the server does not write there.
    forbid_writes "$new"
    pg_dump --dbname="$old" --schema-only --schema="$hospital" | psql "$new" -qX -v ON_ERROR_STOP=1 -o /dev/null
    on "$old" <<'SQL'
SELECT format('ALTER TABLE %s REPLICA IDENTITY FULL', oid::regclass) FROM pg_class
WHERE relnamespace = :'schema'::regnamespace AND relkind = 'r'
    AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary) \gexec
CREATE PUBLICATION :"move" FOR TABLES IN SCHEMA :"schema";
SQL
    on "$new" -v address="$old" <<<"CREATE SUBSCRIPTION :\"move\" CONNECTION :'address' PUBLICATION :\"move\";" 2>/dev/null
    wait_until 86400 "$new" "SELECT count(*) > 0 AND bool_and(srsubstate = 'r') FROM pg_subscription_rel"
    echo "The tables of $hospital are on the new server, and follow the old one."
    ;;
switch)
    trap 'allow_writes "$old"; echo "The switch failed: $hospital records on the old server, as before." >&2' ERR
    forbid_writes "$old"
    at=$(on "$old" <<<"SELECT pg_current_wal_lsn()")
    wait_until 20 "$old" "SELECT coalesce(bool_and(confirmed_flush_lsn >= :'at'), false) FROM pg_replication_slots WHERE slot_name = :'move'" \
        -v at="$at"
    # Rows are replicated, the numbers of the next ones are not.
    on "$old" <<'SQL' | on "$new" -o /dev/null
SELECT format('SELECT setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value)
FROM pg_sequences WHERE schemaname = :'schema' AND last_value IS NOT NULL;
SQL
    trap - ERR
    on "$new" 2>/dev/null <<<'DROP SUBSCRIPTION :"move";'
    allow_writes "$new"
    echo "$hospital records on the new server."
    ;;
esac
