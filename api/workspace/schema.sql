-- In the workspace orgs work in spaces, on pages, with files attached to them. A short id names a thing in
-- text and addresses, beside its UUID. created_by is the URN of the account that made it.
create domain market.short_id as text check (value ~ '^[0-9a-z]{10}$');
