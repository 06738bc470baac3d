create function jobs.begin_package_delivery(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_delivery signature.package_deliveries;
begin
  select delivery.* into v_delivery from signature.package_deliveries as delivery
  where delivery.tenant_id = platform.tenant_id() and delivery.environment = platform.environment() and delivery.id = (p_arguments ->> 'id')::uuid
    and delivery.status = 'pending'
  for no key update;
  return signature.begin_package(v_delivery, p_arguments ->> 'maker');
end
$$;
comment on function jobs.begin_package_delivery(jsonb) is
  'Counts an attempt to deliver {id} before it begins, and answers what goes where: {id, envelope_id, folder, content, connector, data_key, documents: [{id, position, object_id, size, sha256}], report}. `maker` stands for whoever makes reports: {report} is the kept one, {object_id, size, sha256}, or null. Null when the delivery no longer waits, or its connector is disabled.';
revoke execute on function jobs.begin_package_delivery(jsonb) from public;
