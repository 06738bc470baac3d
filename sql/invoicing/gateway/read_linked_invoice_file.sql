--! owner selo_system
-- Looks across tenants: a signed link names the organization, and its reader has no token.
create function gateway.read_linked_invoice_file(p_tenant_id uuid, p_environment text, p_file_id uuid, p_kind text) returns json
  language sql stable security definer set search_path = '' as $$
  select invoicing.file_json(transmission, p_kind)
  from invoicing.transmissions as transmission
  where transmission.tenant_id = p_tenant_id and transmission.environment = p_environment and transmission.file_id = p_file_id
    and invoicing.file_of(transmission, p_kind) is not null
$$;
comment on function gateway.read_linked_invoice_file(uuid, text, uuid, text) is
  'What the file of a signed link is made of (invoicing.file_json); null for a file that does not exist. Files have random ids, which no answer but a signed link shows: somebody without a link finds nothing here.';
revoke execute on function gateway.read_linked_invoice_file(uuid, text, uuid, text) from public;
grant execute on function gateway.read_linked_invoice_file(uuid, text, uuid, text) to selo_app;
