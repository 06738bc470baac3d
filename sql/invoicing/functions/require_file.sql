create or replace function invoicing.require_file(p_invoice_id uuid, p_kind text) returns invoicing.transmissions
  language plpgsql stable set search_path = '' as $$
declare
  v_transmission invoicing.transmissions;
begin
  if not exists (
    select from invoicing.invoices as invoice
    where invoice.tenant_id = platform.tenant_id() and invoice.environment = platform.environment() and invoice.id = p_invoice_id) then
    perform platform.fail(404, 'not_found', 'There is no such invoice.');
  end if;
  select transmission.* into v_transmission from invoicing.transmissions as transmission
  where transmission.tenant_id = platform.tenant_id() and transmission.invoice_id = p_invoice_id and transmission.kind = 'issue';
  if invoicing.file_of(v_transmission, p_kind) is null then
    perform platform.fail(404, 'file_missing', 'The file does not exist yet.');
  end if;
  return v_transmission;
end
$$;
comment on function invoicing.require_file(uuid, text) is
  'The transmission that has a file of an invoice (pdf, xml, dps or response). 404 not_found without the invoice, 404 file_missing before the file exists.';
revoke execute on function invoicing.require_file(uuid, text) from public;
