create function api.replay_connector(p_id uuid, p_since timestamptz, p_until timestamptz default null) returns json
  language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_most constant integer := 10000;
  v_status text;
  v_envelopes uuid[];
  v_ids uuid[];
begin
  perform platform.require_scope('integrations:manage');
  select connector.status into v_status from signature.connectors as connector
  where connector.tenant_id = c_tenant_id and connector.environment = platform.environment() and connector.id = p_id
  for key share;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such connector.');
  end if;
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'since', case when p_since < clock_timestamp() - interval '90 days' then 'must be at most 90 days ago' end,
    'until', case when p_until <= p_since then 'must come after since' end));
  if v_status <> 'active' then
    perform platform.fail(409, 'conflict', 'The connector is disabled: enable it first.');
  end if;
  v_envelopes := array(
    select envelope.id from signature.envelopes as envelope
    where envelope.tenant_id = c_tenant_id and envelope.environment = platform.environment() and envelope.status = 'completed' and envelope.erased_at is null
      and envelope.completed_at >= p_since and (p_until is null or envelope.completed_at < p_until)
    order by envelope.completed_at limit c_most + 1);
  if cardinality(v_envelopes) > c_most then
    perform platform.refuse_wrong_arguments('{"until": "must leave at most 10000 packages: replay them in several periods"}');
  end if;
  with queued as (
    insert into signature.package_deliveries (tenant_id, environment, connector_id, envelope_id)
    select c_tenant_id, platform.environment(), p_id, completed.id
    from unnest(v_envelopes) with ordinality as completed (id, place)
    order by completed.place
    -- A package that waits is delivered anyway.
    on conflict do nothing
    returning id
  )
  select array_agg(queued.id) into v_ids from queued;
  if v_ids is not null then
    perform signature.add_package_jobs(v_ids);
    perform platform.record_audit_event('connector.replayed', 'connector', p_id, jsonb_strip_nulls(jsonb_build_object(
      'deliveries', cardinality(v_ids), 'since', platform.instant(p_since), 'until', platform.instant(p_until))));
  end if;
  return (select row_to_json(answer) from (select coalesce(cardinality(v_ids), 0) as queued) as answer);
end
$$;
comment on function api.replay_connector(uuid, timestamptz, timestamptz) is
  E'@slow\n@param id Id of the connector.\n@param since Packages of envelopes completed at or after this instant, at most 90 days ago.\n@param until Packages of envelopes completed before this instant. Default: now.\n@answers queued integer Number of packages that will be delivered.\nDelivers the packages of this period again, oldest first: at most 10,000. The same objects get the same names and bytes; a dossier changes once, when an audit seal comes to cover its events. Packages that wait already are left out, and those of erased envelopes. Returns 409 conflict for a disabled connector.';
revoke execute on function api.replay_connector(uuid, timestamptz, timestamptz) from public;
