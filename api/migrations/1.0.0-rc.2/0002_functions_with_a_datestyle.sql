-- These functions write dates as text. A role can change the datestyle of its sessions: a partition then had
-- another name.
alter function market.make_next_partition() set datestyle = 'ISO, MDY';
alter function market.drop_webhook_deliveries(double precision) set datestyle = 'ISO, MDY';
alter function market.purge_events(double precision) set datestyle = 'ISO, MDY';
