create function jobs.record_delegation_check(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  select zone.* into v_zone from dns.zones as zone
  where zone.tenant_id = platform.tenant_id() and zone.id = (p_arguments ->> 'id')::integer for update;
  -- The zone may be gone meanwhile.
  if found then
    v_zone := dns.record_check(v_zone, (p_arguments ->> 'began')::timestamptz, p_arguments -> 'answers');
  end if;
  return jsonb_build_object('status', v_zone.status);
end
$$;
comment on function jobs.record_delegation_check(jsonb) is
  'Records what a check of the delegation of zone {id}, begun at {began}, found: {answers}. Answers the status of the zone; null for one that is gone.';
revoke execute on function jobs.record_delegation_check(jsonb) from public;
