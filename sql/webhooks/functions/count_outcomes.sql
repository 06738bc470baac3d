-- Called by jobs.record_attempts, across tenants, as selo_system.
create or replace function webhooks.count_outcomes(
  p_tenant_id uuid, p_environment text, p_endpoint_id uuid, p_is_gone boolean, p_has_succeeded boolean, p_has_test_succeeded boolean,
  p_failures integer, p_failed_at timestamptz
)
  returns void language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint webhooks.endpoints;
begin
  if p_has_test_succeeded then
    update webhooks.endpoints as endpoint set last_success_at = clock_timestamp()
    where endpoint.tenant_id = p_tenant_id and endpoint.id = p_endpoint_id;
  end if;
  if p_has_succeeded then
    update webhooks.endpoints as endpoint
    set consecutive_failures = 0, failing_since = null, last_success_at = clock_timestamp()
    where endpoint.tenant_id = p_tenant_id and endpoint.id = p_endpoint_id;
  elsif p_failures > 0 then
    update webhooks.endpoints as endpoint
    set consecutive_failures = endpoint.consecutive_failures + p_failures, failing_since = coalesce(endpoint.failing_since, p_failed_at)
    where endpoint.tenant_id = p_tenant_id and endpoint.id = p_endpoint_id
    returning endpoint.* into v_endpoint;
  end if;
  if p_is_gone or v_endpoint.consecutive_failures >= 20 and v_endpoint.failing_since <= clock_timestamp() - interval '24 hours' then
    perform platform.enter_context(p_tenant_id, p_environment, 'system', null, null);
    perform webhooks.disable_endpoint(p_endpoint_id, case when p_is_gone then 'gone' else 'failing' end);
    perform platform.enter_context(null, null, null, null, null);
  end if;
end
$$;
comment on function webhooks.count_outcomes(uuid, text, uuid, boolean, boolean, boolean, integer, timestamptz) is
  'Counts attempts that ended together for their endpoint: the failures in a row and the last success, which may be a test''s. Disables the endpoint as gone (410) or as failing (20 failures in a row, over at least 24 hours).';
revoke execute on function webhooks.count_outcomes(uuid, text, uuid, boolean, boolean, boolean, integer, timestamptz) from public;
grant execute on function webhooks.count_outcomes(uuid, text, uuid, boolean, boolean, boolean, integer, timestamptz) to selo_system;
