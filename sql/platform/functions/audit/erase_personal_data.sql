create or replace function platform.erase_personal_data(p_tenant_id uuid, p_before timestamptz, p_event_id uuid default null) returns bigint
  language plpgsql volatile set search_path = '' as $$
declare
  v_environment text;
  v_erased bigint;
  v_total bigint := 0;
begin
  for v_environment in select known.name from platform.environments as known loop
    perform platform.enter_context(p_tenant_id, v_environment, null, null, null);
    update platform.audit_events as event set personal = null
    where event.tenant_id = p_tenant_id and event.environment = v_environment and event.personal is not null
      and (p_before is null or event.occurred_at < p_before) and (p_event_id is null or event.id = p_event_id);
    get diagnostics v_erased = row_count;
    v_total := v_total + v_erased;
  end loop;
  if v_total > 0 then
    perform platform.enter_context(p_tenant_id, 'live', null, null, null);
    perform platform.record_audit_event('personal_data.erased', 'organization', p_tenant_id, jsonb_build_object('events', v_total));
  end if;
  perform platform.enter_context(null, null, null, null, null);
  return v_total;
end
$$;
comment on function platform.erase_personal_data(uuid, timestamptz, uuid) is
  'Erases values and salts of personal data from events of an organization: from all events before an instant, or from one event. The chain holds only commitments and does not change. Answers the number of events that had personal data.';
revoke execute on function platform.erase_personal_data(uuid, timestamptz, uuid) from public;
