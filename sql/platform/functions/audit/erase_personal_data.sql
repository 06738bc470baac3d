create or replace function platform.erase_personal_data(p_tenant_id uuid, p_before timestamptz, p_event_id uuid default null) returns bigint
  language plpgsql volatile set search_path = '' as $$
declare
  v_environment text;
  v_total bigint := 0;
begin
  for v_environment in select known.name from platform.environments as known loop
    perform platform.enter_context(p_tenant_id, v_environment, null, null, null);
    v_total := v_total + platform.erase_events(p_before, case when p_event_id is not null then array[p_event_id] end);
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
  'Erases personal data of events of an organization: of all events before an instant, or of one event. See platform.erase_events. Answers the number of events that had personal data.';
revoke execute on function platform.erase_personal_data(uuid, timestamptz, uuid) from public;
