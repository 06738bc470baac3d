--! owner selo_system
-- Looks across tenants: a signed link names the organization, and its reader has no token.
create function gateway.find_file(
  p_tenant_id uuid, p_environment text, p_object_id uuid, out filename text, out size bigint, out sealed_key bytea
)
  returns setof record language sql stable security definer set search_path = '' as $$
  select document.filename, document.size, kept.sealed_key
  from signature.documents as document
  join signature.data_keys as kept on kept.tenant_id = document.tenant_id and kept.environment = document.environment
  where document.tenant_id = p_tenant_id and document.environment = p_environment and document.object_id = p_object_id
    and document.status = 'ready'
  union all
  select document.filename, linked.final_size, kept.sealed_key
  from signature.envelope_documents as linked
  join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
  join signature.data_keys as kept on kept.tenant_id = linked.tenant_id and kept.environment = linked.environment
  where linked.tenant_id = p_tenant_id and linked.environment = p_environment and linked.final_object_id = p_object_id
$$;
comment on function gateway.find_file(uuid, text, uuid) is
  'What a download of a document, or of its final PDF, needs: name, size and encrypted data key; no row for a document that is gone or not ready. Objects have random ids, which no answer but a signed link shows: somebody without a link finds nothing here.';
revoke execute on function gateway.find_file(uuid, text, uuid) from public;
grant execute on function gateway.find_file(uuid, text, uuid) to selo_app;
