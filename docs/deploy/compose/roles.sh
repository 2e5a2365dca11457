#!/bin/bash
# Makes the database and its two roles when the volume of the database is empty. The application works as `caretaker`,
# which cannot change the audit log; the release step works as `caretaker_owner`, which owns the tables.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
  --set owner_password="$OWNER_PASSWORD" --set serving_password="$SERVING_PASSWORD" <<'SQL'
create role caretaker_owner login password :'owner_password';
create role caretaker login password :'serving_password';
create database caretaker owner caretaker_owner;
revoke connect on database caretaker from public;
grant connect on database caretaker to caretaker;
SQL
