-- Kinds of actors and channels of the audit trail are those of the reference tables: a service that brings another adds a row.
-- One short lock; old rows were held to the same names by the checks, and the next migration has them looked up.
alter table platform.audit_events
  drop constraint audit_events_actor_type_check,
  drop constraint audit_events_channel_check,
  add constraint audit_events_actor_type_fkey foreign key (actor_type) references platform.actor_kinds on delete restrict not valid,
  add constraint audit_events_channel_fkey foreign key (channel) references platform.channels on delete restrict not valid;
comment on column platform.audit_events.actor_type is 'Kind of the actor, of platform.actor_kinds.';
comment on column platform.audit_events.actor_id is 'Which one, such as the token; null for operator and system.';
comment on column platform.audit_events.channel is 'Of platform.channels; null for jobs.';
