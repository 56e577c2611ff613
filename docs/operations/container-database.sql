-- Run once by the container of PostgreSQL, when its volume is empty: Consumo's role and database. The password is no argument.
\set password `cat /run/secrets/database_password`
CREATE ROLE consumo LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE consumo OWNER consumo;
