-- Days: the roll-up for analysts looks each day up.
create index notes_of_days on notes.notes (tenant_id, environment, created_at);
