create index concurrently notifications_by_entity on market.notifications (entity_id) where cause is null;
