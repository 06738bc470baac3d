create function gateway.settle_dns_aliases(p_began timestamptz default null, p_answers jsonb default '[]') returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer jsonb;
  v_late record;
  v_zone dns.zones;
  v_settled record;
  v_zones text[] := '{}';
  v_is_open boolean := false;
begin
  perform platform.require_token();
  -- The command before has asked for the scope. Others may share a target, so the answers of a gateway count for targets of the organization alone that
  -- nobody has asked for before.
  for v_answer in
    select answer from jsonb_array_elements(p_answers) as answer
    where exists (select from dns.alias_links as link where link.tenant_id = platform.tenant_id() and link.via = answer ->> 'name')
    order by answer ->> 'name'
  loop
    if dns.record_alias_target(v_answer ->> 'name', p_began, v_answer -> 'answers', true) then
      perform dns.resolve_later();
    end if;
  end loop;
  for v_late in select late.* from dns.late_aliases(platform.tenant_id()) as late loop
    -- No zone is waited for while another is held. The caller comes again, and so does a worker.
    select zone.* into v_zone from dns.zones as zone where zone.tenant_id = platform.tenant_id() and zone.id = v_late.zone_id for update skip locked;
    if not found then
      v_is_open := true;
      continue;
    end if;
    v_settled := dns.settle_aliases(v_zone, v_late.names, true);
    v_is_open := v_is_open or v_settled.is_busy;
    if v_settled.is_changed then
      v_zones := v_zones || v_zone.name;
    end if;
  end loop;
  return json_build_object('zones', to_jsonb(v_zones), 'is_open', v_is_open);
end
$$;
comment on function gateway.settle_dns_aliases(timestamptz, jsonb) is
  E'@param began When the public DNS was asked.\n@param answers What it said about targets: [{name, answers}].\nSecond half of requests that change records: the addresses of ALIAS names of the organization. Answers the zones that changed, and whether names are left that a worker settles.';
revoke execute on function gateway.settle_dns_aliases(timestamptz, jsonb) from public;
