#!/bin/sh
# Makes the secrets that can be made, in secrets/ here: passwords, the URLs with them, and the keys of the
# service. Files that are there stay. What only you know is named at the end.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
password() { openssl rand -hex 24; }
write() { if [ ! -e "secrets/$1" ]; then printf '%s\n' "$2" >"secrets/$1"; fi; }

write owner_password "$(password)"
write grafana_password "$(password)"
write secret_key "$(openssl rand -hex 32)"
write signing_key "$(openssl rand -hex 32)"
owner=$(cat secrets/owner_password)
write owner_database_url "postgres://market_owner:$owner@postgres/market"
write owner_index_url "postgres://market_owner:$owner@postgres/market_index"
if [ ! -e secrets/logins.sql ]; then
  for login in api:market worker:market facilitator:market indexer:market_index index_reader:market_index; do
    role=${login%%:*} secret=$(password)
    case $role in index_reader) file=index_reader_url ;; *) file=${role}_database_url ;; esac
    printf '%s\n' "postgres://market_$role:$secret@postgres/${login#*:}" >"secrets/$file"
    printf "alter role market_%s login password '%s';\n" "$role" "$secret" >>secrets/logins.sql.new
  done
  mv secrets/logins.sql.new secrets/logins.sql
fi
# Each container has its own account, and sees only the files that compose.yaml gives it. Nobody else gets
# past the folder.
chmod 700 secrets
chmod 644 secrets/*
for name in rpc_url submitter_keys resolver_key hot_wallet_key; do
  [ -e "secrets/$name" ] || echo "still to be written: secrets/$name"
done
