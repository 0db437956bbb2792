-- A reorganisation may take several sweeps back, and each is then to be made again under its number. That one is asked for
-- at a time is the verb's to keep.
drop index market.sweeps_open;
create index sweeps_open on market.sweeps (sequence) where state <> 'confirmed';
