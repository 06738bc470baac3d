create function jobs.end_package_delivery(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'id';
  c_outcome constant text := p_arguments ->> 'outcome';
  c_status constant integer := p_arguments ->> 'status';
  v_delivery signature.package_deliveries;
  v_fails boolean;
begin
  select delivery.* into v_delivery from signature.package_deliveries as delivery
  where delivery.tenant_id = platform.tenant_id() and delivery.environment = platform.environment() and delivery.id = c_id;
  if c_outcome = 'refused' then
    perform from signature.connectors as connector
    where connector.tenant_id = v_delivery.tenant_id and connector.id = v_delivery.connector_id for no key update;
  end if;
  v_fails := c_outcome = 'failed' or c_outcome in ('again', 'noted') and v_delivery.tries >= signature.most_package_tries();
  update signature.package_deliveries as delivery
  set status = case when c_outcome = 'delivered' then 'delivered' when v_fails then 'failed' else 'pending' end,
    delivered_at = case when c_outcome = 'delivered' then clock_timestamp() end,
    error_status = c_status, error_code = p_arguments ->> 'code'
  where delivery.tenant_id = v_delivery.tenant_id and delivery.id = c_id and delivery.status = 'pending';
  if not found then
    return '{"failed": false, "next": []}';
  end if;
  if c_outcome = 'again' and not v_fails then
    perform signature.add_package_jobs(array[c_id], clock_timestamp() + signature.package_delay(v_delivery.tries));
  elsif c_outcome = 'refused' then
    perform signature.disable_connector(v_delivery.connector_id, 'refused', c_status, p_arguments ->> 'code');
  end if;
  -- No wait for a flush: what a crash of Postgres takes back is delivered again, with the same bytes.
  if c_outcome = 'delivered' then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  -- Its own job has nothing left to do. The job that took it along is not its own.
  if (p_arguments ->> 'took_along')::boolean and (c_outcome = 'delivered' or v_fails) then
    perform platform.remove_job('signature__deliver_package:' || c_id);
  end if;
  return jsonb_build_object('failed', v_fails, 'next', (
    select coalesce(jsonb_agg(begun.package order by begun.id) filter (where begun.package is not null), '[]')
    from (
      select next.id, signature.begin_package(next, p_arguments ->> 'maker') as package
      from (
        select delivery.* from signature.package_deliveries as delivery
        where delivery.tenant_id = v_delivery.tenant_id and delivery.connector_id = v_delivery.connector_id and delivery.status = 'pending' and delivery.tries = 0
        order by delivery.id limit (p_arguments ->> 'takes_next')::integer
        for no key update skip locked) as next) as begun));
end
$$;
comment on function jobs.end_package_delivery(jsonb) is
  'Ends an attempt of a delivery: {id, outcome, status, code}. delivered; again: tried later, or failed after the last attempt; noted: the same, while its job is tried again by itself; failed; refused: the delivery waits, and its connector is disabled. {failed}: whether the delivery did. With `took_along`, the delivery was not that of the job, and its own job goes. `takes_next` is how many deliveries of the connector that were not tried yet begin: {next}, a list of what jobs.begin_package_delivery answers.';
revoke execute on function jobs.end_package_delivery(jsonb) from public;
