create function gateway.note_figures() returns bigint
  language sql stable security definer set search_path = '' as $$
  select sum(counted.notes)::bigint from notes_figures.counts as counted
$$;
comment on function gateway.note_figures() is 'How many notes there were when they were last counted, for the login selo_notes.';
revoke execute on function gateway.note_figures() from public;
-- Here and not in roles.sql: schema gateway is made anew, and its grants with it.
grant usage on schema gateway to selo_notes;
grant execute on function gateway.note_figures() to selo_notes;
