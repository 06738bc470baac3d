create function gateway.find_invoice_file(p_id uuid, p_kind text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_transmission invoicing.transmissions;
begin
  perform platform.require_scope('invoices:read');
  v_transmission := invoicing.require_file(p_id, p_kind);
  return json_build_object('tenant_id', v_transmission.tenant_id, 'environment', v_transmission.environment, 'object_id', v_transmission.file_id);
end
$$;
comment on function gateway.find_invoice_file(uuid, text) is
  E'@param id Id of the invoice.\n@param kind {..8, /^(pdf|xml|dps|response)$/ must be one of pdf, xml, dps and response} pdf: the DANFSe; xml: the NFS-e; dps: the signed DPS; response: the last answer of the tax authority.\nFirst half of GET /invoices/{id}/files/{kind}: the file that a signed link leads to. 404 not_found; 404 file_missing before it exists.';
revoke execute on function gateway.find_invoice_file(uuid, text) from public;
