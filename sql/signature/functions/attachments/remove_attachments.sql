create or replace function signature.remove_attachments(p_envelope_id uuid, p_field_ids uuid[]) returns void
  language sql volatile set search_path = '' as $$
  with gone as (
    delete from signature.attachments as attachment
    where attachment.tenant_id = platform.tenant_id() and attachment.envelope_id = p_envelope_id and attachment.field_id = any (p_field_ids)
    returning attachment.object_id
  )
  select signature.remove_object(gone.object_id) from gone
$$;
comment on function signature.remove_attachments(uuid, uuid[]) is
  'Removes the files of these fields of an envelope that the caller has locked. They are gone from the storage once this transaction has committed.';
revoke execute on function signature.remove_attachments(uuid, uuid[]) from public;
