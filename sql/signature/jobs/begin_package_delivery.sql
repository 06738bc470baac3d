create function jobs.begin_package_delivery(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_delivery signature.package_deliveries;
  v_connector signature.connectors;
begin
  select delivery.* into v_delivery from signature.package_deliveries as delivery
  where delivery.tenant_id = platform.tenant_id() and delivery.environment = platform.environment() and delivery.id = (p_arguments ->> 'id')::uuid
    and delivery.status = 'pending'
  for no key update;
  select connector.* into v_connector from signature.connectors as connector
  where connector.tenant_id = v_delivery.tenant_id and connector.id = v_delivery.connector_id and connector.status = 'active';
  if not found then
    return null;
  end if;
  -- A worker died in the last attempt, and could not say so.
  if v_delivery.tries >= signature.most_package_tries() then
    update signature.package_deliveries as delivery set status = 'failed', error_code = coalesce(delivery.error_code, 'interrupted')
    where delivery.tenant_id = v_delivery.tenant_id and delivery.id = v_delivery.id;
    return null;
  end if;
  update signature.package_deliveries as delivery set attempts = delivery.attempts + 1, tries = delivery.tries + 1
  where delivery.tenant_id = v_delivery.tenant_id and delivery.id = v_delivery.id;
  return (
    select jsonb_build_object('envelope_id', envelope.id, 'folder', to_char(envelope.completed_at at time zone 'UTC', 'YYYY/MM'),
      'connector', signature.connector_target(v_connector),
      'documents', (
        select jsonb_agg(jsonb_build_object('id', linked.document_id, 'position', linked.position, 'object_id', linked.final_object_id,
          'size', linked.final_size, 'sha256', encode(linked.final_sha256, 'hex')) order by linked.position)
        from signature.envelope_documents as linked
        where linked.tenant_id = envelope.tenant_id and linked.envelope_id = envelope.id))
    from signature.envelopes as envelope
    where envelope.tenant_id = v_delivery.tenant_id and envelope.id = v_delivery.envelope_id and envelope.status = 'completed');
end
$$;
comment on function jobs.begin_package_delivery(jsonb) is
  'Counts an attempt to deliver {id} before it begins, and answers what goes where: {envelope_id, folder, connector, documents: [{id, position, object_id, size, sha256}]}. Null when the delivery no longer waits, or its connector is disabled.';
revoke execute on function jobs.begin_package_delivery(jsonb) from public;
