-- What a device is, and whether its push service still takes messages.
alter table market.push_subscriptions
  add column browser text,
  add column last_success_at timestamptz,
  add column refused_since timestamptz;
