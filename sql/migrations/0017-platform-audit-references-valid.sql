-- Reads every event; nobody who reads or writes waits for it.
alter table platform.audit_events
  validate constraint audit_events_actor_type_fkey,
  validate constraint audit_events_channel_fkey;
