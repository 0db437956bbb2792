-- Uploads that go with their rows and into exports; and the way to a first passkey, or back in without one.

-- A piece of an export may end in a blob, which is read from the store as base64 when the file is.
alter table market.export_chunks add column blob_id uuid;

-- Blobs whose row is gone: written by the very statement that deletes it, so that no way of deleting forgets the bytes.
create table market.blob_removals (
  blob_id    uuid primary key,
  created_at timestamptz not null default market.now()
);

create function market.remove_blob() returns trigger
  language plpgsql
  as $$
  begin
    insert into market.blob_removals (blob_id) values (old.id) on conflict do nothing;
    return null;
  end $$;
create trigger deliveries_remove_blob after delete on market.deliveries
  for each row execute function market.remove_blob();

-- By an enrolment a human whom no passkey lets in gets one. It is good once, and a newer one takes its place.
create table market.enrolments (
  id          uuid primary key,
  human_id    uuid not null references market.humans,
  secret_hash bytea not null unique,
  issued_by   uuid not null references market.humans,
  expires_at  timestamptz not null,
  closed_at   timestamptz,
  created_at  timestamptz not null default market.now()
);
create unique index enrolments_one_open on market.enrolments (human_id) where closed_at is null;
create index enrolments_by_human on market.enrolments (human_id);
create index enrolments_by_end on market.enrolments (expires_at);

alter table market.passkey_challenges drop constraint passkey_challenges_purpose_check;
alter table market.passkey_challenges add constraint passkey_challenges_purpose_check
  check (purpose in ('sign_up', 'register', 'enrol', 'sign_in'));
