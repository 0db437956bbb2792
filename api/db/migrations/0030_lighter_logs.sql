-- What every verb writes enters fewer indexes.

-- Events are read in the order of their transactions, and looked up by nothing else of theirs but event_id.
alter table market.events drop constraint events_pkey;
drop index market.events_cursor;
alter table market.events add primary key (transaction_id, id);

-- Only sealed entries are attributed: an entry enters the index when it is sealed, and not when it is written.
drop index market.audit_log_unattributed;
create index audit_log_unattributed on market.audit_log (id) where position is not null and not is_attributed;
