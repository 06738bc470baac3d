create or replace function signature.begin_package(p_delivery signature.package_deliveries, p_maker text) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_connector signature.connectors;
begin
  select connector.* into v_connector from signature.connectors as connector
  where connector.tenant_id = p_delivery.tenant_id and connector.id = p_delivery.connector_id and connector.status = 'active';
  if not found then
    return null;
  end if;
  -- A worker died in the last attempt, and could not say so.
  if p_delivery.tries >= signature.most_package_tries() then
    update signature.package_deliveries as delivery set status = 'failed', error_code = coalesce(delivery.error_code, 'interrupted')
    where delivery.tenant_id = p_delivery.tenant_id and delivery.id = p_delivery.id;
    return null;
  end if;
  -- A replay that began before the erasure may have queued it since.
  if exists (
    select from signature.envelopes as envelope
    where envelope.tenant_id = p_delivery.tenant_id and envelope.id = p_delivery.envelope_id and envelope.erased_at is not null
  ) then
    update signature.package_deliveries as delivery set status = 'failed', error_status = null, error_code = 'erased'
    where delivery.tenant_id = p_delivery.tenant_id and delivery.id = p_delivery.id;
    return null;
  end if;
  update signature.package_deliveries as delivery set attempts = delivery.attempts + 1, tries = delivery.tries + 1
  where delivery.tenant_id = p_delivery.tenant_id and delivery.id = p_delivery.id;
  return (
    select jsonb_build_object('id', p_delivery.id, 'envelope_id', envelope.id, 'folder', to_char(envelope.completed_at at time zone 'UTC', 'YYYY/MM'),
      'content', v_connector.content, 'connector', signature.connector_target(v_connector), 'data_key', (
        select replace(encode(kept.sealed_key, 'base64'), E'\n', '') from signature.data_keys as kept
        where kept.tenant_id = envelope.tenant_id and kept.environment = envelope.environment),
      'documents', (
        select jsonb_agg(jsonb_build_object('id', linked.document_id, 'position', linked.position, 'object_id', linked.final_object_id,
          'size', linked.final_size, 'sha256', encode(linked.final_sha256, 'hex')) order by linked.position)
        from signature.envelope_documents as linked
        where linked.tenant_id = envelope.tenant_id and linked.envelope_id = envelope.id),
      'report', case when v_connector.content = 'documents' then signature.kept_report(envelope, p_maker) end)
    from signature.envelopes as envelope
    where envelope.tenant_id = p_delivery.tenant_id and envelope.id = p_delivery.envelope_id and envelope.status = 'completed');
end
$$;
comment on function signature.begin_package(signature.package_deliveries, text) is
  'Counts an attempt of a delivery that the transaction has locked, and answers what goes where: see jobs.begin_package_delivery.';
revoke execute on function signature.begin_package(signature.package_deliveries, text) from public;
