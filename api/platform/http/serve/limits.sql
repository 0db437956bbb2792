-- Counts the requests of each account, and of each address without one, in its current window: one row each,
-- whichever process served them. Unlogged, so that counting a request does not wait for the disk; a database
-- crash clears the counts, which locks nobody out. It has its own schema because it is not data of the
-- market.

create schema limits;

create unlogged table limits.windows (
  -- An account's id, or the hash of an address.
  subject   uuid not null,
  policy    text not null check (policy in ('reads', 'writes', 'anonymous')),
  used      integer not null,
  resets_at timestamptz not null,
  primary key (subject, policy)
) with (fillfactor = 50);
create index windows_by_time on limits.windows (resets_at);

-- Counts one request, in one statement, so that two processes cannot both take the last of a quota. A window
-- begins with its first request, and a refused request does not extend it.
create function limits.take(subject uuid, policy text, quota integer, window_seconds integer)
  returns table (used integer, resets_seconds integer)
  language sql
  begin atomic
    insert into limits.windows as current (subject, policy, used, resets_at)
    values ($1, $2, 1, market.now() + make_interval(secs => $4))
    on conflict (subject, policy) do update set
      used = case when current.resets_at > market.now() then least(current.used + 1, $3 + 1) else 1 end,
      resets_at = case when current.resets_at > market.now() then current.resets_at else excluded.resets_at end
    returning current.used, ceil(extract(epoch from current.resets_at - market.now()))::integer;
  end;
