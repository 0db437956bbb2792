-- When a worker last ran its jobs.
create table market.worker_heartbeat (
  singleton boolean primary key default true check (singleton),
  beat_at   timestamptz not null
);
