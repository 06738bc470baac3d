create or replace function signature.queue_package(p_envelope_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_ids uuid[];
begin
  with queued as (
    insert into signature.package_deliveries (tenant_id, environment, connector_id, envelope_id)
    select connector.tenant_id, connector.environment, connector.id, p_envelope_id
    from signature.connectors as connector
    where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment() and connector.status = 'active'
    order by connector.id
    returning id
  )
  select array_agg(queued.id) into v_ids from queued;
  if v_ids is not null then
    perform signature.add_package_jobs(v_ids);
  end if;
end
$$;
comment on function signature.queue_package(uuid) is 'Queues the package of an envelope that was just completed, for each active connector.';
revoke execute on function signature.queue_package(uuid) from public;
