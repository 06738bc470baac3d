create function gateway.read_invoice_document(p_id uuid, p_kind text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_invoice invoicing.invoices;
  v_content bytea;
begin
  perform platform.require_scope('invoices:read');
  select invoice.* into v_invoice from invoicing.invoices as invoice
  where invoice.tenant_id = platform.tenant_id() and invoice.environment = platform.environment() and invoice.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such invoice.');
  end if;
  select case p_kind when 'xml' then transmission.document when 'dps' then transmission.request end into v_content
  from invoicing.transmissions as transmission
  where transmission.tenant_id = platform.tenant_id() and transmission.invoice_id = p_id and transmission.kind = 'issue';
  if v_content is null then
    perform platform.fail(404, 'file_missing', 'The file does not exist yet.');
  end if;
  return json_build_object('content', encode(v_content, 'base64'), 'environment', v_invoice.environment, 'canceled_at', platform.wire_instant(v_invoice.canceled_at));
end
$$;
comment on function gateway.read_invoice_document(uuid, text) is
  E'@param id Id of the invoice.\n@param kind {..3, /^(xml|dps)$/ must be one of xml and dps} xml: the NFS-e; dps: the signed DPS.\nGET /invoices/{id}/files/{kind}/raw: the document, gzipped and in base64, with what a DANFSe says beside it: {content, environment, canceled_at}. 404 file_missing before it exists.';
revoke execute on function gateway.read_invoice_document(uuid, text) from public;
