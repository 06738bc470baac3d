--! owner selo_system
-- Looks across tenants: a signed link names the organization, and its reader has no token.
create function gateway.find_file(
  p_tenant_id uuid, p_environment text, p_object_id uuid, out filename text, out size bigint, out sealed_key bytea, out type text
)
  returns setof record language sql stable security definer set search_path = '' as $$
  select document.filename, document.size, kept.sealed_key, 'application/pdf'
  from signature.documents as document
  join signature.data_keys as kept on kept.tenant_id = document.tenant_id and kept.environment = document.environment
  where document.tenant_id = p_tenant_id and document.environment = p_environment and document.object_id = p_object_id
    and document.status = 'ready'
  union all
  select document.filename, linked.final_size, kept.sealed_key, 'application/pdf'
  from signature.envelope_documents as linked
  join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
  join signature.data_keys as kept on kept.tenant_id = linked.tenant_id and kept.environment = linked.environment
  where linked.tenant_id = p_tenant_id and linked.environment = p_environment and linked.final_object_id = p_object_id
  union all
  -- A computer opens a file by the end of its name: it would show a picture called x.html as a page, and run one called x.bat.
  select attachment.filename || case when attachment.filename !~* kind.ending then kind.added else '' end, attachment.size, kept.sealed_key, attachment.type
  from signature.attachments as attachment
  join signature.participants as participant on participant.tenant_id = attachment.tenant_id and participant.id = attachment.participant_id
  join signature.data_keys as kept on kept.tenant_id = attachment.tenant_id and kept.environment = attachment.environment
  join (values ('application/pdf', '\.pdf$', '.pdf'), ('image/png', '\.png$', '.png'), ('image/jpeg', '\.jpe?g$', '.jpg')) as kind (type, ending, added)
    on kind.type = attachment.type
  where attachment.tenant_id = p_tenant_id and attachment.environment = p_environment and attachment.object_id = p_object_id
    and participant.status = 'completed'
$$;
comment on function gateway.find_file(uuid, text, uuid) is
  'What a download of a document, of its final PDF, or of a delivered file needs: name, size, encrypted data key and type; no row for a document that is gone or not ready. The name of a delivered file ends as its type does. Objects have random ids, which no answer but a signed link shows: somebody without a link finds nothing here.';
revoke execute on function gateway.find_file(uuid, text, uuid) from public;
grant execute on function gateway.find_file(uuid, text, uuid) to selo_app;
