--! owner selo_system
-- Looks across tenants: a gateway that was killed leaves streams of all organizations.
create or replace function webhooks.delete_old_streams(p_limit integer) returns integer
  language plpgsql volatile security definer set search_path = ''
  -- See gateway.list_audit_events.
  set enable_seqscan = off as $$
declare
  v_expired uuid[];
  v_deleted integer;
begin
  select array_agg(expired.id) into v_expired
  from (
    select endpoint.id from webhooks.endpoints as endpoint
    where endpoint.url is null and endpoint.stream_expires_at < clock_timestamp() limit p_limit for update skip locked
  ) as expired;
  delete from webhooks.deliveries as delivery
  where (delivery.tenant_id, delivery.id) in (
    select old.tenant_id, old.id from webhooks.deliveries as old
    where old.ready and old.endpoint_id = any (v_expired) limit p_limit for update skip locked);
  get diagnostics v_deleted = row_count;
  -- A stream is deleted after its deliveries: deliveries of a deleted endpoint would be kept as skipped.
  delete from webhooks.endpoints as endpoint
  where endpoint.id = any (v_expired) and endpoint.url is null
    and not exists (select from webhooks.deliveries as left_over where left_over.ready and left_over.endpoint_id = endpoint.id);
  return v_deleted;
end
$$;
comment on function webhooks.delete_old_streams(integer) is
  'Removes streams that expired, with their waiting deliveries. At most p_limit streams and p_limit deliveries. Answers the number of removed deliveries.';
revoke execute on function webhooks.delete_old_streams(integer) from public;
grant execute on function webhooks.delete_old_streams(integer) to selo_owner;
