--! owner selo_system
-- Looks across tenants: the retention period is the same for the deliveries of all organizations.
create or replace function webhooks.delete_old_deliveries(p_before uuid, p_limit integer) returns integer
  language plpgsql volatile security definer set search_path = ''
  -- Ids have no statistics: another kind of join would read every row. See gateway.list_audit_events for the tables.
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  v_deleted integer := 0;
  v_count integer;
begin
  delete from webhooks.deliveries as delivery
  where (delivery.tenant_id, delivery.id) in (
    select old.tenant_id, old.id from webhooks.deliveries as old where old.event_id < p_before limit p_limit for update skip locked);
  get diagnostics v_count = row_count;
  v_deleted := v_deleted + v_count;
  delete from webhooks.attempts_otherwise as attempt
  where (attempt.tenant_id, attempt.id) in (select old.tenant_id, old.id from webhooks.attempts_otherwise as old where old.id < p_before limit p_limit);
  get diagnostics v_count = row_count;
  v_deleted := v_deleted + v_count;
  delete from webhooks.events_otherwise as event
  where (event.tenant_id, event.environment, event.id) in (
    select old.tenant_id, old.environment, old.id from webhooks.events_otherwise as old where old.id < p_before limit p_limit);
  get diagnostics v_count = row_count;
  return v_deleted + v_count;
end
$$;
comment on function webhooks.delete_old_deliveries(uuid, integer) is
  'Deletes deliveries of events before an id, and attempts and events without a partition of their day. At most p_limit rows of each table. Answers the number of deleted rows.';
revoke execute on function webhooks.delete_old_deliveries(uuid, integer) from public;
grant execute on function webhooks.delete_old_deliveries(uuid, integer) to selo_owner;
