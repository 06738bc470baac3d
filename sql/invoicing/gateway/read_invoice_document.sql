create function gateway.read_invoice_document(p_id uuid, p_kind text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('invoices:read');
  return invoicing.file_json(invoicing.require_file(p_id, p_kind), p_kind);
end
$$;
comment on function gateway.read_invoice_document(uuid, text) is
  E'@param id Id of the invoice.\n@param kind {..3, /^(xml|dps|pdf)$/ must be one of xml, dps and pdf} xml: the NFS-e; dps: the signed DPS; pdf: the NFS-e, of which the DANFSe is drawn.\nGET /invoices/{id}/files/{kind}/raw: what the file is made of, gzipped and in base64, with what a DANFSe says beside it: {tenant_id, invoice_id, content, environment, canceled_at}. 404 file_missing before it exists.';
revoke execute on function gateway.read_invoice_document(uuid, text) from public;
