create or replace function invoicing.events_of(p_id uuid) returns json
  language sql stable set search_path = '' as $$
  select platform.audit_chain_events(p_id)
$$;
comment on function invoicing.events_of(uuid) is E'@format invoice_events\nThe events of the invoice, oldest first, as `GET /audit` answers them.';
revoke execute on function invoicing.events_of(uuid) from public;
