-- An urgent notification is sent even if it was read.
alter table market.notification_sends add is_urgent boolean not null default false;
