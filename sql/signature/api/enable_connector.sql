create function api.enable_connector(p_id uuid) returns api.connectors
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_connector signature.connectors;
  v_ids uuid[];
  v_answer api.connectors;
begin
  perform platform.require_scope('integrations:manage');
  v_connector := signature.require_connector(p_id);
  if v_connector.status <> 'active' then
    update signature.connectors as connector set status = 'active', disabled_reason = null
    where connector.tenant_id = v_connector.tenant_id and connector.id = p_id;
    with waiting as (
      update signature.package_deliveries as delivery set tries = 0
      where delivery.tenant_id = v_connector.tenant_id and delivery.connector_id = p_id and delivery.status = 'pending'
      returning delivery.id
    )
    select array_agg(waiting.id) into v_ids from waiting;
    if v_ids is not null then
      perform signature.add_package_jobs(v_ids);
    end if;
    perform platform.record_audit_event('connector.enabled', 'connector', p_id, signature.connector_state(p_id));
  end if;
  select answer.* into v_answer from api.connectors as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.enable_connector(uuid) is
  E'@slow 60\n@param id Id of the connector.\nDelivers packages to the connector again, first those that wait. Packages of envelopes that were completed while the connector was disabled are delivered by a replay.';
revoke execute on function api.enable_connector(uuid) from public;
