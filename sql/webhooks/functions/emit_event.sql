create or replace function webhooks.emit_event(p_type text, p_resource_id uuid, p_data json, p_occurred_at timestamptz) returns uuid
  language sql volatile set search_path = '' as $$
  select emitted.id from webhooks.emit_events(array[row(p_type, p_resource_id, p_data, p_occurred_at)::webhooks.event_draft]) as emitted (id)
$$;
comment on function webhooks.emit_event(text, uuid, json, timestamptz) is
  'Writes one event and fans it out, in the transaction of the fact. See webhooks.emit_events.';
revoke execute on function webhooks.emit_event(text, uuid, json, timestamptz) from public;
