create function gateway.create_invoice_customer(
  p_name text, p_document_type text, p_document text default null, p_country text default 'BR', p_email text default null, p_phone text default null, p_municipal_registration text default null, p_address jsonb default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_customer invoicing.customers;
begin
  perform platform.require_scope('invoices:write');
  v_customer.name := invoicing.trimmed(p_name);
  v_customer.document_type := p_document_type;
  v_customer.document := invoicing.trimmed(p_document);
  v_customer.country := p_country;
  v_customer.email := invoicing.trimmed(p_email);
  v_customer.phone := p_phone;
  v_customer.municipal_registration := p_municipal_registration;
  v_customer.address := invoicing.whole_address(p_address);
  perform invoicing.refuse_wrong_customer(v_customer);
  insert into invoicing.customers as made (tenant_id, environment, name, document_type, document, country, email, phone, municipal_registration, address)
  values (platform.tenant_id(), platform.environment(), v_customer.name, v_customer.document_type, v_customer.document, v_customer.country, v_customer.email, v_customer.phone, v_customer.municipal_registration, v_customer.address)
  returning made.* into v_customer;
  perform platform.record_audit_event('invoice_customer.created', 'invoice_customer', v_customer.id, jsonb_build_object('record_sha256', invoicing.customer_record(v_customer)));
  return (select gateway.invoice_customers_json(answer) from api.invoice_customers as answer where answer.id = v_customer.id);
end
$$;
comment on function gateway.create_invoice_customer(text, text, text, text, text, text, text, jsonb) is
  E'@param name {1..300} Name or company name, in characters of Latin-1.\n@param document_type {invoicing.document_types} What identifies the customer.\n@param document {..40} CPF, CNPJ (digits and capitals alone) or foreign tax number; none for `none`.\n@param country {..2, /^[A-Z]{2}$/ must be 2 capitals: a country (ISO 3166-1), not null} Country (ISO 3166-1 alpha-2).\n@param email {..80} E-mail address.\n@param phone {..20, /^[0-9]{6,20}$/ must be 6 to 20 digits} Telephone number: digits alone.\n@param municipal_registration {..15, /^[A-Za-z0-9]{1,15}$/ must be 1 to 15 letters and digits} Registration with the municipality.\nAdds a customer. What TypeScript takes as objects has been checked for its form alone.';
revoke execute on function gateway.create_invoice_customer(text, text, text, text, text, text, text, jsonb) from public;
