create or replace function invoicing.file_json(p_transmission invoicing.transmissions, p_kind text) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('tenant_id', invoice.tenant_id, 'invoice_id', invoice.id, 'content', encode(invoicing.file_of(p_transmission, p_kind), 'base64'),
    'environment', invoice.environment, 'canceled_at', platform.wire_instant(invoice.canceled_at))
  from invoicing.invoices as invoice where invoice.tenant_id = p_transmission.tenant_id and invoice.id = p_transmission.invoice_id
$$;
comment on function invoicing.file_json(invoicing.transmissions, text) is
  'What a file of an invoice is made of: {tenant_id, invoice_id, content (gzipped, base64), environment, canceled_at}, the last two for a DANFSe.';
revoke execute on function invoicing.file_json(invoicing.transmissions, text) from public;
grant execute on function invoicing.file_json(invoicing.transmissions, text) to selo_system;
