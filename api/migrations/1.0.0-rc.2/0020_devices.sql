-- A device is its endpoint, whatever its keys are.
alter table market.push_subscriptions drop constraint push_subscriptions_p256dh_key;
