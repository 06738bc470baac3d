-- Reminders: which of them were sent.
insert into platform.mail_kinds (name, description) values ('note_due', 'A note is due.');

create table notes.reminders (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  note_id uuid not null,
  sent_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, note_id) references notes.notes on delete restrict
);
comment on table notes.reminders is 'Reminders that were sent. Never changed.';
comment on column notes.reminders.tenant_id is 'The organization.';
comment on column notes.reminders.id is 'The reminder: time-ordered.';
comment on column notes.reminders.environment is 'live or test.';
comment on column notes.reminders.note_id is 'The note.';
comment on column notes.reminders.sent_at is 'When it was sent (UTC).';
alter table notes.reminders alter column id set statistics 0;
create index reminders_note on notes.reminders (tenant_id, note_id);
alter table notes.reminders enable row level security;
alter table notes.reminders force row level security;
create policy tenant on notes.reminders
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create function notes.keep_reminder() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into notes.reminders (tenant_id, environment, note_id, sent_at)
  values (new.tenant_id, new.environment, new.id, new.reminded_at);
  return new;
end
$$;
comment on function notes.keep_reminder() is 'Trigger: a note whose reminder was sent gets its row among the reminders.';
revoke execute on function notes.keep_reminder() from public;
create trigger to_reminder after update of reminded_at on notes.notes
  for each row when (old.reminded_at is null and new.reminded_at is not null) execute function notes.keep_reminder();
